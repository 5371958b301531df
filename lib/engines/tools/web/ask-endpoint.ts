import { type SearchKind, searchKindWords } from '@/lib/domains/search-endpoints/shared/search-kind'
import type { SearchEndpoint } from '../tool-resources'
import { overBudgetCode } from './allowance'
import { type ReadResults, readResults, type Search, searchRequest } from './search-apis'
import { type Fault, startTimeLimit, timeWords, webFailure } from './web-errors'
import { type Meter, type Reply, sendRequest } from './web-request'

/** The largest answer of a search endpoint. */
export const mostAnswerBytes = 1024 * 1024
const longestMs = 15_000

/**
 * `fault`: what failed in a way that asking again soon does not change: the endpoint itself, or for this query. `isForeign`: the endpoint
 * wrote a part of `why`.
 */
export type SearchOutcome =
  | ({ type: 'answered'; reply: Reply } & ReadResults)
  | { type: 'failed'; why: string; fault: Fault; isForeign: boolean }

/**
 * Asks a search endpoint once, within 15 s. `why` says nothing of its key or its address, and of its answer at most the names of engines. Throws ToolError when the
 * meter refuses because the run has read as much as it may.
 */
export async function askEndpoint(
  endpoint: SearchEndpoint,
  search: Search,
  { meter, signal, limitMs = longestMs }: { meter: Meter; signal: AbortSignal; limitMs?: number },
): Promise<SearchOutcome> {
  const { kind, address, privateAddressAllowed } = endpoint
  const key = await endpoint.openKey()
  if (key === undefined) return failed('Its key cannot be read. Enter it again.')
  if (address === null) return failed('It has no address. Enter one.')
  if (key === null && kind !== 'searxng') return failed('It has no key. Enter one.')
  const { url, question } = searchRequest({ kind, address, key }, search)
  const target = { url, privateAllowed: privateAddressAllowed }
  const limit = startTimeLimit(limitMs)
  try {
    const whole = AbortSignal.any([signal, limit.signal])
    const reply = await sendRequest(target, question, meter, whole)
    return outcomeOf({ kind, key }, search, reply)
  } catch (error) {
    signal.throwIfAborted()
    const failure = webFailure(error, limit)
    // A used-up budget of the run is no fault of the endpoint.
    if (!failure || failure.error.code === overBudgetCode) throw error
    const { code } = failure.error
    const why = code === 'too-slow' ? tooSlow(limitMs) : requestProblems[code]
    return failed(why ?? unreachable, failure.fault)
  }
}

function failed(
  why: string,
  fault: Fault = null,
  isForeign = false,
): Extract<SearchOutcome, { type: 'failed' }> {
  return { type: 'failed', why, fault, isForeign }
}

const unreachable = 'It could not be reached. Check its address and the network.'
const requestProblems: Readonly<Record<string, string>> = {
  'too-large': 'Its answer is larger than 1 MiB.',
  unreadable: 'Its answer is compressed in a way that cannot be read.',
  certificate: 'Its certificate is not valid for its address.',
  blocked:
    'Its address is private or reserved, so it is blocked. An admin can allow private addresses on the search endpoint.',
}

const tooSlow = (limitMs: number) => `It did not answer within ${timeWords(limitMs)}.`

function outcomeOf(
  input: { kind: SearchKind; key: string | null },
  { count }: Search,
  reply: Reply,
): SearchOutcome {
  const { status, content, location } = reply
  if (status < 200 || status > 299) {
    const why = location === null ? statusProblem(input.kind, status) : redirected(status)
    return failed(why, status === 429 ? 'host' : status >= 500 ? 'place' : null)
  }
  const read = readResults(input, content, count)
  if (!('problem' in read)) return { type: 'answered', reply, ...read }
  // Engines that are suspended stay so for minutes.
  return failed(read.problem, read.isForeign ? 'place' : null, read.isForeign)
}

function redirected(status: number): string {
  return `It redirects to another address (${status}), and redirects are not followed. Enter that address instead.`
}

function statusProblem(kind: SearchKind, status: number): string {
  if (status === 429) return 'It got too many queries (429). Wait, or get a larger plan there.'
  if (status === 404) return 'Nothing is at its address (404). Check the address.'
  if (kind === 'searxng' && status === 403) {
    return 'It refused the query (403). Add json to search.formats in the settings of SearXNG, and let its limiter pass this server.'
  }
  // Brave answers 422 to a key that it does not know, Tavily 432 and 433 when a plan is used up.
  const isOfKey = status === 401 || status === 403 || (kind === 'brave' && status === 422)
  if (isOfKey) return `It refused the key (${status}). Check the key.`
  if (status === 402 || status === 432 || status === 433) {
    return `The plan of its key has no queries left (${status}).`
  }
  return `${searchKindWords[kind]} answered with status ${status}.`
}
