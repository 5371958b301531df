import { boundedCost, costBound, type SumBound } from '@/lib/protocol/cost/cost'
import { countOf, formatCostMicroUsd } from '@/lib/words/format'
import type { UsageFigures } from './usage-figures'

type Costs = Pick<UsageFigures, 'unpriced' | 'costMicroUsd'>
type Bounds = Pick<UsageFigures, 'unpriced' | 'estimated' | 'atMost'>

/** Returns whether nothing is known of the cost of these requests, so that a cost of 0 would be wrong (SPEC R14). */
export function isUnpriced({ unpriced, costMicroUsd }: Costs): boolean {
  return unpriced > 0 && costMicroUsd === 0
}

/** Returns what providers reported as cost, where it differs from the cost here; empty = nothing to say. */
export function reportedWords(
  figures: Pick<UsageFigures, 'reported' | 'reportedMicroUsd' | 'countedMicroUsd'>,
): string {
  const { reported, reportedMicroUsd, countedMicroUsd } = figures
  if (reported === 0 || reportedMicroUsd === countedMicroUsd) return ''
  const requests = countOf(reported, 'request')
  return `Providers reported ${formatCostMicroUsd(reportedMicroUsd)} for ${requests} that cost ${formatCostMicroUsd(countedMicroUsd)} by the stored prices.`
}

/** Returns how many of these costs are upper bounds; empty = none. */
export function atMostWords({ atMost }: Pick<UsageFigures, 'atMost'>): string {
  return atMost === 0
    ? ''
    : `${countOf(atMost, 'request')} with at most this cost: cached input without a price`
}

/** Returns how exact the sum of these costs is: requests without a price make it a lower bound (SPEC M3). */
export function boundOf({ unpriced, estimated, atMost }: Bounds): SumBound {
  const bound = costBound({ estimated: estimated > 0, atMost: atMost > 0 })
  if (unpriced === 0) return bound
  return bound === 'exact' ? 'at-least' : 'at-least-about'
}

/**
 * Returns the sum of the priced costs, "at least", "at most" or "about" where a part of it is, or "unpriced" when
 * nothing is known of it.
 */
export function costWords(figures: Costs & Bounds): string {
  return boundedCost(isUnpriced(figures) ? null : figures.costMicroUsd, boundOf(figures))
}
