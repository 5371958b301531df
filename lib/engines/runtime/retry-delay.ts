import type { FailureCategory, ProviderFailure } from '@/lib/protocol/failure'

/**
 * The longest wait, ms. When a provider asks for more, the next target is asked, or the run ends and the person
 * decides.
 */
const longestWaitMs = 60_000

/** Temporary failures: connection errors, 429 and 5xx (SPEC R15). */
const passing: ReadonlySet<FailureCategory> = new Set([
  'rate-limited',
  'overloaded',
  'server',
  'connection',
  'timeout',
])

/** Returns false when no request left this server. */
export function isSent({ category, cause }: ProviderFailure): boolean {
  return cause !== 'keys-busy' && category !== 'circuit-open' && category !== 'connection-changed'
}

/**
 * Returns the ms to wait before try `attempt + 1`: what the provider asked for, plus 250-500 ms doubled with each try,
 * so that runs that failed together do not retry together. Null = do not try this target again: `maxTries` were made,
 * or waiting does not help.
 */
export function retryDelayMs(
  failure: ProviderFailure,
  { attempt, maxTries }: { attempt: number; maxTries: number },
  random: () => number,
): number | null {
  // The failure of one key says nothing about the busy ones, which will be free again.
  const waits = failure.cause === 'others-busy' && failure.retryAfterMs !== null
  if (!waits && !passing.has(failure.category)) return null
  if (attempt >= maxTries) return null
  const askedMs = failure.retryAfterMs ?? 0
  if (askedMs > longestWaitMs) return null
  return Math.round(askedMs + 500 * 2 ** (attempt - 1) * (0.5 + random() / 2))
}
