import { setTimeout as sleep } from 'node:timers/promises'
import type {
  FetchLike,
  JSONRPCErrorResponse,
  JSONRPCMessage,
  RequestId,
} from '@modelcontextprotocol/client'
import { Agent, fetch } from 'undici'
import { EgressError, egressConnector } from '@/lib/engines/egress/egress-connector'
import { readChallenge } from '@/lib/engines/mcp/sign-in/challenge'
import { signInError, unreadable } from '@/lib/engines/mcp/to-server-error'
import { type EndRequest, textOfError } from './guarded-transport'
import { answeredBy, mapEvents, readMessage } from './incoming-message'
import { limitedBody, trafficLimit } from './message-limits'
import { type ServerAddress, ServerError } from './server-address'

export type HttpAddress = Extract<ServerAddress, { type: 'http' | 'sse' }>

const connectMs = 10_000
/** A server that streams may be silent for a long time between messages. */
const silenceMs = 10 * 60_000
/** Minimum time between two requests for a stream: a server may end each one at once. */
const betweenStreamsMs = 1_000

/**
 * Returns a `fetch` for one server: it goes only to addresses that the server may have, also after redirects, sends the
 * server's own headers to the server's own origin alone, and limits what the server sends: `onError` is told when it sends
 * more, and `endRequest` of a request without a usable answer. `unreached` says why the last request got no answer, which not every transport passes on. `close` ends its
 * connections.
 */
export function serverFetch(
  { type, url, headers, privateAddressAllowed: privateAllowed, token }: HttpAddress,
  onError: (error: ServerError) => void,
  endRequest: EndRequest,
) {
  const { origin } = new URL(url)
  const agent = new Agent({
    connect: egressConnector({ privateAllowed }, connectMs),
    headersTimeout: silenceMs,
    bodyTimeout: silenceMs,
  })
  const limits = { count: trafficLimit(), onError }
  let streamsFrom = 0
  const turnOfStream = async (signal: AbortSignal | null) => {
    const waitMs = Math.max(0, streamsFrom - Date.now())
    streamsFrom = Date.now() + waitMs + betweenStreamsMs
    if (waitMs > 0) await sleep(waitMs, undefined, { ref: false, ...(signal && { signal }) })
  }
  let unreached: ServerError | null = null
  /** True once the older transport, whose session stands in the address, has sent a message. */
  let isBegun = false
  const send: FetchLike = async (input, init = {}) => {
    const target = new URL(input)
    const own = target.origin === origin ? headers : {}
    const sent = new Headers(init.headers)
    for (const [name, value] of Object.entries(own)) sent.set(name, value)
    sent.set('user-agent', 'Toolgate')
    // The account is what the gate asked about, so no header of the site takes its place.
    const usesAccount = token !== undefined && target.origin === origin
    const bearer = usesAccount ? await token() : null
    if (bearer !== null) sent.set('authorization', `Bearer ${bearer}`)
    const { method = 'GET', body = null, signal = null, redirect = 'manual' } = init
    if (body !== null && typeof body !== 'string') throw new TypeError('A message is text.')
    if (method === 'GET') await turnOfStream(signal)
    unreached = null
    const answer = await fetch(target, {
      method,
      body,
      signal,
      redirect: redirect === 'follow' ? 'manual' : redirect,
      headers: Object.fromEntries(sent),
      dispatcher: agent,
    }).catch((error: unknown) => {
      unreached = reachError(error)
      throw unreached ?? error
    })
    const inSession = method === 'POST' && (isBegun || sent.has('mcp-session-id'))
    const accountError = accountErrorOf(answer, {
      inSession,
      usesAccount,
      hasToken: bearer !== null,
    })
    if (accountError) {
      await answer.body?.cancel()
      unreached = accountError
      throw accountError
    }
    // The older transport answers on its one stream.
    const request = type === 'http' && body !== null ? requestIn(body) : null
    const reading = { ...limits, id: request?.id ?? null, endRequest }
    const refusal = request?.isOfTool === true ? await readRefusal(answer, reading) : null
    const sessionError = inSession ? sessionErrorOf(answer.status, refusal?.error) : null
    if (sessionError) {
      if (!answer.bodyUsed) await answer.body?.cancel()
      throw sessionError
    }
    if (refusal) return refusal.answer
    isBegun ||= type === 'sse' && method === 'POST' && answer.ok
    return limited(answer, reading)
  }
  return { send, unreached: () => unreached, close: () => agent.destroy().catch(() => undefined) }
}

