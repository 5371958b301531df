import { type Ctx, requireRole } from '../context'
import { NotFoundError } from '../errors'
import { parseId } from '../parse-id'
import { readBudget } from './read-budgets'
import type { BudgetListing } from './schemas'

/** The budget with this id. NotFoundError when there is none. Admins only. */
export async function findBudget(ctx: Ctx, budgetId: string): Promise<BudgetListing> {
  requireRole(ctx, 'admin')
  const budget = await readBudget(parseId(budgetId, 'This budget'))
  if (!budget) throw new NotFoundError('This budget')
  return budget
}
