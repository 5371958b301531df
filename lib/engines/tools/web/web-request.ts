import { egressConnector } from '@/lib/engines/egress/egress-connector'
import { acceptedEncodings, readDecoded } from './read-decoded'

/** The largest head of an answer. */
export const headBytes = 32 * 1024
const connectMs = 10_000

export type Target = { url: URL; privateAllowed: boolean }

export type Question = {
  method: 'GET' | 'HEAD' | 'POST'
  headers: Readonly<Record<string, string>>
  body?: string
}

export type Reply = {
  status: number
  contentType: string | undefined
  content: Uint8Array<ArrayBuffer>
  /** Where it redirects to; null = it does not. */
  location: string | null
}

/** How many bytes may be read, and how many were. */
export type Meter = { most: number; read: number }

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/**
 * Sends one request, only to addresses that egress rules allow, and follows no redirect. Reads the content of an answer that
 * says that it worked, with its encoding undone, up to the meter. Throws what ends a request.
 */
export async function sendRequest(
  { url, privateAllowed }: Target,
  { method, headers: own, body: sent }: Question,
  meter: Meter,
  signal: AbortSignal,
): Promise<Reply> {
  // The whole package takes 50 ms to load, which only servers that read the web need.
  const { Agent } = await import('undici')
  const agent = new Agent({
    connect: egressConnector({ privateAllowed }, connectMs),
    maxHeaderSize: headBytes,
    pipelining: 0,
  })
  try {
    const answer = await agent.request({
      ...{ origin: url.origin, path: url.pathname + url.search, method, signal },
      headers: { 'user-agent': 'Toolgate', 'accept-encoding': acceptedEncodings, ...own },
      ...(sent !== undefined && { body: sent }),
    })
    const { statusCode: status, headers, body } = answer
    body.on('error', () => undefined)
    const location = redirects.has(status) ? only(headers.location) : undefined
    const isRead = meter.most > 0 && location === undefined && status >= 200 && status < 300
    const content = isRead
      ? await readDecoded(body, only(headers['content-encoding']) ?? '', meter)
      : new Uint8Array()
    return {
      status,
      contentType: only(headers['content-type']),
      content,
      location: location ?? null,
    }
  } finally {
    await agent.destroy().catch(() => undefined)
  }
}

/** Returns a header that may be there once; of several, none counts. */
function only(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? undefined : header
}
