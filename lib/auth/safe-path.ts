const base = 'http://toolgate.invalid'

/** A path on this site to go to after signing in: anything that could lead elsewhere becomes "/". */
export function safePath(text: string | null | undefined): string {
  if (!text?.startsWith('/') || !URL.canParse(text, base)) return '/'
  const url = new URL(text, base)
  if (url.origin !== base || url.pathname.startsWith('//')) return '/'
  return `${url.pathname}${url.search}${url.hash}`
}
