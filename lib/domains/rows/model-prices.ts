import { type ModelPrice, Prisma } from '@/lib/generated/prisma/client'
import { unpriced } from '@/lib/protocol/cost/cost'
import { LongPrompt, type Prices } from '@/lib/protocol/cost/money'

/** Returns the `include` of a model for the one price row that is valid at `at`, if any. */
export function validPrice(at: Date) {
  return {
    where: { validFrom: { lte: at } },
    orderBy: { validFrom: 'desc' },
    take: 1,
  } as const satisfies Prisma.Model$pricesArgs
}

/**
 * Returns the prices of a model that was read with `validPrice`, in micro-USD per million tokens; null where unknown.
 */
export function pricesOf({ prices: [row] }: { prices: readonly ModelPrice[] }): Prices {
  if (!row) return unpriced
  const { input, output, cachedInput, cacheWrite, reasoning } = row
  const longPrompt = row.longPrompt === null ? null : LongPrompt.parse(row.longPrompt)
  return { input, output, cachedInput, cacheWrite, reasoning, ...(longPrompt && { longPrompt }) }
}

/** Returns the prices as the columns of their row. */
export function priceColumns({ longPrompt, ...prices }: Prices) {
  return { ...prices, longPrompt: longPrompt ?? Prisma.DbNull }
}
