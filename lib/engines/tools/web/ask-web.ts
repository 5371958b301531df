import { hostNotListed, originsFor, parseWebAddress } from '@/lib/domains/hosts/shared/web-origin'
import { ToolError } from '@/lib/protocol/tool'
import type { WebAccess } from '../tool-resources'
import { Allowance } from './allowance'
import { HostBreaker } from './host-breaker'
import { startTimeLimit, type TimeLimit, webFailure } from './web-errors'
import { headBytes, type Reply, sendRequest, type Target } from './web-request'

const mebibyte = 1024 * 1024
export const mostBytes = 10 * mebibyte
const maxRedirects = 5
const longestMs = 15_000

/** Which addresses may be asked. */
export type Reach = {
  /** Null = it may not. */
  find: (url: URL) => Promise<{ privateAddressAllowed: boolean } | null>
  /** Error for an address that may not be requested. */
  refusal: ToolError
  /** Description of such an address when a redirect leads to it: "to a host that is not listed". */
  beyond: string
}

/** The run whose budget pays, its person, its signal, and the addresses it may request; left out: the listed hosts. */
export type Asker = {
  runId: string
  /** The id of the person. */
  person: string
  web: WebAccess
  signal: AbortSignal
  longestMs?: number
  reach?: Reach
}

export type WebAnswer = {
  /** Address of the last redirect. */
  address: string
  status: number
  contentType: string | undefined
  content: Uint8Array<ArrayBuffer>
}

const breaker = new HostBreaker()

/** Maximum bytes (10 MiB by default), and whether content that is itself a gzip file is unpacked. */
type Reading = { most?: number; unpacks?: boolean }

/**
 * Reads an address with its encoding undone, within 15 s in all. Each address, also those that redirects lead
 * to, has to be within reach and is paid from the run's budget. Throws ToolError.
 */
export function readWeb(
  address: string,
  asker: Asker,
  { most = mostBytes, unpacks = false }: Reading = {},
): Promise<WebAnswer> {
  return askWeb(address, asker, most, (target, allowance, limit) =>
    sendRequest(target, { method: 'GET', headers, unpacks }, allowance, limit),
  )
}

/** Asks whether an address is there, without its content, of which a run pays as much as the head may have. Throws ToolError. */
export function headWeb(address: string, asker: Asker): Promise<WebAnswer> {
  return askWeb(address, asker, headBytes, async (target, allowance, limit) => {
    allowance.countAll()
    const head = await sendRequest(target, { method: 'HEAD', headers }, null, limit)
    return head.status === 405 ? sendRequest(target, { method: 'GET', headers }, null, limit) : head
  })
}

/** Parts of an answer that every kind of request needs. */
type Answered = Pick<Reply, 'status' | 'location'>
type Send<R> = (target: Target, allowance: Allowance, limit: AbortSignal) => Promise<R>

/**
 * Asks an address within reach, and those that it redirects to, within 15 s in all. The run pays at most `most` bytes. Throws
 * ToolError.
 */
export async function askWeb<R extends Answered>(
  address: string,
  asker: Asker,
  most: number,
  ask: Send<R>,
): Promise<Omit<R, 'location'> & { address: string }> {
  const limit = startTimeLimit(asker.longestMs ?? longestMs)
  const { runId, web, reach = listedHosts(web) } = asker
  let url = addressOf(address)
  let privateAllowed = await requireReach(url, reach, reach.refusal)
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
      if (redirects === maxRedirects) throw redirected('more than 5 times')
      url = nextAddress(location, url)
      privateAllowed = await requireReach(url, reach, redirected(reach.beyond))
      await allowance.begin(url.host)
    }
  } finally {
    await allowance.end()
  }
}

/** Returns the hosts that are listed as what may be asked. */
function listedHosts(web: WebAccess): Reach {
  return { find: (url) => web.findHost(originsFor(url)), refusal: notListed, beyond: toUnlisted }
}

const toUnlisted = 'to a host that is not listed'
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

async function requireReach(url: URL, reach: Reach, refusal: ToolError): Promise<boolean> {
  const found = await reach.find(url)
  if (found) return found.privateAddressAllowed
  throw refusal
}

/** Sends a request unless its host failed too often, and notes how it went. Throws ToolError, or what ended the run. */
async function guarded<R extends Answered>(
  target: Target,
  { person, signal }: Asker,
  limit: TimeLimit,
  ask: (target: Target, signal: AbortSignal) => Promise<R>,
): Promise<R> {
  const { host, pathname: place } = target.url
  const leftMs = breaker.leftMs(host, person)
  if (leftMs > 0) {
    const words = `This host failed 5 times in a row. It is asked again in ${Math.ceil(leftMs / 1_000)} seconds.`
    throw new ToolError('host-failing', words)
  }
  try {
    const reply = await ask(target, AbortSignal.any([signal, limit.signal]))
    if (reply.status >= 500) breaker.failed(host, { person, place })
    else breaker.answered(host, person)
    return reply
  } catch (error) {
    signal.throwIfAborted()
    const failure = webFailure(error, limit)
    const fault = failure?.fault ?? null
    if (fault) breaker.failed(host, { person, place: fault === 'host' ? null : place })
    throw failure?.error ?? error
  }
}

export const headers = {
  accept: 'text/html, application/json, text/*;q=0.9, application/pdf;q=0.9, */*;q=0.1',
}
