import 'server-only'
import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe } from 'node:diagnostics_channel'
import { type IncomingMessage, type RequestListener, Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { senderIsKnown } from '@/lib/auth/authenticate-request'
import type { HeaderReader } from '@/lib/auth/client-address'
import { hasSecureCookies } from '@/lib/auth/session-cookie'
import { problem } from '@/lib/doors/http'
import { closedPolicy } from '@/lib/edge/closed-policy'
import {
  type BodyPieces,
  type GuardedRequest,
  setGuardedRequests,
} from '@/lib/edge/guarded-request'
import {
  bodyLimit,
  mostAddressBytes,
  mostAddressParts,
  mostCookies,
  queryLimit,
} from '@/lib/edge/request-limits'
import { describeError } from '@/lib/kernel/describe-error'
import { AppError, TooLargeError } from '@/lib/kernel/errors'
import { type Outage, outageStatuses, outageWords, retryAfterSeconds } from '@/lib/protocol/outage'
import { receiveBody } from './receive-body'
import { refusedAction } from './refused-action'

let isGuarding = false

type ReadRouterState = (header: string | string[] | undefined) => unknown

/** Time that a client that still sends has to read the refusal. */
const lingerMs = 1_000

/**
 * Puts a guard in front of every HTTP server of this process. A request reaches the framework only after its address
 * was decoded and its address, cookies and body are within the limits. The framework would read and parse all of them
 * before a route or an action is called. Call once, at boot. `readRouterState` is how the framework reads that header: it
 * throws for one that it cannot read.
 */
export function guardRequests(readRouterState: ReadRouterState): void {
  if (isGuarding) return
  isGuarding = true
  const guarded = new WeakSet<Server>()
  setGuardedRequests(requests)
  const guard = (server: unknown): void => {
    if (!(server instanceof Server) || guarded.has(server)) return
    guarded.add(server)
    guardServer(server, readRouterState)
  }
  // Announced before anything of the connection is read, with the server in a field that the types do not have.
  subscribe('net.server.socket', (message) => {
    guard((message as { socket: Socket & { server?: unknown } }).socket.server)
  })
  // For a connection that was open before.
  subscribe('http.server.request.start', (message) => guard((message as { server: Server }).server))
}

/**
 * Puts the guard in the place of the server's listeners, which it calls. The framework makes the server and offers no
 * earlier place (docs/decisions/013-bodies-are-received-before-the-framework-sees-them.md). Node announces a request on
 * the channel before the server emits it, so the guard also gets the request that it was found with.
 */
function guardServer(server: Server, readRouterState: ReadRouterState): void {
  const listeners = server.listeners('request') as RequestListener[]
  server.removeAllListeners('request')
  // Node hands a request for another protocol to these alone, and the framework reads its address. Without them it is an
  // ordinary request. Only the reload of the development server is such a protocol.
  if (process.env.NODE_ENV !== 'development') server.removeAllListeners('upgrade')
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (hasSecureCookies()) {
      response.setHeader('strict-transport-security', 'max-age=31536000')
    }
    admit(request, readRouterState)
      .then((body) => {
        if (!body) return
        requests.run(guarded(request, response, body), () => {
          for (const listener of listeners) listener.call(server, request, response)
        })
      })
      .catch((error: unknown) => refuse(request, response, error))
  })
}

const requests = new AsyncLocalStorage<GuardedRequest>()

type Writing = (...given: unknown[]) => ServerResponse

/** Returns where an outage is noted, whose status, words and time to wait replace those of an answer with 500. */
function guarded(
  request: IncomingMessage,
  response: ServerResponse,
  body: BodyPieces,
): GuardedRequest {
  const fail = (outage: Outage) => {
    const status = outageStatuses[outage]
    const writeHead = response.writeHead.bind(response) as Writing
    const write = (given: number, ...head: unknown[]) => {
      if (given !== 500) return writeHead(given, ...head)
      response.setHeader('retry-after', String(retryAfterSeconds[status]))
      return writeHead(status, ...head)
    }
    response.writeHead = write as ServerResponse['writeHead']
    putIntoHtml(request, response, outageWords[outage])
  }
  return { ...(body.length > 0 && { body }), fail }
}

/** Writes words at the beginning of the body of a page, for those who see no more of it than its text. */
function putIntoHtml(
  request: IncomingMessage,
  response: ServerResponse,
  { title, text }: { title: string; text: string },
): void {
  // The framework would compress the page before it comes here, and has counted its bytes.
  delete request.headers['accept-encoding']
  const words = `<noscript><h1>${title}</h1><p>${text}</p></noscript>`
  let isOpen = true
  const withWords = (piece: unknown): unknown => {
    const isText = typeof piece === 'string' || piece instanceof Uint8Array
    const isHtml = String(response.getHeader('content-type')).startsWith('text/html')
    if (!isOpen || !isText || !isHtml) return piece
    const page = Buffer.from(piece).toString()
    const changed = page.replace(/<body[^>]*>/, (body) => body + words)
    if (changed === page || (response.headersSent && response.hasHeader('content-length')))
      return piece
    if (!response.headersSent) response.removeHeader('content-length')
    isOpen = false
    return changed
  }
  const write = response.write.bind(response) as unknown as Writing
  const end = response.end.bind(response) as Writing
  response.write = ((piece: unknown, ...rest: unknown[]) =>
    write(withWords(piece), ...rest)) as unknown as ServerResponse['write']
  response.end = ((piece: unknown, ...rest: unknown[]) =>
    end(withWords(piece), ...rest)) as ServerResponse['end']
}

