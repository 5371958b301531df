import { type Ctx, requireRole } from '../../kernel/context'
import { withTransaction } from '../../kernel/db'
import { NotFoundError } from '../../kernel/errors'
import { parseId } from '../../kernel/parse-id'
import { parseInput } from '../../kernel/parse-input'
import { WithReason } from '../audit/audit-reason'
import { recordAudit } from '../audit/record-audit'
import { auditedBudget } from './audited-budget'
import { notifyBudgetChange } from './budget-channel'

/** Removes a budget with all it counted; its alerts stay. NotFoundError when it is gone. Admins only. */
export async function deleteBudget(
  ctx: Ctx,
  budgetId: string,
  input: WithReason = {},
): Promise<void> {
  requireRole(ctx, 'admin')
  const id = parseId(budgetId, 'This budget')
  const { reason } = parseInput(WithReason, input)
  await withTransaction(async (tx) => {
    // Its ledger, then its counters, as whoever settles does it; the budget last, as whoever reserves.
    await tx.$queryRaw`
      SELECT 1 FROM budget_reservations WHERE "budgetId" = ${id}::uuid ORDER BY id FOR UPDATE`
    await tx.$queryRaw`
      SELECT 1 FROM budget_counters WHERE "budgetId" = ${id}::uuid
      ORDER BY "budgetId", "windowStart" FOR UPDATE`
    const before = await tx.budget.findUnique({ where: { id } })
    if (!before) throw new NotFoundError('This budget')
    await tx.budget.delete({ where: { id } })
    await recordAudit(tx, ctx, {
      action: 'budget.delete',
      objectType: 'budget',
      objectId: id,
      before: auditedBudget(before),
      after: null,
      reason,
    })
    await notifyBudgetChange(tx)
  })
}
