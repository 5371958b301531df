import type { Budget } from '../../generated/prisma/client'
import type { Ctx } from '../../kernel/context'
import { type Tx, withTransaction } from '../../kernel/db'
import { NotFoundError } from '../../kernel/errors'
import { recordAudit } from '../audit/record-audit'
import { auditedBudget } from './audited-budget'
import { notifyBudgetChange } from './budget-channel'

/** Changes a budget, audits both sides and why, and tells the processes that work on runs. */
export async function changeBudget(
  ctx: Ctx,
  id: string,
  { action, reason }: { action: string; reason: string },
  change: (tx: Tx, before: Budget) => Promise<Budget>,
): Promise<void> {
  await withTransaction(async (tx) => {
    const before = await tx.budget.findUnique({ where: { id } })
    if (!before) throw new NotFoundError('This budget')
    const after = await change(tx, before)
    if (after === before) return
    await recordAudit(tx, ctx, {
      action,
      objectType: 'budget',
      objectId: id,
      before: auditedBudget(before),
      after: auditedBudget(after),
      reason,
    })
    await notifyBudgetChange(tx)
  })
}
