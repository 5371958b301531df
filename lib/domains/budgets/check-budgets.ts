import { z } from 'zod'
import { makeChange, type OtherChange } from '@/lib/edge/verb'
import { type Ctx, requireRole } from '@/lib/kernel/context'
import { db, type Tx } from '@/lib/kernel/db'
import { countOf } from '@/lib/words/format'
import { budgetTitle } from './budget-title'

const figure = z.coerce.number()
const Held = z.object({ reserved: figure, spent: figure })
const Difference = z.object({
  budgetId: z.string(),
  title: z.string(),
  windowStart: z.date().transform((at) => at.toISOString()),
  counter: Held,
  ledger: Held,
})
/** A window whose counters are not the sum of its ledger; figures in the budget's unit. */
export type BudgetDifference = z.output<typeof Difference>

/** Returns whether the counters of all budgets equal their ledger, read in one statement (SPEC M2). Admins only. */
export async function checkBudgets(
  ctx: Ctx,
): Promise<{ windows: number; differences: BudgetDifference[] }> {
  requireRole(ctx, 'admin')
  const windows = await db().budgetCounter.count()
  return { windows, differences: await differences(db()) }
}

/** Returns "2 counters equal the sum of their requests". */
export function equalWords(windows: number): string {
  const [one, several] = ['counter equals the sum of its', 'counters equal the sum of their']
  return `${countOf(windows, one, several)} requests`
}

/** Sets counters that differ to the sums of the ledger, and resolves with their old values. Admins only. */
export async function repairBudgets(ctx: Ctx): Promise<BudgetDifference[]> {
  requireRole(ctx, 'admin')
  return makeChange(async (tx) => {
    const changes: OtherChange[] = []
    // A reservation or settlement at the same time waits for this lock, or adds its difference afterwards.
    await tx.$queryRaw`SELECT 1 FROM budget_counters ORDER BY "budgetId", "windowStart" FOR UPDATE`
    const found = await differences(tx)
    for (const { budgetId, windowStart, counter, ledger } of found) {
      const at = new Date(windowStart)
      const data = { reserved: BigInt(ledger.reserved), spent: BigInt(ledger.spent) }
      await tx.budgetCounter.upsert({
        where: { budgetId_windowStart: { budgetId, windowStart: at } },
        create: { budgetId, windowStart: at, ...data },
        update: data,
      })
      const [before, after] = [
        { windowStart, ...counter },
        { windowStart, ...ledger },
      ]
      changes.push({ by: ctx, action: 'budget.repair', subject: budgetId, before, after })
    }
    return { output: found, changes }
  })
}

async function differences(tx: Tx): Promise<BudgetDifference[]> {
  const rows = await tx.$queryRawUnsafe(`
    WITH ledger AS (
      SELECT "budgetId", "windowStart", sum(settled)::bigint AS spent,
        coalesce(sum(reserved) FILTER (WHERE status = 'open'), 0)::bigint AS reserved
      FROM budget_reservations GROUP BY 1, 2)
    SELECT b.id AS "budgetId", ${budgetTitle} AS title, w."windowStart",
      jsonb_build_object('reserved', coalesce(k.reserved, 0), 'spent', coalesce(k.spent, 0)) AS counter,
      jsonb_build_object('reserved', coalesce(l.reserved, 0), 'spent', coalesce(l.spent, 0)) AS ledger
    FROM (SELECT "budgetId", "windowStart" FROM budget_counters
        UNION SELECT "budgetId", "windowStart" FROM ledger) w
      JOIN budgets b ON b.id = w."budgetId"
      LEFT JOIN budget_counters k ON k."budgetId" = w."budgetId" AND k."windowStart" = w."windowStart"
      LEFT JOIN ledger l ON l."budgetId" = w."budgetId" AND l."windowStart" = w."windowStart"
    WHERE coalesce(k.reserved, 0) <> coalesce(l.reserved, 0) OR coalesce(k.spent, 0) <> coalesce(l.spent, 0)
    ORDER BY title, w."windowStart"`)
  return z.array(Difference).parse(rows)
}
