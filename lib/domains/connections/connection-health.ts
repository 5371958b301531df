import type { ConnectionHealth } from '../../generated/prisma/client'
import type { ConnectionHealthState } from './schemas'

/** What the circuit breaker's row says at `now`; without a row it was never used, without failures it is healthy. */
export function connectionHealth(row: ConnectionHealth | null, now: Date): ConnectionHealthState {
  if (!row) return { type: 'untried' }
  if (row.failures === 0) return { type: 'healthy' }
  const { failures, openUntil, lastAdvice: advice } = row
  const at = row.lastFailedAt?.toISOString() ?? null
  if (openUntil && openUntil > now) {
    return { type: 'open', failures, advice, at, openUntil: openUntil.toISOString() }
  }
  return { type: 'failing', failures, advice, at }
}
