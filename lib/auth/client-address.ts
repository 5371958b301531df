import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import { isIP, isIPv6 } from 'node:net'
import { classifyAddress } from '@/lib/engines/egress/classify-address'
import { env } from '@/lib/kernel/env'
import { noteForwarded } from './note-forwarded'

export type HeaderReader = { get: (name: string) => string | null }

/**
 * Returns the address that a request came from, or null. TOOLGATE_TRUSTED_PROXIES says how far X-Forwarded-For is
 * trusted: with n proxies of ours, the outermost of them wrote the n-th entry from the right. Otherwise the socket
 * decides.
 */
export function clientAddress(headers: HeaderReader): string | null {
  const proxies = env().TOOLGATE_TRUSTED_PROXIES
  const peer = peerAddressIsKnown() ? headers.get(peerAddressHeader) : null
  if (proxies === 0) {
    if (peer !== null && headers.get(forwardedHeader) !== null) noteForwarded()
    return normalise(peer)
  }
  const forwarded = (headers.get('x-forwarded-for') ?? '').split(',').map((part) => part.trim())
  return normalise(forwarded.at(-proxies) ?? forwarded.at(0) ?? null) ?? normalise(peer)
}

/**
 * Returns the address of the person who sends a request, to count their failures; null when it may be a proxy's, which
 * many people share. Without trusted proxies that is the case when a private address sends the header of a proxy, when
 * the site's address is https (Toolgate itself serves http), or when a private address requests a site with a public
 * address.
 */
export function countedAddress(headers: HeaderReader): string | null {
  const address = clientAddress(headers)
  if (address === null || env().TOOLGATE_TRUSTED_PROXIES > 0) return address
  const { protocol, hostname } = new URL(env().TOOLGATE_URL)
  if (protocol === 'https:') return null
  // Anybody at a public address can send the header, and would then not be counted.
  const named = headers.get(forwardedHeader) !== null
  return isPrivate(address) && (named || !isPrivateHost(hostname)) ? null : address
}

function isPrivate(address: string): boolean {
  return ['private', 'loopback', 'link-local'].includes(classifyAddress(address))
}

function isPrivateHost(hostname: string): boolean {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1')
  if (isIP(bare)) return isPrivate(bare)
  return !bare.includes('.') || /\.(local|localhost|lan|internal|home\.arpa)$/.test(bare)
}

/** Returns the /24 of an IPv4 address or the /64 of an IPv6 address, which usually belongs to one customer. */
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

/** Returns the eight groups of an IPv6 address without leading zeros. */
function expand(address: string): string[] {
  const [head = '', tail] = address.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const gap = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length)
  return [...left, ...Array<string>(gap).fill('0'), ...right].map((group) =>
    Number.parseInt(group, 16).toString(16),
  )
}

export const peerAddressHeader = 'x-toolgate-peer'

/** Set when the client sent a header in which a proxy names its client. Anybody can send one. */
export const forwardedHeader = 'x-toolgate-forwarded'

const proxyHeaders = ['x-forwarded-for', 'forwarded', 'x-real-ip']

let isInstalled = false

/** Returns whether `installPeerAddress` ran in this process. Without it, a client could have set the header. */
function peerAddressIsKnown(): boolean {
  return isInstalled
}

/**
 * Writes the socket's address into a header of every request before the framework sees it, over whatever the client
 * sent: the framework itself only passes on X-Forwarded-For, which any client may forge, and fills it in where it is
 * missing. Call once, at boot.
 */
export function installPeerAddress(): void {
  if (isInstalled) return
  isInstalled = true
  subscribe('http.server.request.start', (message) => {
    const { request } = message as { request: IncomingMessage }
    const { headers } = request
    headers[peerAddressHeader] = request.socket.remoteAddress ?? ''
    delete headers[forwardedHeader]
    if (proxyHeaders.some((name) => headers[name] !== undefined)) headers[forwardedHeader] = 'yes'
  })
}
