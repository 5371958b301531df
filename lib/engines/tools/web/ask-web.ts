import { ToolError } from '@/lib/protocol/tool'
import { hostNotListed, originsFor, parseWebAddress } from '@/lib/protocol/web-origin'
import type { WebAccess } from '../tool-resources'
import { Allowance } from './allowance'
import { HostBreaker } from './host-breaker'
import { webFailure } from './web-errors'
import { headBytes, type Reply, sendRequest, type Target } from './web-request'

const mebibyte = 1024 * 1024
export const mostBytes = 10 * mebibyte
const mostRedirects = 5
const longestMs = 15_000

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

/** Asks whether an address is there, without its content, of which a run pays as much as the head may have. Throws ToolError. */
export function headWeb(address: string, asker: Asker): Promise<WebAnswer> {
  return askWeb(address, asker, headBytes, async (target, allowance, limit) => {
    allowance.countAll()
    const head = await send(target, 'HEAD', null, limit)
    return head.status === 405 ? send(target, 'GET', null, limit) : head
  })
}

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

const headers = {
  accept: 'text/html, application/json, text/*;q=0.9, application/pdf;q=0.9, */*;q=0.1',
}

function send(
  target: Target,
  method: 'GET' | 'HEAD',
  allowance: Allowance | null,
  signal: AbortSignal,
): Promise<Reply> {
  return sendRequest(target, { method, headers }, allowance, signal)
}
