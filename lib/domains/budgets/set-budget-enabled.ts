import { type Ctx, requireRole } from '../../kernel/context'
import { parseInput } from '../../kernel/parse-input'
import { changeBudget } from './change-budget'
import { SetBudgetEnabled } from './schemas'

/**
 * Switches a budget on or off; the same answer again changes nothing. Off, it counts nothing and refuses nothing, but
 * calls it holds something for are settled in it. NotFoundError when it is gone. Admins only.
 */
export async function setBudgetEnabled(ctx: Ctx, input: SetBudgetEnabled): Promise<void> {
  requireRole(ctx, 'admin')
  const { id, enabled, reason } = parseInput(SetBudgetEnabled, input)
  const action = enabled ? 'budget.switch-on' : 'budget.switch-off'
  await changeBudget(ctx, id, { action, reason }, (tx, before) =>
    before.enabled === enabled
      ? Promise.resolve(before)
      : tx.budget.update({ where: { id }, data: { enabled } }),
  )
}
