import type { StalePrice } from '@/lib/domains/models/shared/stale-price'
import type { Wire } from '@/lib/domains/rows/column-names'
import { priceKinds } from '@/lib/protocol/cost/cost'
import type { Prices } from '@/lib/protocol/cost/money'
import { findInCatalogue } from './find-in-catalogue'

/**
 * Days after which a price that nobody read again counts as old. Providers of the catalogue changed prices several
 * times a year, and some at a quarter's notice.
 */
export const oldPriceDays = 90

type Priced = { wire: Wire; baseUrl: string | null; modelId: string; prices: Prices }

/** Returns why a price is stale; null when it is in order, or when there is none, which is unpriced and not stale. */
export function stalePrice(
  model: Priced,
  stored: { source: string; createdAt: Date } | undefined,
  now: Date,
): StalePrice | null {
  if (!stored) return null
  const entry = findInCatalogue(model)
  const ownReadOn = dayIn(stored.source) ?? stored.createdAt.toISOString().slice(0, 10)
  if (entry?.prices && differs(model.prices, entry.prices)) {
    return { why: 'differs', readOn: ownReadOn, fromCatalogue: true }
  }
  // A catalogue with the same price confirms it.
  const readOn = entry?.prices && entry.readOn > ownReadOn ? entry.readOn : ownReadOn
  const isOld = now.getTime() - Date.parse(readOn) > oldPriceDays * 86_400_000
  return isOld && !isFree(model.prices) ? { why: 'old', readOn, fromCatalogue: false } : null
}

/** Returns whether the prices differ. Only figures that the catalogue has count. */
function differs(stored: Prices, known: Prices): boolean {
  const names = Object.keys(known) as (keyof Prices)[]
  return names.some(
    (name) =>
      known[name] != null && JSON.stringify(known[name]) !== JSON.stringify(stored[name] ?? null),
  )
}

/** Returns whether a model is free. A free model has no stale price, however old its source is. */
function isFree(prices: Prices): boolean {
  return priceKinds.every((kind) => prices[kind] === null || prices[kind] === 0)
}

/** Returns the day at the end of a source from the catalogue. */
function dayIn(source: string): string | null {
  const day = /\(read (\d{4}-\d{2}-\d{2})\)$/.exec(source)?.[1]
  return day && !Number.isNaN(Date.parse(day)) ? day : null
}
