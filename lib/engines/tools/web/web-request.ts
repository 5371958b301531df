import type { Socket } from 'node:net'
import type { Dispatcher } from 'undici'
import { egressConnector } from '@/lib/engines/egress/egress-connector'
import { acceptedEncodings, readDecoded, TooLongError } from './read-decoded'

/** The largest head of an answer. */
export const headBytes = 32 * 1024
const connectMs = 10_000
/**
 * Unread bytes of a body that are buffered, more than any body that is read whole: undici 7 throws an error that cannot
 * be caught when a connection ends while it waits for a slow reader.
 */
const waitingBytes = 16 * 1024 * 1024

export type Target = { url: URL; privateAllowed: boolean }

export type Question = {
  method: 'GET' | 'HEAD' | 'POST'
  headers: Readonly<Record<string, string>>
  body?: string
  /** True = content that is packed with gzip itself, as sitemaps are, is unpacked, too. */
  unpacks?: boolean
}

export type Reply = {
  status: number
  contentType: string | undefined
  content: Uint8Array<ArrayBuffer>
  /** Target of a redirect; null: none. */
  location: string | null
}

/**
 * Asked for room before content is read: once for the stated length, then with each piece for the total so far. An
 * error that it throws ends the reading.
 */
export type Meter = {
  expect: (length: number) => Promise<void>
  count: (read: number) => Promise<void>
}

/** Returns a meter that lets so many bytes through, for what no run pays. */
export function upTo(most: number): Meter {
  const check = async (length: number) => {
    if (length > most) throw new TooLongError(most)
  }
  return { expect: check, count: check }
}

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/**
 * Sends one request, only to addresses that egress rules allow, and follows no redirect. Reads the content of an answer that
 * says that it worked, with its encoding undone; without a meter, of none. Throws what ends a request.
 */
export function sendRequest(
  target: Target,
  question: Question,
  meter: Meter | null,
  signal: AbortSignal,
): Promise<Reply> {
  return withAnswer(target, question, signal, async (answer) => {
    const { statusCode: status, headers } = answer
    const location = locationOf(answer)
    const isRead = meter && location === null && status >= 200 && status < 300
    const content = isRead ? await contentOf(answer, meter, question) : new Uint8Array()
    return { status, contentType: only(headers['content-type']), content, location }
  })
}

/**
 * Sends one request as `sendRequest` does, and returns what `read` makes of the answer, whose connection ends then. `connected` is
 * told the connection before anything is sent.
 */
export async function withAnswer<T>(
  { url, privateAllowed }: Target,
  { method, headers: own, body: sent }: Question,
  signal: AbortSignal,
  read: (answer: Dispatcher.ResponseData) => Promise<T>,
  connected: (socket: Socket) => void = () => undefined,
): Promise<T> {
  // The whole package takes 50 ms to load, which only servers that read the web need.
  const { Agent } = await import('undici')
  const connect = egressConnector({ privateAllowed }, connectMs)
  const agent = new Agent({
    connect: (options, callback) =>
      connect(options, (...[error, socket]) => {
        if (error !== null) return callback(error, null)
        connected(socket)
        callback(null, socket)
      }),
    maxHeaderSize: headBytes,
    pipelining: 0,
  })
  try {
    const answer = await agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method,
      signal,
      highWaterMark: waitingBytes,
      headers: { 'user-agent': 'Toolgate', 'accept-encoding': acceptedEncodings, ...own },
      ...(sent !== undefined && { body: sent }),
    })
    answer.body.on('error', () => undefined)
    return await read(answer)
  } finally {
    await agent.destroy().catch(() => undefined)
  }
}

/** Returns where an answer redirects to; null = it does not. */
export function locationOf({ statusCode, headers }: Dispatcher.ResponseData): string | null {
  return redirects.has(statusCode) ? (only(headers.location) ?? null) : null
}

/** Reads the content of an answer. Of what says that it is too long, nothing is read. */
async function contentOf(
  { headers, body }: Dispatcher.ResponseData,
  meter: Meter,
  { unpacks = false }: Question,
): Promise<Uint8Array<ArrayBuffer>> {
  const length = Number(only(headers['content-length']) ?? 0)
  if (length > 0) await meter.expect(length)
  const encoding = only(headers['content-encoding']) ?? ''
  return readDecoded(body, { encoding, unpacks }, (read) => meter.count(read))
}

/** Returns a header that may be there once; of several, none counts. */
export function only(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? undefined : header
}
