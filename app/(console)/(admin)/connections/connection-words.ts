import type {
  ConnectionListing,
  ConnectionTest,
} from '@toolgate/server/domains/connections/schemas'
import { z } from 'zod'
import type { PillState } from '@/components/ui/state-pill'
import type {
  ConnectionSetting,
  ConnectionSettings,
} from '@/lib/domains/connections/shared/connection-settings'
import { wireAddress } from '@/lib/domains/connections/shared/wire-address'
import { failureName } from '@/lib/protocol/model/failure-words'

const outcomes: ReadonlyMap<string, string> = new Map([
  ['ok', 'Answers'],
  ['dns', 'Host not found'],
  ['tls', 'Untrusted certificate'],
  ['no-https', 'No HTTPS'],
  ['refused', 'Connection refused'],
  ['timeout', 'Timed out'],
  ['unauthorised', 'Key refused'],
  ['forbidden', 'Not allowed'],
  ['not-found', 'Address not found'],
  ['rate-limited', 'Rate limited'],
  ['server-error', 'Provider error'],
  ['wrong-wire', 'Different API type'],
  ['redirect', 'Redirected'],
  ['egress', 'Address blocked'],
])

export function outcomeWord({ outcome }: Pick<ConnectionTest, 'outcome'>): string {
  return outcomes.get(outcome) ?? outcome
}

export function outcomePill({ outcome }: Pick<ConnectionTest, 'outcome'>): PillState {
  if (outcome === 'ok') return 'ok'
  return outcome === 'rate-limited' ? 'warning' : 'error'
}

export const ConnectionState = z.enum(['untried', 'healthy', 'trouble', 'failing', 'open', 'off'])
type ConnectionState = z.output<typeof ConnectionState>

/** The names of the states. `trouble`: the provider answers, but an admin has to act on a failure. */
export const stateWords: Record<ConnectionState, string> = {
  untried: 'No answer yet',
  healthy: 'Healthy',
  trouble: 'Needs attention',
  failing: 'Failing',
  open: 'Paused',
  off: 'Off',
}

const statePills: Record<ConnectionState, PillState> = {
  untried: 'off',
  healthy: 'ok',
  trouble: 'error',
  failing: 'warning',
  open: 'error',
  off: 'off',
}

type Health = Pick<ConnectionListing, 'enabled' | 'health' | 'troubles' | 'lastTest'>

/** Returns whether the provider answered the last test, but refused what it asked: no later answer of a run ends that. */
export function isRefused(test: Pick<ConnectionTest, 'outcome'> | null): boolean {
  return test?.outcome === 'unauthorised' || test?.outcome === 'forbidden'
}

/** Returns the state of a connection: the circuit breaker's, or a failure of a run or of the last test to act on. */
export function stateOf({
  enabled,
  health: { type },
  troubles,
  lastTest,
}: Health): ConnectionState {
  if (!enabled) return 'off'
  const isToFix = troubles.length > 0 || isRefused(lastTest)
  return isToFix && type !== 'failing' && type !== 'open' ? 'trouble' : type
}

/** `at`: when it failed last; null = it did not, or is off. */
type HealthPill = { state: PillState; word: string; at: string | null }

/**
 * Returns the pill of a connection: the last failure that counts, by its own name and as a warning when only one model has it,
 * whether a run or the last test met it.
 */
export function healthPill(connection: Health): HealthPill {
  const state = stateOf(connection)
  const { health, troubles, lastTest } = connection
  if (state === 'failing' || state === 'open') {
    const at = 'at' in health ? health.at : null
    return { state: statePills[state], word: stateWords[state], at }
  }
  if (state === 'trouble') {
    const [problem] = troubles.toSorted((a, b) => Number(a.ofModel) - Number(b.ofModel))
    if (problem) {
      const word = failureName(problem.category)
      return { state: problem.ofModel ? 'warning' : statePills.trouble, word, at: problem.at }
    }
  }
  const isTestAll = state === 'trouble' || (state === 'untried' && lastTest?.outcome !== 'ok')
  if (lastTest && isTestAll)
    return { state: outcomePill(lastTest), word: outcomeWord(lastTest), at: lastTest.at }
  return { state: statePills[state], word: stateWords[state], at: null }
}

/** Returns where the requests of a connection go. */
export function addressOfConnection(
  connection: Pick<ConnectionListing, 'wire' | 'baseUrl' | 'settings'>,
): string {
  return connection.baseUrl ?? wireAddress(connection) ?? 'Built in'
}

export function keyWord({ key }: Pick<ConnectionListing, 'key'>): string {
  if (!key) return 'None'
  return key.lastFour === '' ? 'Stored' : `…${key.lastFour}`
}

export function settingWord(
  { key, choices }: ConnectionSetting,
  settings: ConnectionSettings,
): string {
  const value = settings[key] ?? choices?.[0]?.value
  if (value === undefined) return 'Default'
  return choices?.find((choice) => choice.value === value)?.label ?? value
}

export const zoneMismatch = 'Zone contradicts address'
