import { requireReferred } from '@/lib/edge/resource-values'
import { resourceVerbs } from '@/lib/edge/resource-verbs'
import type { UnpricedRule as UnpricedColumn } from '@/lib/generated/prisma/enums'
import type { ChangeTx } from '@/lib/kernel/db'
import { ValidationError } from '@/lib/kernel/errors'
import { notifyBudgetChange } from './budget-channel'
import { fullAt, readBudget, readBudgets } from './reads'
import { budgets, isUsed, type UnpricedRule } from './shape'

/** The operations on budgets. Off, a budget still settles the calls that it holds something for. */
export const budgetVerbs = resourceVerbs(budgets, {
  summaries: {
    create:
      'Adds a budget. It counts requests that begin from now on, not those of its window so far.',
    update:
      'Changes a budget from the next request on, or switches it. What it has counted stays, and so do fields that are left out.',
    remove: 'Deletes a budget with everything that it has counted. Its alerts stay.',
    list: 'Lists budgets, each with what is spent and held in its window.',
    read: 'Returns one budget with what is spent and held in its window.',
  },
  // Each call reads all that apply to it.
  most: 1_000,
  rows: readBudgets,
  store: {
    count: (client) => client.budget.count(),
    find: readBudget,
    insert: (tx, { unit, unpriced, ...values }) =>
      tx.budget.create({
        data: {
          ...values,
          // Enum values of the database client cannot hold a hyphen.
          unit: unit === 'micro-usd' ? 'micro_usd' : unit,
          unpriced: unpricedColumn(unpriced),
        },
      }),
    write: (tx, id, { amount, unpriced, enabled }) =>
      tx.budget.update({
        where: { id },
        data: { amount, enabled, unpriced: unpriced && unpricedColumn(unpriced) },
      }),
    remove: ({ tx }, { id }) => tx.budget.delete({ where: { id } }),
  },
  check: async ({ tx }, { scope = 'site', scopeId = null }, before) => {
    if (before) return
    if ((scope === 'site') !== (scopeId === null)) {
      throw new ValidationError({
        scopeId:
          'Pick whom the budget is for. A budget for the whole site takes no group, person, configuration or API key.',
      })
    }
    if (scope === 'site') return
    await requireReferred(tx, 'scopeId', scope === 'key' ? 'api-key' : scope, scopeId)
  },
  beforeRemoval: lockCounted,
  touched: notifyBudgetChange,
  listed: (row) => ({
    reserved: row.reserved,
    spent: row.spent,
    createdByLabel: row.createdByLabel,
    spentAtLeast: row.unit === 'micro-usd' && row.unpriced === 'count-tokens',
    resetsAt: row.resetsAt.toISOString(),
    fullAt: fullAt(row)?.toISOString() ?? null,
    topUser: row.topEmail === null ? null : { email: row.topEmail, spent: row.topSpent },
  }),
  searched: ({ title, unit, topUser }) => [title, unit, topUser?.email],
  fits: (budget, { scope, used }) =>
    (scope === undefined || budget.scope === scope) &&
    (used === undefined || isUsed(budget, Number(used))),
  orders: {
    used: ({ enabled, spent, reserved, amount }) => (enabled ? (spent + reserved) / amount : -1),
    limit: ({ amount }) => amount,
    resets: ({ resetsAt }) => resetsAt,
  },
})

/**
 * Locks what a budget has counted before its row, in the same order as elsewhere, which avoids deadlocks: the ledger and
 * its counters as in a settlement, the budget last, as in a reservation.
 */
async function lockCounted(tx: ChangeTx, id: string): Promise<void> {
  await tx.$queryRaw`
    SELECT 1 FROM budget_reservations WHERE "budgetId" = ${id}::uuid ORDER BY id FOR UPDATE`
  await tx.$queryRaw`
    SELECT 1 FROM budget_counters WHERE "budgetId" = ${id}::uuid
    ORDER BY "budgetId", "windowStart" FOR UPDATE`
}

function unpricedColumn(rule: UnpricedRule): UnpricedColumn {
  return rule === 'refuse' ? 'refuse' : 'count_tokens'
}
