import { boundedCost, costBound } from '../../protocol/cost'
import { countOf, formatCostMicroUsd } from '../../protocol/format'
import type { CostBound } from '../../protocol/money'
import type { UsageFigures } from './usage-sql'

type Costs = Pick<UsageFigures, 'calls' | 'unpriced' | 'errors' | 'retries' | 'costMicroUsd'>
type Bounds = Pick<UsageFigures, 'estimated' | 'atMost'>

/**
 * Returns whether these sums have no priced request, so that a cost of 0 would be wrong (SPEC R14). Failed requests
 * used nothing and say nothing about prices.
 */
export function isUnpriced({ calls, unpriced, errors, retries, costMicroUsd }: Costs): boolean {
  return unpriced > 0 && costMicroUsd === 0 && unpriced + errors + retries >= calls
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

/** Returns how exact the sum of these costs is. */
export function boundOf({ estimated, atMost }: Bounds): CostBound {
  return costBound({ estimated: estimated > 0, atMost: atMost > 0 })
}

/**
 * Returns the sum of the priced costs, "at most" or "about" where a part of it is, or "unpriced" when nothing is
 * priced.
 */
export function costWords(figures: Costs & Bounds): string {
  return boundedCost(isUnpriced(figures) ? null : figures.costMicroUsd, boundOf(figures))
}
