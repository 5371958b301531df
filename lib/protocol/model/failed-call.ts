import { z } from 'zod'
import { Usage } from '@/lib/protocol/cost/money'

/** The usage of a request without a message; `reservationId` as in `round-start`. */
export const Used = z.object({
  usage: Usage,
  costMicroUsd: z.int().nullable(),
  reservationId: z.uuid().optional(),
})

/**
 * A model request that failed with no text and no call shown: it has no message, and one usage record if it was sent (SPEC M5). `retries` are
 * requests that the adapter made again by itself; in journals from before, all tries but the first. `used` = what the
 * provider may charge for it; absent = nothing, and no budget counts it.
 */
export const FailedCall = z.object({
  round: z.int().positive(),
  target: z.int().nonnegative(),
  latencyMs: z.number(),
  retries: z.int(),
  used: Used.optional(),
})
export type FailedCall = z.infer<typeof FailedCall>
