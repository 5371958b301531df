import { z } from 'zod'
import type { Ctx } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { type BudgetRow, readBudgetsInForce } from './reads'
import { budgets } from './shape'

/** Rest of a budget for the caller, in its unit. `configurationId`: it counts only runs with that one. */
export const RemainingBudget = budgets.Listing.pick({
  id: true,
  title: true,
  unit: true,
  amount: true,
  spent: true,
  resetsAt: true,
}).extend({
  configurationId: z.string().nullable(),
  left: z.number(),
  /** True = it counts cost and refuses models without a price. */
  refusesUnpriced: z.boolean(),
  /** True = it is spent for good. What is only reserved for active calls may be released. */
  isUsedUp: z.boolean(),
})
export type RemainingBudget = z.infer<typeof RemainingBudget>

/**
 * Returns the budgets that count this person's runs with any of these configurations: the site's, their own, their
 * groups', the configurations' and that of the API key that asks. What is spent or reserved for active calls is not left.
 */
export async function remainingBudgets(
  ctx: Ctx,
  configurationIds: readonly string[],
): Promise<RemainingBudget[]> {
  const { apiKeyId, actor } = ctx
  const { userId } = actor
  const all = await readBudgetsInForce(db())
  if (all.length === 0) return []
  const memberships = await db().groupMember.findMany({ where: { userId } })
  const groups = memberships.map(({ groupId }) => groupId)
  const own = new Set([userId, ...groups, ...configurationIds, ...(apiKeyId ? [apiKeyId] : [])])
  return all
    .filter(({ scope, scopeId }) => scope === 'site' || (scopeId !== null && own.has(scopeId)))
    .map(toRemaining)
}

function toRemaining({ amount, spent, reserved, scope, ...budget }: BudgetRow) {
  const { id, title, unit, resetsAt } = budget
  return {
    id,
    title,
    configurationId: scope === 'configuration' ? budget.scopeId : null,
    unit,
    amount,
    spent,
    left: Math.max(0, amount - spent - reserved),
    refusesUnpriced: unit === 'micro-usd' && budget.unpriced === 'refuse',
    isUsedUp: spent >= amount,
    resetsAt: resetsAt.toISOString(),
  }
}
