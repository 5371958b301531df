const base = 'http://toolgate.invalid'

/** Returns the path on this site to open after signing in; "/" for anything that could lead elsewhere. */
export function safePath(text: string | null | undefined): string {
  if (!text?.startsWith('/') || !URL.canParse(text, base)) return '/'
  const url = new URL(text, base)
  if (url.origin !== base || url.pathname.startsWith('//')) return '/'
  return `${url.pathname}${url.search}${url.hash}`
}
