import { z } from 'zod'

export const FailureCategory = z.enum([
  'auth',
  'forbidden',
  /** The account behind the key has no credit or quota left. */
  'no-credit',
  'not-found',
  'rate-limited',
  'overloaded',
  'server',
  'connection',
  'timeout',
  'bad-request',
  'context-length',
  'invalid-response',
  'cancelled',
  /** The address is one that connections may not reach. */
  'egress',
  /** Its connection failed too often; nothing was sent. */
  'circuit-open',
  /**
   * The connection changed since the run began: another address, a lower trust zone, off or deleted. Nothing was sent.
   */
  'connection-changed',
  /** Its model does not take the files of the run, or may not be sent them. Nothing was sent. */
  'files',
])
export type FailureCategory = z.infer<typeof FailureCategory>

/**
 * Detail beyond the category: HTML arrived with status 200, the answer broke off before any text, or nothing was sent
 * because no key of the connection was free, or because the connection was switched off or deleted after the run began;
 * `others-busy`: a key was refused, and the others are not free.
 */
const FailureCause = z.enum([
  'web-page',
  'broken-stream',
  'keys-busy',
  'others-busy',
  'connection-off',
])
export type FailureCause = z.infer<typeof FailureCause>

/**
 * Failure of a provider for page, journal and API (SPEC R15a): no raw body, no key, no host detail. `advice` states the
 * failure and its cure, in words for pages and terminal alike; `lib/protocol/model/failure-words.ts` has the place of
 * the cure. `incidentId` finds the raw detail in the server log.
 */
export const ProviderFailure = z.object({
  category: FailureCategory,
  status: z.int().nullable(),
  advice: z.string(),
  incidentId: z.string(),
  retryAfterMs: z.int().nonnegative().nullable(),
  cause: FailureCause.optional(),
  /** True when the request was sent and no complete answer arrived, so the provider may charge it all the same. */
  mayBeCharged: z.boolean().optional(),
})
export type ProviderFailure = z.infer<typeof ProviderFailure>
