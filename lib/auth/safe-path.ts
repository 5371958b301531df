import { mostAddressBytes, mostAddressParts } from '@/lib/edge/request-limits'

const base = 'http://toolgate.invalid'

/**
 * Returns the path on this site to open after signing in; "/" for anything that could lead elsewhere. A query that the server would
 * refuse is left out.
 */
export function safePath(text: string | null | undefined): string {
  if (!text?.startsWith('/') || !URL.canParse(text, base)) return '/'
  const url = new URL(text, base)
  if (url.origin !== base || url.pathname.startsWith('//')) return '/'
  const { search } = url
  const isRefused = search.length > mostAddressBytes || search.split('&').length > mostAddressParts
  return isRefused ? url.pathname : `${url.pathname}${search}${url.hash}`
}

/**
 * Returns the address of a page that leads on to a path of this site. Leaves out the query of a path, or the whole path, that
 * would make the address longer than the server takes.
 */
export function addressBefore(page: '/sign-in' | '/second-factor', path: string): string {
  const [bare = ''] = path.split('?', 1)
  const next = [path, bare]
    .map((each) => `next=${encodeURIComponent(each)}`)
    .find((query) => query.length <= mostAddressBytes)
  return next === undefined || path === '/' ? page : `${page}?${next}`
}
