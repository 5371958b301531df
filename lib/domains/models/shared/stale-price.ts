import { z } from 'zod'

/**
 * Why a price should be looked at: the catalogue has other figures, or nobody read it since `readOn` (YYYY-MM-DD).
 * `fromCatalogue` = the catalogue has a price to take.
 */
export const StalePrice = z.object({
  why: z.enum(['differs', 'old']),
  readOn: z.string(),
  fromCatalogue: z.boolean(),
})
export type StalePrice = z.output<typeof StalePrice>

/** Returns why a price is stale, in a few words. */
export function stalePriceWords({ why, readOn }: StalePrice): string {
  return why === 'differs' ? 'differs from the catalogue' : `price read on ${readOn}`
}
