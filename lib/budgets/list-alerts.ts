import { type Ctx, requireRole } from '../context'
import { db } from '../db'
import { AlertFacts } from './alert-facts'

/**
 * A budget that passed 80 or 100 percent of its window. Times are ISO text in UTC. `seenAt` without `seenBy` = the alert at
 * 100 percent closed it.
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

/** How many alerts wait for an admin to see them; 0 for members. */
export async function countUnseenAlerts(ctx: Ctx): Promise<number> {
  if (ctx.actor.role !== 'admin') return 0
  return db().budgetAlert.count({ where: { seenAt: null } })
}
