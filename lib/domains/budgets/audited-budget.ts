import type { Budget } from '../../generated/prisma/client'
import { unpricedOf } from './stored-unit'

/** What of a budget the audit keeps. */
export function auditedBudget(budget: Budget) {
  const { scope, scopeId, window, amount, unpriced, enabled } = budget
  const unit = budget.unit === 'micro_usd' ? 'micro-usd' : budget.unit
  const figures = { unit, amount: Number(amount), unpriced: unpricedOf(unpriced) }
  return { scope, scopeId, window, ...figures, enabled }
}
