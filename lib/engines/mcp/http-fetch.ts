import { setTimeout as sleep } from 'node:timers/promises'
import type { FetchLike } from '@modelcontextprotocol/client'
import { Agent, fetch } from 'undici'
import { EgressError, egressConnector } from '@/lib/engines/egress/egress-connector'
import { limitedBody, trafficLimit } from './message-limits'
import { type ServerAddress, ServerTrouble } from './server-address'

export type HttpAddress = Extract<ServerAddress, { type: 'http' | 'sse' }>

const connectMs = 10_000
/** A server that streams may be silent for a long time between messages. */
const silenceMs = 10 * 60_000
/** How soon a server is asked for a stream again, whatever it wants: it may end each one at once. */
const betweenStreamsMs = 1_000

/**
 * Returns a `fetch` for one server: it goes only to addresses that the server may have, also after redirects, sends the
 * server's own headers to the server's own origin alone, and limits what the server sends: `onTrouble` is told when it sends
 * more. `unreached` says why the last request got no answer, which not every transport passes on. `close` ends its
 * connections.
 */
export function serverFetch(
  { url, headers, privateAddressAllowed: privateAllowed }: HttpAddress,
  onTrouble: (trouble: ServerTrouble) => void,
) {
  const { origin } = new URL(url)
  const agent = new Agent({
    connect: egressConnector({ privateAllowed }, connectMs),
    headersTimeout: silenceMs,
    bodyTimeout: silenceMs,
  })
  const limits = { count: trafficLimit(), onTrouble }
  let streamsFrom = 0
  const turnOfStream = async (signal: AbortSignal | null) => {
    const waitMs = Math.max(0, streamsFrom - Date.now())
    streamsFrom = Date.now() + waitMs + betweenStreamsMs
    if (waitMs > 0) await sleep(waitMs, undefined, { ref: false, ...(signal && { signal }) })
  }
  let trouble: ServerTrouble | null = null
  const send: FetchLike = async (input, init = {}) => {
    const target = new URL(input)
    const own = target.origin === origin ? headers : {}
    const sent = new Headers(init.headers)
    for (const [name, value] of Object.entries(own)) sent.set(name, value)
    sent.set('user-agent', 'Toolgate')
    const { method = 'GET', body = null, signal = null, redirect = 'manual' } = init
    if (body !== null && typeof body !== 'string') throw new TypeError('A message is text.')
    if (method === 'GET') await turnOfStream(signal)
    trouble = null
    const answer = await fetch(target, {
      method,
      body,
      signal,
      redirect: redirect === 'follow' ? 'manual' : redirect,
      headers: Object.fromEntries(sent),
      dispatcher: agent,
    }).catch((error: unknown) => {
      trouble = reachTrouble(error)
      throw trouble ?? error
    })
    return limited(answer, limits)
  }
  return { send, unreached: () => trouble, close: () => agent.destroy().catch(() => undefined) }
}

type Answer = Awaited<ReturnType<typeof fetch>>

/** Returns the answer with the limits of messages. */
function limited(
  { body, status, statusText, headers }: Answer,
  limits: Omit<Parameters<typeof limitedBody>[1], 'isEventStream'>,
): Response {
  const isEventStream = headers.get('content-type')?.includes('text/event-stream') ?? false
  const content =
    body && limitedBody(isEventStream ? body : unbroken(body), { ...limits, isEventStream })
  return new Response(content, { status, statusText, headers: Object.fromEntries(headers) })
}

/** Passes on the bytes of one message. Throws ServerTrouble when it breaks off; a stream that does may be asked for again. */
async function* unbroken(body: AsyncIterable<Uint8Array>) {
  try {
    yield* body
  } catch (error) {
    throw reachTrouble(error) ?? error
  }
}

/** Returns why an address could not be reached, in words and without the address; null = it is none of the known reasons. */
function reachTrouble(error: unknown): ServerTrouble | null {
  const cause = error instanceof Error && error.cause ? error.cause : error
  if (cause instanceof EgressError) return new ServerTrouble('refused', cause.message)
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  if (brokenOff.has(code)) {
    return new ServerTrouble('ended', 'The server broke the connection off.')
  }
  const words = reachWords[code]
  return words === undefined ? null : new ServerTrouble('unreachable', words)
}

/** What was sent may have arrived before these. */
const brokenOff: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])

const reachWords: Record<string, string> = {
  ECONNREFUSED: 'Nothing answers at this address. Start the server, or correct the address.',
  ENOTFOUND: 'The host of this address does not exist. Correct the address.',
  EAI_AGAIN: 'The host of this address could not be looked up. Check the network of this machine.',
  UND_ERR_CONNECT_TIMEOUT: 'No connection was made within 10 seconds.',
  CERT_HAS_EXPIRED: 'The certificate of the server has expired.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate of the server is signed by nobody that is trusted.',
  SELF_SIGNED_CERT_IN_CHAIN: 'The certificate of the server is signed by nobody that is trusted.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'The certificate of the server is signed by nobody that is trusted.',
}
