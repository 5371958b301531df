import type { FailureCategory, ProviderFailure } from '@/lib/protocol/failure'

/** A provider that asks for more is not waited for: the next target, or the person, knows better what to do. */
const longestWaitMs = 60_000

/** What may pass by itself: connection errors, 429 and 5xx (SPEC R15). */
const passing: ReadonlySet<FailureCategory> = new Set([
  'rate-limited',
  'overloaded',
  'server',
  'connection',
  'timeout',
])

/** False when nothing left this server: the request was not made. */
export function isSent({ category, cause }: ProviderFailure): boolean {
  return cause !== 'keys-busy' && category !== 'circuit-open' && category !== 'connection-changed'
}

/**
 * Milliseconds to wait before try `attempt + 1`: what the provider asked for, plus 250-500 ms doubled with each
 * try so that runs that failed together do not come back together. Null = do not try this target again: `maxTries` were
 * made, or waiting here is of no use.
 */
export function retryDelayMs(
  failure: ProviderFailure,
  { attempt, maxTries }: { attempt: number; maxTries: number },
  random: () => number,
): number | null {
  // What one key was refused with says nothing of those that are busy, and will be free again.
  const waits = failure.cause === 'others-busy' && failure.retryAfterMs !== null
  if (!waits && !passing.has(failure.category)) return null
  if (attempt >= maxTries) return null
  const askedMs = failure.retryAfterMs ?? 0
  if (askedMs > longestWaitMs) return null
  return Math.round(askedMs + 500 * 2 ** (attempt - 1) * (0.5 + random() / 2))
}
