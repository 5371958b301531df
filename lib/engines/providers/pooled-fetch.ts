import { Readable } from 'node:stream'
import { Agent, type Dispatcher } from 'undici'
import { egressConnector } from '@/lib/engines/egress/egress-connector'
import { defaultTimeouts, type ProviderOptions } from './provider'
import { HttpFailure, TransportFailure } from './provider-error'

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
  'timeouts' | 'headers' | 'privateAddressAllowed' | 'onHeaders'
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
 * Returns a `fetch` for the official SDKs over undici's pooled `request`: no web streams, no redirects (a key never
 * reaches another host), no proxy from the environment, and only addresses that the connection may reach. Every request
 * has the connection's own headers. Anything but 2xx throws `HttpFailure`, a broken connection throws
 * `TransportFailure`. It has only the parts of a `Response` that the adapters read.
 */
export function pooledFetch(options: PoolOptions) {
  const agent = agentFor(options)
  const pairsOf = headersWith(ownHeaders(options.headers))
  return async (input: string | URL | Request, init: FetchInit = {}): Promise<Response> => {
    const url = new URL(input instanceof Request ? input.url : input)
    const answer = await send(agent, url, init, pairsOf(init.headers))
    options.onHeaders?.(flatHeaders(answer))
    if (answer.statusCode < 200 || answer.statusCode > 299) throw await readFailure(answer)
    return asResponse(url, answer)
  }
}

/** Connections are shared by those that would open the same ones; an open one is not checked again. */
function agentFor({ timeouts, privateAddressAllowed: privateAllowed }: PoolOptions): Agent {
  const { connectMs, firstByteMs, idleMs } = { ...defaultTimeouts, ...timeouts }
  const key = `${privateAllowed}/${connectMs}/${firstByteMs}/${idleMs}`
  const known = agents.get(key)
  if (known) return known
  const agent = new Agent({
    connect: egressConnector({ privateAllowed }, connectMs),
    headersTimeout: firstByteMs,
    bodyTimeout: idleMs,
  })
  agents.set(key, agent)
  return agent
}

async function send(
  agent: Agent,
  url: URL,
  init: FetchInit,
  headers: Record<string, string>,
): Promise<Dispatcher.ResponseData> {
  try {
    const answer = await agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: init.method?.toUpperCase() === 'GET' ? 'GET' : 'POST',
      headers,
      body: bodyBytes(init.body),
      signal: init.signal ?? null,
    })
    // Whoever reads the body gets its errors; a body given up by us must not raise one that nobody handles.
    answer.body.on('error', () => {})
    return answer
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

async function readFailure(answer: Dispatcher.ResponseData): Promise<HttpFailure> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of answer.body) {
      chunks.push(chunk)
      size += chunk.length
      if (size >= errorBodyBytes) break
    }
  } catch {
    // The status alone says what happened; a body that breaks off adds nothing.
  }
  const text = Buffer.concat(chunks).subarray(0, errorBodyBytes).toString('utf8')
  return new HttpFailure(answer.statusCode, flatHeaders(answer), text)
}

function flatHeaders(answer: Dispatcher.ResponseData): Record<string, string> {
  const flat: Record<string, string> = {}
  for (const [name, value] of Object.entries(answer.headers)) {
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(', ') : value
  }
  return flat
}

/**
 * Returns the answer as the SDKs read it: `ok`, `status`, `headers`, `url` and `body`. A real Response would copy the
 * body through web streams.
 */
function asResponse(url: URL, answer: Dispatcher.ResponseData): Response {
  let headers: Headers | undefined
  const response = {
    ok: true,
    status: answer.statusCode,
    statusText: '',
    url: url.href,
    get headers() {
      headers ??= new Headers(flatHeaders(answer))
      return headers
    },
    contentType: String(answer.headers['content-type'] ?? ''),
    body: answer.body,
    text: () => answer.body.text(),
    json: () => answer.body.json(),
  }
  return response as unknown as Response
}

/** Returns the content type of an answer of `pooledFetch`, '' when it has none, without reading its other headers. */
export function contentTypeOf(response: Response): string {
  return 'contentType' in response ? String(response.contentType) : ''
}

/** The body of an answer of `pooledFetch`, as the bytes arrive; `destroy` gives up its connection. */
export type ByteStream = AsyncIterable<Uint8Array> & { destroy: () => void }

export function responseBytes(response: Response): ByteStream {
  const body: unknown = response.body
  if (!(body instanceof Readable)) throw new TypeError('The answer is not one of pooledFetch.')
  return { [Symbol.asyncIterator]: () => piecesOf(body), destroy: () => void body.destroy() }
}

/** Yields the same as Node's own iterator, which takes several times as long for a body of a few pieces. */
function piecesOf(body: Readable): AsyncIterator<Uint8Array> {
  let wake: (() => void) | null = null
  const goOn = (): void => wake?.()
  for (const event of ['readable', 'end', 'error', 'close']) body.on(event, goOn)
  return {
    next: async () => {
      for (;;) {
        const piece: Uint8Array | null = body.destroyed ? null : body.read()
        if (piece !== null) return { done: false, value: piece }
        if (body.readableEnded) return { done: true, value: undefined }
        if (body.destroyed) throw body.errored ?? new Error('The body was closed before its end.')
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
