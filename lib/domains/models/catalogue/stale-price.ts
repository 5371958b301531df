import { type Prices, priceKinds } from '../../../protocol/cost'
import type { StalePrice } from '../../../protocol/stale-price'
import type { Wire } from '../../rows/column-names'
import { findInCatalogue } from './find-in-catalogue'

/**
 * Days after which a price that nobody read again counts as old. Providers of the catalogue changed prices several times
 * a year, and some at a quarter's notice.
 */
export const oldPriceDays = 90

type Priced = { wire: Wire; baseUrl: string | null; modelId: string; prices: Prices }

/** Null when a price is in order, and when there is none: that is unpriced, not stale. */
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
  // The catalogue that says the same confirms it.
  const readOn = entry?.prices && entry.readOn > ownReadOn ? entry.readOn : ownReadOn
  const isOld = now.getTime() - Date.parse(readOn) > oldPriceDays * 86_400_000
  return isOld && !isFree(model.prices) ? { why: 'old', readOn, fromCatalogue: false } : null
}

/** Only figures that the catalogue knows count. */
function differs(stored: Prices, known: Prices): boolean {
  const names = Object.keys(known) as (keyof Prices)[]
  return names.some(
    (name) =>
      known[name] != null && JSON.stringify(known[name]) !== JSON.stringify(stored[name] ?? null),
  )
}

/** A model of one's own costs nothing, however long ago that was said. */
function isFree(prices: Prices): boolean {
  return priceKinds.every((kind) => prices[kind] === null || prices[kind] === 0)
}

/** The day that a source taken from the catalogue ends with. */
function dayIn(source: string): string | null {
  const day = /\(read (\d{4}-\d{2}-\d{2})\)$/.exec(source)?.[1]
  return day && !Number.isNaN(Date.parse(day)) ? day : null
}
