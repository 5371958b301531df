import type { FailureCategory } from './failure'
import { failureName } from './mend'
import type { RunEventOf } from './run-event'

type Health =
  | { type: 'ready' | 'off' }
  | { type: 'limited'; until: string }
  | { type: 'paused'; until: string; category: FailureCategory | null }

/** Two or three words for how a key stands. */
export function keyHealthWord(health: Health): string {
  switch (health.type) {
    case 'ready':
      return 'Ready'
    case 'off':
      return 'Off'
    case 'limited':
      return 'Limit reached'
    case 'paused':
      return health.category === null ? 'Paused' : failureName(health.category)
    default:
      return health satisfies never
  }
}

/** "10 requests, 1,000 tokens a minute" */
export function keyLimitWords({
  requestsPerMinute,
  tokensPerMinute,
}: {
  requestsPerMinute: number | null
  tokensPerMinute: number | null
}): string {
  const parts = [
    requestsPerMinute !== null && `${requestsPerMinute.toLocaleString('en')} requests`,
    tokensPerMinute !== null && `${tokensPerMinute.toLocaleString('en')} tokens`,
  ].filter((part) => part !== false)
  return parts.length === 0 ? 'no limit' : `${parts.join(', ')} a minute`
}

/** Which key of a connection gave way to which in a run. The failure's advice says why. */
export function keyChangeWords({ from, to }: RunEventOf<'key-change'>['data']): string {
  return `Changed from the key “${from}” to the key “${to}”.`
}
