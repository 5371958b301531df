import { z } from 'zod'
import type { Tx } from '@/lib/kernel/db'
import { budgetTitle, windowEnd, windowStart } from './budget-title'
import { budgets } from './shape'

const figure = z.coerce.number()

/** A budget with its current window. `countedFrom`: when this window, or the budget, began. */
const Row = budgets.Listing.omit({ spentAtLeast: true, fullAt: true, topUser: true }).extend({
  amount: figure,
  reserved: figure,
  spent: figure,
  now: z.date(),
  countedFrom: z.date(),
  resetsAt: z.date(),
  topEmail: z.string().nullable(),
  topSpent: figure,
  updatedAt: z.date(),
})
export type BudgetRow = z.output<typeof Row>

/** Reads who used most of each budget. It takes a query per budget, so callers that only need figures leave it out. */
const mostBy = `
  LEFT JOIN LATERAL (
    SELECT u.email, sum(r.settled) AS spent
    FROM budget_reservations r JOIN runs w ON w.id = r."runId" JOIN users u ON u.id = w."userId"
    WHERE r."budgetId" = b.id AND r."windowStart" = ${windowStart} AND r.settled > 0
    GROUP BY u.email ORDER BY 2 DESC, 1 LIMIT 1) top ON b.scope <> 'user'`
const byNobody = `
  LEFT JOIN (SELECT NULL::text AS email, NULL::numeric AS spent) top ON true`

const select = (where: string, top: string) => `
  SELECT b.id, ${budgetTitle} AS title, b.scope, b."scopeId", b."window", b.unit, b.amount, b.unpriced, b.enabled,
    coalesce(k.reserved, 0) AS reserved, coalesce(k.spent, 0) AS spent, now() AS now,
    greatest(${windowStart}, b."createdAt") AT TIME ZONE 'UTC' AS "countedFrom",
    ${windowEnd} AT TIME ZONE 'UTC' AS "resetsAt",
    top.email AS "topEmail", coalesce(top.spent, 0) AS "topSpent",
    b."createdByLabel", b."updatedAt" AT TIME ZONE 'UTC' AS "updatedAt"
  FROM budgets b
  LEFT JOIN budget_counters k ON k."budgetId" = b.id AND k."windowStart" = ${windowStart}
  ${top}
  WHERE ${where}
  ORDER BY title, b.id`

const all = select('true', mostBy)
const enabled = select('b.enabled', byNobody)
const one = select('b.id = $1::uuid', mostBy)

/** Returns every budget, by title. */
export async function readBudgets(client: Tx): Promise<BudgetRow[]> {
  return z.array(Row).parse(await client.$queryRawUnsafe(all))
}

/** Returns the budgets in force, without who used most of them. */
export async function readBudgetsInForce(client: Tx): Promise<BudgetRow[]> {
  return z.array(Row).parse(await client.$queryRawUnsafe(enabled))
}

/** Returns a budget; null when there is none. */
export async function readBudget(client: Tx, { id }: { id: string }): Promise<BudgetRow | null> {
  return z.array(Row).parse(await client.$queryRawUnsafe(one, id))[0] ?? null
}

type Pace = Pick<BudgetRow, 'enabled' | 'amount' | 'spent' | 'now' | 'countedFrom' | 'resetsAt'>

/**
 * Returns when a budget will be used up at its rate so far in this window; the time itself when it is, null when it
 * lasts until it resets or nothing was spent yet.
 */
export function fullAt({ enabled, amount, spent, now, countedFrom, resetsAt }: Pace): Date | null {
  if (!enabled || spent <= 0) return null
  if (spent >= amount) return now
  const passedMs = Math.max(1, now.getTime() - countedFrom.getTime())
  const at = now.getTime() + ((amount - spent) / spent) * passedMs
  return at < resetsAt.getTime() ? new Date(Math.round(at)) : null
}
