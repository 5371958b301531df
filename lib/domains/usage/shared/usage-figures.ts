import { z } from 'zod'

const figure = z.coerce.number()

/**
 * Sums over usage records. `calls` are all requests, `retries` those of them that were a further try. `costMicroUsd`
 * adds up what is priced; `unpriced` says how many calls are not in it. `errors` are calls that failed for good,
 * `rescues` those that a fallback model answered. Latencies are milliseconds of answered calls, null when there are
 * none.
 */
export const UsageFigures = z.object({
  calls: figure,
  runs: figure,
  inputTokens: figure,
  outputTokens: figure,
  cachedInputTokens: figure,
  costMicroUsd: figure,
  unpriced: figure,
  /** Requests whose cost is an upper bound. */
  atMost: figure,
  /** Requests with a cost reported by the provider, the sum of these costs, and the sum of the costs counted here. */
  reported: figure,
  reportedMicroUsd: figure,
  countedMicroUsd: figure,
  estimated: figure,
  retries: figure,
  errors: figure,
  rescues: figure,
  p50Ms: figure.nullable(),
  p95Ms: figure.nullable(),
})
export type UsageFigures = z.infer<typeof UsageFigures>
