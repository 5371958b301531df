import { Agent, egressConnector } from '@/lib/engines/egress/egress-connector'
import { HttpFailure, TransportFailure } from '@/lib/engines/providers/failures/provider-error'
import { defaultTimeouts, type ProviderOptions } from '@/lib/engines/providers/provider'
import { AnswerBody, type AnswerHead } from './answer-body'

/** The most of an error body that is read; it is kept for the server log only. */
const errorBodyBytes = 32 * 1024

type FetchInit = {
  method?: string
  headers?: unknown
  body?: unknown
  signal?: AbortSignal | null
}

type PoolOptions = Pick<
  ProviderOptions,
  | 'timeouts'
  | 'headers'
  | 'privateAddressAllowed'
  | 'publicAddressRefused'
  | 'onHeaders'
  | 'insteadOfSending'
>

/** Headers that belong to the message itself. */
const notOurs = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

const agents = new Map<string, Agent>()

/**
 * Returns a `fetch` for the official SDKs over undici's pooled connections: no streams of Node or the web, no redirects (a key never
 * reaches another host), no proxy from the environment, and only addresses that the connection may reach. Every request
 * has the connection's own headers. Anything but 2xx throws `HttpFailure`, a broken connection throws
 * `TransportFailure`. It has only the parts of a `Response` that the adapters read.
 */
export function pooledFetch(options: PoolOptions) {
  const agent = agentFor(options)
  const pairsOf = headersWith(ownHeaders(options.headers))
  const placeOf = lastPlace()
  return async (input: string | URL | Request, init: FetchInit = {}): Promise<Response> => {
    const place = placeOf(input instanceof Request ? input.url : String(input))
    if (options.insteadOfSending) {
      const body = Buffer.from(bodyBytes(init.body) ?? '').toString()
      options.insteadOfSending({ url: place.href, headers: { ...pairsOf(init.headers) }, body })
      throw new Error('Nothing is sent.')
    }
    const body = new AnswerBody(init.signal ?? null)
    const head = await send(agent, place, body, init, pairsOf(init.headers))
    options.onHeaders?.(flatHeaders(head))
    if (head.status < 200 || head.status > 299) throw await readFailure(head, body)
    return asResponse(place, head, body)
  }
}

type Place = { href: string; origin: string; path: string }

/** Returns a function that takes an address apart, and keeps the last one: a wire asks the same again and again. */
function lastPlace(): (address: string) => Place {
  let address = ''
  let place: Place | null = null
  return (request) => {
    if (place && request === address) return place
    const { href, origin, pathname, search } = new URL(request)
    address = request
    place = { href, origin, path: pathname + search }
    return place
  }
}

/**
 * Returns the agent for these options. Its connections are shared by those that would open the same ones; an open one is
 * not checked again.
 */
function agentFor({
  timeouts,
  privateAddressAllowed: privateAllowed,
  publicAddressRefused: publicRefused,
}: PoolOptions): Agent {
  const { connectMs, firstByteMs, idleMs } = { ...defaultTimeouts, ...timeouts }
  const key = `${privateAllowed}/${publicRefused}/${connectMs}/${firstByteMs}/${idleMs}`
  const known = agents.get(key)
  if (known) return known
  const agent = new Agent({
    connect: egressConnector({ privateAllowed, publicRefused }, connectMs),
    headersTimeout: firstByteMs,
    bodyTimeout: idleMs,
  })
  agents.set(key, agent)
  return agent
}

async function send(
  agent: Agent,
  { origin, path }: Place,
  body: AnswerBody,
  init: FetchInit,
  headers: Record<string, string>,
): Promise<AnswerHead> {
  const method = init.method?.toUpperCase() === 'GET' ? 'GET' : 'POST'
  const content = bodyBytes(init.body)
  try {
    agent.dispatch({ origin, path, method, headers, body: content }, body)
    return await body.head
  } catch (error) {
    throw new TransportFailure(error)
  }
}

function ownHeaders(headers: Record<string, string>): Record<string, string> {
  const pairs = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const)
  return Object.fromEntries(pairs.filter(([name]) => !notOurs.has(name)))
}

/** Returns a function that adds the connection's headers to those of a caller, once per frozen object. */
function headersWith(own: Record<string, string>) {
  const known = new WeakMap<object, Record<string, string>>()
  return (headers: unknown): Record<string, string> => {
    const key = isRecord(headers) && Object.isFrozen(headers) ? headers : {}
    const pairs = known.get(key) ?? { ...headerPairs(headers), ...own }
    known.set(key, pairs)
    return pairs
  }
}

/** Returns the headers as pairs, without an accepted encoding, because undici decodes none. */
function headerPairs(headers: unknown): Record<string, string> {
  const pairs: Record<string, string> = {}
  if (headers instanceof Headers) for (const [name, value] of headers) pairs[name] = value
  else if (isRecord(headers)) {
    for (const [name, value] of Object.entries(headers)) pairs[name.toLowerCase()] = String(value)
  }
  pairs['accept-encoding'] = 'identity'
  return pairs
}

function bodyBytes(body: unknown): string | Uint8Array | null {
  if (body === undefined || body === null) return null
  if (typeof body === 'string' || body instanceof Uint8Array) return body
  throw new TypeError('A provider request has a body that is neither text nor bytes.')
}

async function readFailure(head: AnswerHead, body: AnswerBody): Promise<HttpFailure> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of body) {
      chunks.push(chunk)
      size += chunk.length
      if (size >= errorBodyBytes) break
    }
  } catch {
    // The status alone says what happened; a body that breaks off adds nothing.
  }
  const text = Buffer.concat(chunks).subarray(0, errorBodyBytes).toString('utf8')
  return new HttpFailure(head.status, flatHeaders(head), text)
}

function flatHeaders({ headers }: AnswerHead): Record<string, string> {
  const flat: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(', ') : value
  }
  return flat
}

/**
 * Returns the answer as the SDKs read it: `ok`, `status`, `headers`, `url` and `body`. A real Response would copy the
 * body through web streams.
 */
function asResponse({ href }: Place, head: AnswerHead, body: AnswerBody): Response {
  let headers: Headers | undefined
  const response = {
    ok: true,
    status: head.status,
    statusText: '',
    url: href,
    get headers() {
      headers ??= new Headers(flatHeaders(head))
      return headers
    },
    contentType: String(head.headers['content-type'] ?? ''),
    body,
    text: () => body.text(),
    json: async () => JSON.parse(await body.text()),
  }
  return response as unknown as Response
}

/** Returns the content type of an answer of `pooledFetch`, '' when it has none, without reading its other headers. */
export function contentTypeOf(response: Response): string {
  return 'contentType' in response ? String(response.contentType) : ''
}

/** Returns the body of an answer of `pooledFetch`, as the bytes arrive. */
export function responseBytes(response: Response): AnswerBody {
  const body: unknown = response.body
  if (!(body instanceof AnswerBody)) throw new TypeError('The answer is not one of pooledFetch.')
  return body
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
