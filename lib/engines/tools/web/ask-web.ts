import type { Dispatcher } from 'undici'
import { egressConnector } from '@/lib/engines/egress/egress-connector'
import { ToolError } from '@/lib/protocol/tool'
import { hostNotListed, originsFor, parseWebAddress } from '@/lib/protocol/web-origin'
import type { WebAccess } from '../tool-resources'
import { Allowance } from './allowance'
import { HostBreaker } from './host-breaker'
import { acceptedEncodings, readDecoded } from './read-decoded'
import { webFailure } from './web-errors'

const mebibyte = 1024 * 1024
export const mostBytes = 10 * mebibyte
/** The most of a head of an answer, and what a request without content takes of the bytes of a run. */
const headBytes = 32 * 1024
const mostRedirects = 5
const longestMs = 15_000
const connectMs = 10_000

/** Who asks: the run whose budget pays, what it may read, and what ends it. */
export type Asker = { runId: string; web: WebAccess; signal: AbortSignal; longestMs?: number }

export type WebAnswer = {
  /** Where the last redirect led. */
  address: string
  status: number
  contentType: string | undefined
  content: Uint8Array<ArrayBuffer>
}

const breaker = new HostBreaker()

/**
 * Reads an address, at most 10 MiB with its encoding undone, within 15 s in all. Each address, also those that redirects lead
 * to, has to be of a listed host and is paid from the run's budget. Throws ToolError.
 */
export function readWeb(address: string, asker: Asker): Promise<WebAnswer> {
  return askWeb(address, asker, mostBytes, (target, allowance, limit) =>
    send(target, 'GET', allowance, limit),
  )
}

/** Asks whether an address is there, without its content. Throws ToolError. */
export function headWeb(address: string, asker: Asker): Promise<WebAnswer> {
  return askWeb(address, asker, headBytes, async (target, allowance, limit) => {
    allowance.countAll()
    const head = await send(target, 'HEAD', null, limit)
    return head.status === 405 ? send(target, 'GET', null, limit) : head
  })
}

type Target = { url: URL; privateAllowed: boolean }
type Reply = Omit<WebAnswer, 'address'> & { location: string | null }
type Send = (target: Target, allowance: Allowance, limit: AbortSignal) => Promise<Reply>

async function askWeb(address: string, asker: Asker, most: number, ask: Send): Promise<WebAnswer> {
  const limit = AbortSignal.timeout(asker.longestMs ?? longestMs)
  const { runId, web } = asker
  let url = addressOf(address)
  let privateAllowed = await requireListed(url, web, notListed)
  const allowance = new Allowance(web, runId, most)
  await allowance.begin(url.host)
  try {
    for (let redirects = 0; ; redirects++) {
      const { location, ...reply } = await guarded(
        { url, privateAllowed },
        asker,
        limit,
        (target, signal) => ask(target, allowance, signal),
      )
      if (location === null) return { ...reply, address: url.href }
      if (redirects === mostRedirects) throw redirected('more than 5 times')
      url = nextAddress(location, url)
      privateAllowed = await requireListed(url, web, redirected('to a host that is not listed'))
      await allowance.begin(url.host)
    }
  } finally {
    await allowance.end()
  }
}

const notListed = new ToolError(
  hostNotListed,
  'Its host is not listed, so tools may not read it. Ask for an address of a listed host, or tell the user that an admin can list it.',
)

function addressOf(text: string): URL {
  const parsed = parseWebAddress(text)
  if ('url' in parsed) return parsed.url
  throw new ToolError('invalid-address', `This address cannot be used. ${parsed.refusal}`)
}

function nextAddress(location: string, from: URL): URL {
  const parsed = URL.canParse(location, from.href)
    ? parseWebAddress(new URL(location, from.href).href)
    : null
  if (parsed && 'url' in parsed) return parsed.url
  throw redirected('to an address that cannot be used')
}

function redirected(how: string): ToolError {
  return new ToolError('redirected', `This address redirects ${how}. Ask for another one.`)
}

async function requireListed(url: URL, web: WebAccess, refusal: ToolError): Promise<boolean> {
  const host = await web.findHost(originsFor(url))
  if (host) return host.privateAddressAllowed
  throw refusal
}

/** Sends a request unless its host failed too often, and notes how it went. Throws ToolError, or what ended the run. */
async function guarded(
  target: Target,
  { signal }: Asker,
  limit: AbortSignal,
  ask: (target: Target, signal: AbortSignal) => Promise<Reply>,
): Promise<Reply> {
  const { host } = target.url
  const leftMs = breaker.leftMs(host)
  if (leftMs > 0) {
    const words = `This host failed 5 times in a row. It is asked again in ${Math.ceil(leftMs / 1_000)} seconds.`
    throw new ToolError('host-failing', words)
  }
  try {
    const reply = await ask(target, AbortSignal.any([signal, limit]))
    if (reply.status >= 500) breaker.failed(host)
    else breaker.answered(host)
    return reply
  } catch (error) {
    signal.throwIfAborted()
    const failure = webFailure(error, limit)
    if (failure?.isOfHost) breaker.failed(host)
    throw failure?.error ?? error
  }
}

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

async function send(
  { url, privateAllowed }: Target,
  method: 'GET' | 'HEAD',
  allowance: Allowance | null,
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
      headers: {
        'user-agent': 'Toolgate',
        accept: 'text/html, application/json, text/*;q=0.9, application/pdf;q=0.9, */*;q=0.1',
        'accept-encoding': acceptedEncodings,
      },
    })
    const { statusCode: status, headers, body } = answer
    body.on('error', () => undefined)
    const location = redirects.has(status) ? only(headers.location) : undefined
    const isRead = allowance && location === undefined && status >= 200 && status < 300
    const content = isRead ? await contentOf(answer, allowance) : new Uint8Array()
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

/** Reads the content of an answer. Of what says that it is too long, nothing is read. */
async function contentOf(
  { headers, body }: Dispatcher.ResponseData,
  allowance: Allowance,
): Promise<Uint8Array<ArrayBuffer>> {
  const length = Number(only(headers['content-length']) ?? 0)
  if (length > 0) await allowance.expect(length)
  const encoding = only(headers['content-encoding']) ?? ''
  return readDecoded(body, encoding, (read) => allowance.count(read))
}

/** Returns a header that may be there once; of several, none counts. */
function only(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? undefined : header
}
