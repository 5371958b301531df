import { z } from 'zod'
import { changed, verb } from '@/lib/edge/verb'
import type { BudgetAlert } from '@/lib/generated/prisma/client'
import { type Ctx, requireRole } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { AlertFacts } from './alert-facts'

/**
 * A budget that passed 80 or 100 percent of its window. Times are ISO text in UTC. `seenAt` without `seenBy` = the
 * alert at 100 percent closed it, or its budget was deleted.
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

/** Returns twenty alerts: those that nobody has seen, then the newest others. Admins only. */
export async function listAlerts(ctx: Ctx): Promise<AlertListing[]> {
  requireRole(ctx, 'admin')
  const rows = await db().$queryRaw<BudgetAlert[]>`
    SELECT a.*, coalesce(a."seenAt", CASE WHEN b.id IS NULL THEN a.at END) AS "seenAt"
    FROM budget_alerts a LEFT JOIN budgets b ON b.id = a."budgetId"
    ORDER BY coalesce(a."seenAt", CASE WHEN b.id IS NULL THEN a.at END) DESC NULLS FIRST, a.at DESC
    LIMIT ${most}`
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

/** Returns how many alerts of budgets that exist no admin has seen; 0 for members. */
export async function countUnseenAlerts(ctx: Ctx): Promise<number> {
  if (ctx.actor.role !== 'admin') return 0
  const [row] = await db().$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM budget_alerts a JOIN budgets b ON b.id = a."budgetId"
    WHERE a."seenAt" IS NULL`
  return row?.count ?? 0
}

/** An alert that somebody has seen keeps the person who saw it first. */
export const seeAlerts = verb({
  name: 'budget-alert.see',
  role: 'admin',
  scope: null,
  summary: 'Marks alerts of budgets as seen by the caller.',
  input: z.object({ ids: z.array(z.uuid()).min(1).max(100) }),
  output: z.object({ seen: z.int() }),
  run: async ({ tx, actor }, { ids }) => {
    const unseen = await tx.budgetAlert.findMany({ where: { id: { in: ids }, seenAt: null } })
    for (const { id } of unseen) {
      await tx.budgetAlert.updateMany({
        where: { id, seenAt: null },
        data: { seenAt: new Date(), seenBy: actor.email },
      })
    }
    const changes = unseen.map(({ budgetId, percent }) => ({
      type: 'budget',
      subject: budgetId,
      after: { percent },
    }))
    return changed({ seen: unseen.length }, ...changes)
  },
})
