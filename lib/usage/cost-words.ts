import { formatCostMicroUsd } from '../protocol/format'
import type { UsageFigures } from './usage-figures'

type Costs = Pick<UsageFigures, 'calls' | 'unpriced' | 'errors' | 'retries' | 'costMicroUsd'>

/**
 * Whether nothing priced is in these sums, so that a cost of 0 would be a lie (SPEC R14). Requests that failed took
 * nothing and say nothing about prices.
 */
export function isUnpriced({ calls, unpriced, errors, retries, costMicroUsd }: Costs): boolean {
  return unpriced > 0 && costMicroUsd === 0 && unpriced + errors + retries >= calls
}

/** The sum of what is priced, or "unpriced" when nothing is. */
export function costWords(figures: Costs): string {
  return formatCostMicroUsd(isUnpriced(figures) ? null : figures.costMicroUsd)
}
