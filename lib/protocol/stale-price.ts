/**
 * Why a price should be looked at: the catalogue has other figures, or nobody read it since `readOn` (YYYY-MM-DD).
 * `fromCatalogue` = the catalogue has a price to take.
 */
export type StalePrice = { why: 'differs' | 'old'; readOn: string; fromCatalogue: boolean }

/** Returns it in a few words. */
export function stalePriceWords({ why, readOn }: StalePrice): string {
  return why === 'differs' ? 'differs from the catalogue' : `price read on ${readOn}`
}
