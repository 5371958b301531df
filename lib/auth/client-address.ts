import { isIP, isIPv6 } from 'node:net'
import { env } from '../env'
import { peerAddressHeader, peerAddressIsKnown } from './peer-address'

export type HeaderReader = { get: (name: string) => string | null }

/**
 * Where a request came from, or null. X-Forwarded-For counts only as far as TOOLGATE_TRUSTED_PROXIES says: with n
 * proxies of ours, the n-th entry from the right was written by the outermost of them. Otherwise the socket decides.
 */
export function clientAddress(headers: HeaderReader): string | null {
  const proxies = env().TOOLGATE_TRUSTED_PROXIES
  const peer = peerAddressIsKnown() ? headers.get(peerAddressHeader) : null
  if (proxies === 0) return normalise(peer)
  const forwarded = (headers.get('x-forwarded-for') ?? '').split(',').map((part) => part.trim())
  return normalise(forwarded.at(-proxies) ?? forwarded.at(0) ?? null) ?? normalise(peer)
}

/** /24 for IPv4, /64 for IPv6: one customer is usually one prefix. */
export function addressPrefix(address: string): string {
  if (!isIPv6(address)) return `${address.split('.').slice(0, 3).join('.')}.0/24`
  return `${expand(address).slice(0, 4).join(':')}::/64`
}

function normalise(text: string | null): string | null {
  if (!text) return null
  const bare = text.replace(/^\[(.*)\](:\d+)?$/, '$1').replace(/%.*$/, '')
  const mapped = bare.toLowerCase().replace(/^::ffff:(?=\d+\.)/, '')
  return isIP(mapped) ? mapped : null
}

/** The eight groups of an IPv6 address without leading zeros. */
function expand(address: string): string[] {
  const [head = '', tail] = address.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const gap = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length)
  return [...left, ...Array<string>(gap).fill('0'), ...right].map((group) =>
    Number.parseInt(group, 16).toString(16),
  )
}
