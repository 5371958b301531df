import { z } from 'zod'
import { type Ctx, requireRole } from '../../kernel/context'
import { db, withTransaction } from '../../kernel/db'
import { parseInput } from '../../kernel/parse-input'
import { recordAudit } from '../audit/record-audit'
import { AlertFacts } from './alert-facts'

/**
 * A budget that passed 80 or 100 percent of its window. Times are ISO text in UTC. `seenAt` without `seenBy` = the
 * alert at 100 percent closed it.
 */
export type AlertListing = AlertFacts & {
  id: string
  budgetId: string
  percent: number
  at: string
  seenBy: string | null
  seenAt: string | null
}

const most = 20

/** Alerts nobody has seen yet, then the newest others: twenty in all. Admins only. */
export async function listAlerts(ctx: Ctx): Promise<AlertListing[]> {
  requireRole(ctx, 'admin')
  const rows = await db().budgetAlert.findMany({
    orderBy: [{ seenAt: { sort: 'desc', nulls: 'first' } }, { at: 'desc' }],
    take: most,
  })
  return rows.map(({ id, budgetId, percent, facts, at, seenBy, seenAt }) => ({
    ...AlertFacts.parse(facts),
    id,
    budgetId,
    percent,
    at: at.toISOString(),
    seenBy,
    seenAt: seenAt?.toISOString() ?? null,
  }))
}

/** Returns how many alerts no admin has seen; 0 for members. */
export async function countUnseenAlerts(ctx: Ctx): Promise<number> {
  if (ctx.actor.role !== 'admin') return 0
  return db().budgetAlert.count({ where: { seenAt: null } })
}

export const SeeAlerts = z.object({ ids: z.array(z.uuid()).min(1).max(100) })
export type SeeAlerts = z.input<typeof SeeAlerts>

/** Marks these alerts as seen by the caller. Those already seen keep the person who saw them first. Admins only. */
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
