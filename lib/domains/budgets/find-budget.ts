import { type Ctx, requireRole } from '../../kernel/context'
import { NotFoundError } from '../../kernel/errors'
import { parseId } from '../../kernel/parse-id'
import { readBudget } from './read-budgets'
import type { BudgetListing } from './schemas'

/** The budget with this id. NotFoundError when there is none. Admins only. */
export async function findBudget(ctx: Ctx, budgetId: string): Promise<BudgetListing> {
  requireRole(ctx, 'admin')
  const budget = await readBudget(parseId(budgetId, 'This budget'))
  if (!budget) throw new NotFoundError('This budget')
  return budget
}
