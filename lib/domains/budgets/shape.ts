import { z } from 'zod'
import { describedNouns } from '@/lib/protocol/nouns'
import { type ListingOf, resource, switchField } from '@/lib/shape/resource'
import {
  amountWords,
  type BudgetUnit,
  formatCount,
  parseCount,
  parseUsd,
  usdText,
} from '@/lib/words/format'

/** In its unit; money in micro-USD, so at most a billion dollars. */
const Amount = z
  .int('Give a limit: dollars with at most six decimals, or a whole number of tokens or requests.')
  .min(1, 'The limit must be more than 0.')
  .max(1_000_000_000_000_000, 'The limit is too large.')

const Scope = z.enum(['site', 'group', 'user', 'configuration', 'key'])
export type BudgetScope = z.output<typeof Scope>
const Unit = z.enum(['requests', 'tokens', 'micro-usd']) satisfies z.ZodType<BudgetUnit>
const UnpricedRule = z.enum(['refuse', 'count-tokens'])
export type UnpricedRule = z.output<typeof UnpricedRule>

/** A budget. Scope, window and unit cannot change, because the counted figures depend on them. */
export const budgets = resource({
  ...describedNouns.budgets,
  about: 'daily and monthly limits for the site, groups, people, configurations and API keys',
  fields: {
    scope: {
      kind: 'select',
      label: 'For',
      choices: [
        { value: 'site', label: 'The whole site' },
        { value: 'group', label: 'A group' },
        { value: 'user', label: 'A person' },
        { value: 'configuration', label: 'A configuration' },
        { value: 'key', label: 'An API key' },
      ],
      schema: Scope,
      isFixed: true,
    },
    /** The group, person, configuration or API key it is for; null for the site. */
    scopeId: {
      kind: 'own',
      label: 'Group, person, configuration or API key',
      schema: z.uuid('Pick whom the budget is for.').nullable(),
      defaultValue: null,
      isFixed: true,
    },
    window: {
      kind: 'select',
      label: 'Resets',
      choices: [
        { value: 'day', label: 'a day' },
        { value: 'month', label: 'a month' },
      ],
      schema: z.enum(['day', 'month']),
      isFixed: true,
    },
    unit: {
      kind: 'select',
      label: 'Unit',
      choices: [
        { value: 'micro-usd', label: 'US dollars' },
        { value: 'tokens', label: 'tokens' },
        { value: 'requests', label: 'requests' },
      ],
      schema: Unit,
      isFixed: true,
    },
    amount: {
      kind: 'money',
      label: 'Limit',
      schema: Amount,
      textOf: (amount, { unit }) => amountWords(Number(amount), Unit.catch('requests').parse(unit)),
    },
    unpriced: {
      kind: 'select',
      label: 'A model without a price',
      hint: 'Allow: the cost is not counted here, and a note in the run says so. Budgets of tokens and requests still count the request.',
      choices: [
        { value: 'refuse', label: 'Refuse the request' },
        { value: 'count-tokens', label: 'Allow the request and note it in the run' },
      ],
      schema: UnpricedRule,
      defaultValue: 'refuse',
    },
    enabled: switchField('It does not count or limit requests until it is switched on again.'),
  },
  sorts: ['title', 'used', 'limit', 'state', 'resets'],
  order: '-used',
  /** `used`: those in force of which at least so many percent are spent, as alerts count. */
  filters: { scope: Scope.optional(), used: z.enum(['80', '100']).optional() },
  /**
   * The current window, in the budget's unit. `fullAt`: when it will be used up at the current rate; null = not in this
   * window. `topUser`: who used most of it. `createdByLabel` is among them because answers have it there.
   */
  listed: {
    reserved: z.number(),
    spent: z.number(),
    createdByLabel: z.string(),
    spentAtLeast: z.boolean().meta({
      description:
        'True = `spent` is a lower bound: the budget counts money and allows models without a price, whose requests are not in it.',
    }),
    resetsAt: z.string(),
    fullAt: z.string().nullable(),
    topUser: z.object({ email: z.string(), spent: z.number() }).nullable(),
  },
  acts: { repair: 'Corrected its counters' },
})

export type Budget = ListingOf<typeof budgets>

/** Returns whether at least so many percent of a budget in force are spent. */
export function isUsed(
  { enabled, spent, amount }: Pick<Budget, 'enabled' | 'spent' | 'amount'>,
  percent: number,
): boolean {
  return enabled && spent * 100 >= amount * percent
}

/** Parses a field's text into the unit: dollars become micro-USD digit by digit. NaN = it is no figure. */
export function limitFigure(text: string, unit: BudgetUnit): number {
  return (unit === 'micro-usd' ? parseUsd(text) : parseCount(text)) ?? Number.NaN
}

/** Returns an amount as the text of a field. */
export function limitText(amount: number, unit: BudgetUnit): string {
  return unit === 'micro-usd' ? usdText(amount) : formatCount(amount)
}
