import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'

export const peerAddressHeader = 'x-toolgate-peer'

/** Present when the client sent a header in which a proxy names whom it speaks for. Anybody can send one. */
export const forwardedHeader = 'x-toolgate-forwarded'

const proxyHeaders = ['x-forwarded-for', 'forwarded', 'x-real-ip']

const slot = Symbol.for('toolgate.peer-address')
const shared = globalThis as { [slot]?: true }

/** Whether `installPeerAddress` ran in this process; without it the header could be anyone's. */
export function peerAddressIsKnown(): boolean {
  return shared[slot] === true
}

/**
 * Writes the socket's address into a header of every request before the framework sees it, over whatever the client
 * sent: the framework itself only passes on X-Forwarded-For, which any client may forge, and fills it in where it is
 * missing. Call once, at boot.
 */
export function installPeerAddress(): void {
  if (shared[slot]) return
  shared[slot] = true
  subscribe('http.server.request.start', (message) => {
    const { request } = message as { request: IncomingMessage }
    const { headers } = request
    headers[peerAddressHeader] = request.socket.remoteAddress ?? ''
    delete headers[forwardedHeader]
    if (proxyHeaders.some((name) => headers[name] !== undefined)) headers[forwardedHeader] = 'yes'
  })
}
