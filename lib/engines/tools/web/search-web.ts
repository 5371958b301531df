import { ToolError } from '@/lib/protocol/tool'
import type { SearchEndpoint } from '../tool-resources'
import { Allowance } from './allowance'
import { askEndpoint, mostAnswerBytes, type SearchOutcome } from './ask-endpoint'
import type { Asker } from './ask-web'
import { HostBreaker } from './host-breaker'
import type { Search } from './search-apis'

/** Maximum endpoints that one call tries: each may take 15 s. */
const mostAsked = 3
const breaker = new HostBreaker()

type Failure = { name: string; why: string; isForeign: boolean }
type Answered = Extract<SearchOutcome, { type: 'answered' }>
type Failed = Extract<SearchOutcome, { type: 'failed' }>

/**
 * Asks the first search endpoint, and the next one when it fails, paid from the run's budget. Throws ToolError when none
 * answered, or when the budget is used up.
 */
export async function searchWeb(
  search: Search,
  endpoints: readonly SearchEndpoint[],
  asker: Asker,
): Promise<Answered & { endpoint: SearchEndpoint; failures: Failure[] }> {
  if (endpoints.length === 0) {
    const words = 'No search endpoint is switched on. Tell the user that an admin can add one.'
    throw new ToolError('no-search-endpoint', words)
  }
  const failures: Failure[] = []
  let requestCount = 0
  for (const endpoint of endpoints) {
    const pause = pauseOf(endpoint, asker)
    if (pause === null && ++requestCount > mostAsked) break
    const outcome = pause ?? (await askPaid(endpoint, search, asker))
    if (outcome.type === 'answered') return { ...outcome, endpoint, failures }
    failures.push({ name: endpoint.name, why: outcome.why, isForeign: outcome.isForeign })
  }
  const words = failures.map(({ name, why }) => `${name}: ${why}`).join(' ')
  const left = endpoints.length > failures.length ? ' Others were not asked.' : ''
  throw new ToolError(
    'search-failed',
    `No search endpoint answered. ${words}${left} Go on without a search, or tell the user.`,
    failures.some(({ isForeign }) => isForeign),
  )
}

function breakerKey({ id, address }: SearchEndpoint): string {
  return `${id} ${address}`
}

/** Returns why an endpoint is not asked now; null = it may be. */
function pauseOf(endpoint: SearchEndpoint, { person }: Asker): Failed | null {
  const seconds = Math.ceil(breaker.leftMs(breakerKey(endpoint), person) / 1_000)
  if (seconds === 0) return null
  const why = `It failed 5 times in a row. It is asked again in ${seconds} seconds.`
  return { type: 'failed', why, fault: 'host', isForeign: false }
}

async function askPaid(
  endpoint: SearchEndpoint,
  search: Search,
  { runId, person, web, signal, longestMs }: Asker,
): Promise<SearchOutcome> {
  // A search endpoint without an address costs nothing, and says so itself.
  const url = new URL(endpoint.address ?? 'https://none.invalid')
  const allowance = new Allowance(web, runId, mostAnswerBytes)
  await allowance.begin(url.host)
  try {
    const limit = longestMs === undefined ? {} : { limitMs: longestMs }
    const outcome = await askEndpoint(endpoint, search, { meter: allowance, signal, ...limit })
    const key = breakerKey(endpoint)
    const fault = outcome.type === 'failed' ? outcome.fault : null
    if (fault) breaker.failed(key, { person, place: fault === 'host' ? null : search.query })
    else breaker.answered(key, person)
    return outcome
  } finally {
    await allowance.end()
  }
}
