import { z } from 'zod'
import { recordAudit } from '../audit/record-audit'
import { type Ctx, requireRole } from '../context'
import { withTransaction } from '../db'
import { parseInput } from '../parse-input'

export const SeeAlerts = z.object({ ids: z.array(z.uuid()).min(1).max(100) })
export type SeeAlerts = z.input<typeof SeeAlerts>

/** Notes that somebody has seen these alerts; those that were seen already stay with who saw them first. Admins only. */
export async function seeAlerts(ctx: Ctx, input: SeeAlerts): Promise<{ seen: number }> {
  requireRole(ctx, 'admin')
  const { ids } = parseInput(SeeAlerts, input)
  return withTransaction(async (tx) => {
    const unseen = await tx.budgetAlert.findMany({ where: { id: { in: ids }, seenAt: null } })
    for (const { id, budgetId, percent } of unseen) {
      await tx.budgetAlert.updateMany({
        where: { id, seenAt: null },
        data: { seenAt: new Date(), seenBy: ctx.actor.email },
      })
      await recordAudit(tx, ctx, {
        action: 'budget-alert.see',
        objectType: 'budget',
        objectId: budgetId,
        after: { percent },
      })
    }
    return { seen: unseen.length }
  })
}
