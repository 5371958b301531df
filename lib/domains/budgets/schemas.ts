import { z } from 'zod'
import type { BudgetUnit } from '../../protocol/format'
import { sortOrder } from '../../protocol/resource'

export const BudgetScope = z.enum(['site', 'group', 'user', 'configuration'])
export type BudgetScope = z.infer<typeof BudgetScope>
export const BudgetWindow = z.enum(['day', 'month'])
export type BudgetWindow = z.infer<typeof BudgetWindow>
const Unit = z.enum(['requests', 'tokens', 'micro-usd']) satisfies z.ZodType<BudgetUnit>
export const UnpricedRule = z.enum(['refuse', 'count-tokens'])
export type UnpricedRule = z.infer<typeof UnpricedRule>

/** In its unit; money in micro-USD, so at most a billion dollars. */
const Amount = z
  .int('Give a limit: dollars with at most six decimals, or a whole number of tokens or requests.')
  .min(1, 'The limit must be more than 0.')
  .max(1_000_000_000_000_000, 'The limit is too large.')

/** `scopeId`: the group, person or configuration it is for; null for the site. */
export const CreateBudget = z
  .object({
    scope: BudgetScope,
    scopeId: z.uuid('Pick whom the budget is for.').nullable().default(null),
    window: BudgetWindow,
    unit: Unit,
    amount: Amount,
    unpriced: UnpricedRule.default('refuse'),
    enabled: z.boolean().default(true),
  })
  .refine(({ scope, scopeId }) => (scope === 'site') === (scopeId === null), {
    path: ['scopeId'],
    message:
      'Pick whom the budget is for. A budget for the whole site takes no group, person or configuration.',
  })
export type CreateBudget = z.input<typeof CreateBudget>

/** Fields that are left out stay. Scope, window and unit cannot change, because the counted figures depend on them. */
export const UpdateBudget = z.object({
  id: z.string(),
  amount: Amount.optional(),
  unpriced: UnpricedRule.optional(),
  enabled: z.boolean().optional(),
})

const sortKeys = ['title', 'used', 'limit', 'state', 'resets'] as const
export type BudgetSortKey = (typeof sortKeys)[number]
export const defaultBudgetSort = '-used' as const
export const BudgetFilter = z.object({
  search: z.string().trim().max(200).optional(),
  scope: BudgetScope.optional(),
  state: z.enum(['on', 'off']).optional(),
  page: z.coerce.number().int().min(1).max(100).default(1),
  sort: sortOrder(sortKeys, defaultBudgetSort),
})
export type BudgetFilter = z.output<typeof BudgetFilter>

/**
 * A budget as lists show it, with its current window. Numbers are in its unit, times ISO text in UTC. `fullAt`: when it
 * will be used up at the current rate; null = not in this window. `topUser`: who used most of it.
 */
export const BudgetListing = z.object({
  id: z.string(),
  title: z.string(),
  scope: BudgetScope,
  scopeId: z.string().nullable(),
  window: BudgetWindow,
  unit: Unit,
  amount: z.number(),
  unpriced: UnpricedRule,
  enabled: z.boolean(),
  reserved: z.number(),
  spent: z.number(),
  spentAtLeast: z.boolean().meta({
    description:
      'True = `spent` is a lower bound: the budget counts money and allows models without a price, whose requests are not in it.',
  }),
  resetsAt: z.string(),
  fullAt: z.string().nullable(),
  topUser: z.object({ email: z.string(), spent: z.number() }).nullable(),
  createdByLabel: z.string(),
  updatedAt: z.string(),
})
export type BudgetListing = z.output<typeof BudgetListing>
