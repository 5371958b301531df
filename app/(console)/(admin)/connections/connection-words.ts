import type { PillState } from '@/components/ui/state-pill'
import type { ConnectionListing, ConnectionTest } from '@/lib/domains/connections/schemas'
import type { ConnectionSetting, ConnectionSettings } from '@/lib/protocol/connection-settings'
import { failureName } from '@/lib/protocol/failure-words'
import type { TrustZone } from '@/lib/protocol/model-target'
import { wireAddress } from '@/lib/protocol/wire-address'

/** Hints for choosing an API type. */
export const wireHints: Partial<Record<ConnectionListing['wire'], string>> = {
  openai:
    'The Responses API. For a server that offers only Chat Completions, pick OpenAI-compatible.',
}

/** What each zone lets a tool return at most, for whoever picks one. */
export const zoneHints: Record<TrustZone, string> = {
  local: 'Your own machines. They may receive all data.',
  private: 'Your own network or tenancy. May receive all data except what may contain secrets.',
  'external-eu': 'A provider in the EU. May receive settings and structure, but no logs.',
  'external-global': 'Any provider. May receive text written for readers, but no settings or logs.',
}

const outcomes: ReadonlyMap<string, string> = new Map([
  ['ok', 'Answers'],
  ['dns', 'Host not found'],
  ['tls', 'Certificate not trusted'],
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

/** Returns the state of a connection: the circuit breaker's, or a failure that an admin has to act on. */
export function healthPill({
  enabled,
  health,
  troubles,
}: Pick<ConnectionListing, 'enabled' | 'health' | 'troubles'>): { state: PillState; word: string } {
  if (!enabled) return { state: 'off', word: 'Off' }
  const [trouble] = troubles.toSorted((a, b) => Number(a.ofModel) - Number(b.ofModel))
  if (trouble && health.type !== 'open' && health.type !== 'failing') {
    const word = failureName(trouble.category)
    return trouble.ofModel ? { state: 'warning', word } : { state: 'error', word }
  }
  switch (health.type) {
    case 'untried':
      return { state: 'off', word: 'No answer yet' }
    case 'healthy':
      return { state: 'ok', word: 'Healthy' }
    case 'failing':
      return { state: 'warning', word: 'Failing' }
    case 'open':
      return { state: 'error', word: 'Paused' }
    default:
      return health satisfies never
  }
}

/** Where its requests go. */
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
  const value = settings[key]
  if (value === undefined) return 'Default'
  return choices?.find((choice) => choice.value === value)?.label ?? value
}