/**
 * Returns the error for a session that a server may have lost, because it was started again. MCP (Streamable HTTP, session
 * management): a server answers 404 to what it does not do for a session that ended. RFC 9110, section 15.5.2: what is
 * answered with 401 was not applied. 400 is also the answer to other faults of a request.
 */
function sessionErrorOf(status: number, said: RefusalError | undefined): ServerError | null {
  if (status === 404 || status === 401) {
    const words = `The server does not accept the session any more (${status}), so the call did not run.`
    return new ServerError('session-ended', words)
  }
  if (status !== 400 || ofRequests.has(said?.code ?? 0)) return null
  const words =
    'The server refused the request (400). It may have been started again: the next call begins a new session.'
  return new ServerError('session-doubted', words, '', said ? textOfError(said) : '')
}

/**
 * Returns the error for an answer that asks for a token, or for one with more scopes; null: it asks for neither, or only says that
 * the session ended. In a session, 401 counts as a sign-in only where an account is used and the server names what it wants.
 */
function accountErrorOf(
  { status, headers }: Answer,
  {
    inSession,
    usesAccount,
    hasToken,
  }: { inSession: boolean; usesAccount: boolean; hasToken: boolean },
): ServerError | null {
  if (status !== 401 && status !== 403) return null
  const challenge = readChallenge(headers)
  if (challenge?.error === 'insufficient_scope') {
    const words = 'The server refused the request: the account was not given the scopes for it.'
    return new ServerError('scope', words, '', '', challenge)
  }
  if (status === 403 || (inSession && !(usesAccount && challenge))) return null
  return signInError(challenge, hasToken)
}

/** Error codes of JSON-RPC that are about the request, whatever the session is: unknown method, wrong parameters. */
const ofRequests: ReadonlySet<number> = new Set([-32601, -32602])

type RefusalError = JSONRPCErrorResponse['error']

type Answer = Awaited<ReturnType<typeof fetch>>

type Reading = Omit<Parameters<typeof limitedBody>[1], 'isEventStream'> & {
  /** The request that the answer is for; null = it may have messages of all kinds. */
  id: RequestId | null
  endRequest: EndRequest
}

function requestIn(body: string): { id: RequestId; isOfTool: boolean } | null {
  const read = readMessage(body)
  if (read.type !== 'message' || !('method' in read.message) || !('id' in read.message)) return null
  const { id, method } = read.message
  return { id, isOfTool: method.startsWith('tools/') }
}

/** An answer of HTTP that failed: as the client is to read it, and the error of the protocol that it has. */
type Refusal = { answer: Response; error?: RefusalError }

/**
 * Reads the error of the protocol that stands in an answer of HTTP that failed, so that its reason is not lost. A sign-in that is
 * asked for stays one. Null = there is nothing to read.
 */
async function readRefusal(answer: Answer, reading: Reading): Promise<Refusal | null> {
  const { ok, body, status, statusText, headers } = answer
  const isJson = headers.get('content-type')?.includes('application/json') ?? false
  if (ok || status === 401 || !body || !isJson) return null
  const parts: Uint8Array[] = []
  for await (const part of limitedBody(unbroken(body), { ...reading, isEventStream: false }))
    parts.push(part)
  const bytes = Buffer.concat(parts)
  const read = readMessage(bytes.toString('utf8'))
  if (read.type !== 'message' || !('error' in read.message)) {
    return {
      answer: new Response(bytes, { status, statusText, headers: Object.fromEntries(headers) }),
    }
  }
  const { error } = read.message
  const message = { jsonrpc: '2.0', id: reading.id, error }
  return { answer: Response.json(message), error }
}

