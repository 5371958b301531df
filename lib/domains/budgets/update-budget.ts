import { type Ctx, requireRole } from '../../kernel/context'
import { parseId } from '../../kernel/parse-id'
import { parseInput } from '../../kernel/parse-input'
import { changeBudget } from './change-budget'
import { UpdateBudget } from './schemas'
import { unpricedColumn } from './stored-unit'

/**
 * Sets a budget's limit and what it does with models without a price, from the next call on; what it has counted stays.
 * NotFoundError when it is gone. Admins only.
 */
export async function updateBudget(ctx: Ctx, budgetId: string, input: UpdateBudget): Promise<void> {
  requireRole(ctx, 'admin')
  const id = parseId(budgetId, 'This budget')
  const { reason, amount, unpriced } = parseInput(UpdateBudget, input)
  const data = { amount: BigInt(amount), unpriced: unpricedColumn(unpriced) }
  await changeBudget(ctx, id, { action: 'budget.update', reason }, (tx, before) =>
    before.amount === data.amount && before.unpriced === data.unpriced
      ? Promise.resolve(before)
      : tx.budget.update({ where: { id }, data }),
  )
}