/** Returns what `receiveBody` does: null when the client went away. Throws AppError. */
async function admit(
  request: IncomingMessage,
  readRouterState: ReadRouterState,
): Promise<BodyPieces | null> {
  refuseLongAddress(request)
  const maxBytes = limitOf(pathOf(request), bodyLimit)
  const { 'content-length': declared = '0', 'transfer-encoding': encoding } = request.headers
  if (Number(declared) > maxBytes) throw new TooLargeError(maxBytes)
  refuseBrokenHeaders(request, readRouterState)
  if (declared === '0' && encoding === undefined) return []
  return receiveBody(request, {
    maxBytes,
    senderIsKnown: () => senderIsKnown(headersOf(request)),
  })
}

/** Counts on the text as it came, so that refusing an address costs next to nothing. */
function refuseLongAddress(request: IncomingMessage): void {
  const path = pathOf(request)
  const query = request.url?.slice(path.length + 1) ?? ''
  if (path.length > mostAddressBytes || partsOf(path, '/') > mostAddressParts) {
    throw tooLong('path', `${mostAddressParts} parts`, mostAddressBytes)
  }
  const most = limitOf(path, queryLimit)
  if (query.length > most || partsOf(query, '&') > mostAddressParts) {
    throw tooLong('query', `${mostAddressParts} fields`, most)
  }
}

function tooLong(what: string, parts: string, bytes: number): AppError {
  const message = `The ${what} of the address may have at most ${parts} and ${bytes / 1024} KiB. Shorten it, or leave out what is not needed.`
  return new AppError('address-too-long', 414, message)
}

/** Returns how many parts a text has between separators. */
function partsOf(text: string, separator: string): number {
  return text.split(separator, mostAddressParts * 10).length
}

/** Refuses what no client of the framework sends, and what the framework would answer with a stack trace in the log. */
function refuseBrokenHeaders({ headers }: IncomingMessage, readRouterState: ReadRouterState): void {
  const { 'next-router-state-tree': state, 'next-action': action, cookie = '' } = headers
  if (partsOf(cookie, ';') > mostCookies) {
    const cure = 'Delete cookies of this site in the browser, and try again.'
    throw new AppError('too-many-cookies', 431, `More than ${mostCookies} cookies came. ${cure}`)
  }
  try {
    refuseDeepState(state)
    readRouterState(state)
  } catch {
    throw new AppError('malformed-header', 400, 'The header Next-Router-State-Tree cannot be read.')
  }
  if (action === undefined || /^[0-9a-f]{42}$/.test(String(action))) return
  throw new AppError('unknown-action', 404, 'There is no such action. Reload the page.')
}

/** Throws for a router state with more segments than any page has. The framework reads nested ones in quadratic time. */
function refuseDeepState(header: string | string[] | undefined): void {
  if (header === undefined) return
  const open: unknown[] = [JSON.parse(decodeURIComponent(String(header)))]
  for (let segments = 0; open.length > 0; ) {
    const value = open.pop()
    if (Array.isArray(value)) segments += 1
    if (segments > mostAddressParts) throw new Error('This router state has too many segments.')
    if (typeof value === 'object' && value !== null) open.push(...Object.values(value))
  }
}

function limitOf(path: string, limit: (path: string) => number): number {
  try {
    return limit(path)
  } catch {
    throw new AppError('malformed-address', 400, 'The address has a % that encodes no character.')
  }
}

function pathOf({ url = '/' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? '/'
}

function headersOf({ headers }: IncomingMessage): HeaderReader {
  return {
    get: (name) => {
      const value = headers[name]
      return (Array.isArray(value) ? value.join(', ') : value) ?? null
    },
  }
}

/**
 * Answers in place of the framework and closes the connection. The rest of the body is read and dropped for a moment,
 * because the client would lose the answer of a connection that is closed at once.
 */
async function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  error: unknown,
): Promise<void> {
  const answer = refusal(request, error)
  const text = Buffer.from(await answer.text())
  const headers = Object.fromEntries(answer.headers)
  response.writeHead(answer.status, {
    ...headers,
    'content-length': text.length,
    'x-content-type-options': 'nosniff',
    'content-security-policy': closedPolicy,
    connection: 'close',
  })
  response.write(text)
  const close = () => response.end()
  const timer = setTimeout(close, lingerMs)
  request.once('close', () => clearTimeout(timer)).once('end', close)
  request.resume()
}

/**
 * Returns the answer. A client of the API reads problem details; the sender of an action reads the text of an
 * ActionError.
 */
function refusal(request: IncomingMessage, error: unknown): Response {
  if (request.headers['next-action'] !== undefined)
    return refusedAction(describeError(error, 'action'))
  const origin = 'http://localhost'
  const path = pathOf(request)
  return problem(error, new Request(URL.canParse(path, origin) ? new URL(path, origin) : origin))
}