/** Returns the answer with the limits of messages, and its messages without the nulls that mean absent. */
function limited({ ok, body, status, statusText, headers }: Answer, reading: Reading): Response {
  const type = headers.get('content-type') ?? ''
  const isEventStream = type.includes('text/event-stream')
  const facts = { status, statusText, headers: Object.fromEntries(headers) }
  if (!body) return new Response(null, facts)
  const content = limitedBody(isEventStream ? body : unbroken(body), { ...reading, isEventStream })
  if (!ok) return new Response(content, facts)
  if (isEventStream) return new Response(streamOf(readEvents(content, reading)), facts)
  const isMessage = type.includes('application/json') && reading.id !== null
  return new Response(isMessage ? streamOf(readAnswer(content, reading)) : content, facts)
}

function streamOf(parts: AsyncGenerator<Uint8Array, void>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await parts.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: async () => void (await parts.return()),
  })
}

async function* readEvents(content: AsyncIterable<Uint8Array>, { id, endRequest }: Reading) {
  let isAnswered = false
  let isResumable = false
  const read = (data: string): string | null => {
    const found = readMessage(data)
    if (found.type === 'message') {
      const message = withId(found.message, id)
      if (isAnswerTo(message, id)) isAnswered = true
      return JSON.stringify(message)
    }
    if (found.type === 'text') return data
    isAnswered = true
    endRequest(found.id ?? id, unreadable())
    return null
  }
  try {
    for await (const events of content) {
      const bytes = Buffer.from(events.buffer, events.byteOffset, events.length)
      isResumable ||= bytes.includes('\nid:') || bytes.indexOf('id:') === 0
      yield bytes.includes('data') ? Buffer.from(mapEvents(bytes.toString('utf8'), read)) : events
    }
  } finally {
    if (id !== null && !isAnswered && !isResumable) endRequest(id, unanswered())
  }
}

/** Reads an answer that is one message. Passes on what is none, which its reader refuses. */
async function* readAnswer(
  content: AsyncIterable<Uint8Array>,
  { id, endRequest }: Reading,
): AsyncGenerator<Uint8Array, void> {
  const parts: Uint8Array[] = []
  for await (const part of content) parts.push(part)
  const bytes = Buffer.concat(parts)
  const read = readMessage(bytes.toString('utf8'))
  if (read.type !== 'message') return void (yield bytes)
  const message = withId(read.message, id)
  if (!isAnswerTo(message, id)) endRequest(id, unanswered())
  yield Buffer.from(JSON.stringify(message))
}

/** Adds the request that a message came for, when the message is an answer that does not say to which. */
function withId(message: JSONRPCMessage, id: RequestId | null): JSONRPCMessage {
  return id !== null && answeredBy(message) === null ? { ...message, id } : message
}

function isAnswerTo(message: JSONRPCMessage, id: RequestId | null): boolean {
  return id !== null && String(answeredBy(message)) === String(id)
}

function unanswered(): ServerError {
  return new ServerError('ended', 'The server ended its answer without a result.')
}

/** Passes on the bytes of one message. Throws ServerError when it breaks off; a stream that does may be asked for again. */
async function* unbroken(body: AsyncIterable<Uint8Array>) {
  try {
    yield* body
  } catch (error) {
    throw reachError(error) ?? error
  }
}

/** Returns why an address could not be reached, in words and without the address; null = it is none of the known reasons. */
function reachError(error: unknown): ServerError | null {
  const cause = error instanceof Error && error.cause ? error.cause : error
  if (cause instanceof EgressError) return new ServerError('refused', cause.message)
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  if (brokenOff.has(code)) {
    return new ServerError('ended', 'The server broke the connection off.')
  }
  const words = reachWords[code]
  return words === undefined ? null : new ServerError('unreachable', words)
}

/** Errors after which the request may have arrived. */
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
