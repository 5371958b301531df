import { type Command, Option } from 'commander'
import {
  type Budget,
  type BudgetScope,
  budgets,
  type UnpricedRule,
} from '@/lib/domains/budgets/shape'
import type { Ctx } from '@/lib/kernel/context'
import { ValidationError } from '@/lib/kernel/errors'
import { amountWords, type BudgetUnit, countOf, parseCount, parseUsd } from '@/lib/words/format'
import { command } from '../command'
import { printLine } from '../print'
import { commandSpec } from '../resource-commands'

const example = `
  toolgate budget add --site --limit '$50' --per month
  toolgate budget add --group Support --limit '200000 tokens' --per day
  toolgate budget add --user ada@example.org --limit '100 requests' --per day
  toolgate budget add --key 019b… --limit '$5' --per day
  toolgate budget check`

type Options = {
  site?: boolean
  group?: string
  user?: string
  configuration?: string
  key?: string
  limit?: string
  per?: 'day' | 'month'
  unpriced?: UnpricedRule
}

export const budgetCommands = commandSpec(budgets, {
  example,
  words: {
    list: 'list the budgets, the most used first',
    show: 'show a budget with what is spent and reserved in its window',
    add: 'add a budget; it counts requests from now on',
    delete: 'delete a budget and its counters',
  },
  columns: {
    LIMIT: ({ amount, unit }) => amountWords(amount, unit),
    SPENT: ({ spent, spentAtLeast, unit }) =>
      `${spentAtLeast ? 'at least ' : ''}${amountWords(spent, unit)}`,
    RESERVED: ({ reserved, unit }) => amountWords(reserved, unit),
    USED: ({ spent, reserved, amount }) => `${Math.floor(((spent + reserved) / amount) * 100)} %`,
    RESETS: ({ resetsAt }) => resetsAt,
  },
  own: { options: withOwnOptions, read: readOwnOptions },
  further: addFurther,
})

function addFurther(group: Command): void {
  command<{ repair?: boolean }>(group, 'check', {
    description:
      'compare the counters of budgets with the sum of their requests; exit code 1 = they differ',
    options: (made) => made.option('--repair', 'correct counters that differ'),
    work: ({ ctx, options: { repair = false } }) => check(ctx, repair),
  })
}

function withOwnOptions(made: Command, isNew: boolean): Command {
  const unpriced = 'what a cost budget does with a model that has no price'
  made.addOption(
    new Option('--unpriced <rule>', unpriced).choices(budgets.fields.unpriced.schema.options),
  )
  if (!isNew) return made.option('--limit <limit>', 'the new limit')
  return made
    .option('--site', 'for the whole site')
    .option('--group <name>', 'for all members of a group together')
    .option('--user <email>', 'for one person')
    .option('--configuration <name>', 'for all runs with a configuration (identifier or id)')
    .option('--key <id>', 'for all runs started with an API key')
    .requiredOption('--limit <limit>', '"$12.50", "100000 tokens" or "500 requests"')
    .addOption(
      new Option('--per <window>', 'how often it resets').choices(
        budgets.fields.window.schema.options,
      ),
    )
}

async function readOwnOptions(ctx: Ctx, options: Options, before: Budget | null) {
  const { limit, per: window = 'month', unpriced } = options
  if (before) {
    return {
      unpriced,
      ...(limit !== undefined && { amount: readLimit(limit, before.unit).amount }),
    }
  }
  const figure = readLimit(limit ?? '')
  if (figure.unit === 'micro-usd' && unpriced === undefined) await requirePrices(ctx)
  return { ...(await scopeOf(ctx, options)), ...figure, window, unpriced }
}

/** Throws ValidationError where a model in use has no price, because only a person can say what a budget of cost does with it. */
async function requirePrices(ctx: Ctx): Promise<void> {
  const { listModels } = await import('@/lib/domains/models/reads')
  const { lacksPrice } = await import('@/lib/domains/models/schemas')
  const names = (await listModels(ctx, {})).filter(lacksPrice).map(({ modelId }) => modelId)
  if (names.length === 0) return
  throw new ValidationError({
    unpriced: `These models are in use and have no price: ${names.join(', ')}. Add their prices with toolgate model price, or say what the budget does with them: --unpriced refuse stops their runs, --unpriced count-tokens lets them run without counting their cost.`,
  })
}

/** Returns whom a budget is for, from the options of a command. Throws ValidationError unless they name exactly one. */
async function scopeOf(
  ctx: Ctx,
  { site, group, user, configuration, key }: Options,
): Promise<{ scope: BudgetScope; scopeId: string | null }> {
  const said = [site, group, user, configuration, key].filter((each) => each !== undefined)
  if (said.length !== 1) {
    throw new ValidationError({
      scope: 'Give one of --site, --group, --user, --configuration and --key.',
    })
  }
  if (group !== undefined) {
    const { findGroup } = await import('@/lib/domains/groups/reads')
    return { scope: 'group', scopeId: (await findGroup(ctx, group)).id }
  }
  if (user !== undefined) {
    const { findUser } = await import('@/lib/domains/users/reads')
    return { scope: 'user', scopeId: (await findUser(ctx, user)).id }
  }
  if (key !== undefined) return { scope: 'key', scopeId: key }
  if (configuration === undefined) return { scope: 'site', scopeId: null }
  const { findConfiguration } = await import('@/lib/domains/configurations/reads')
  return { scope: 'configuration', scopeId: (await findConfiguration(ctx, configuration)).id }
}

/** Checks the counters. Exit code 1 when counters differ and are not repaired. */
async function check(ctx: Ctx, repair: boolean) {
  const { checkBudgets, equalWords, repairBudgets } = await import(
    '@/lib/domains/budgets/check-budgets'
  )
  const { windows, differences } = await checkBudgets(ctx)
  const repaired = repair ? await repairBudgets(ctx) : []
  const left = repair ? (await checkBudgets(ctx)).differences : differences
  const text = () => {
    for (const { title, windowStart, counter, ledger } of repair ? repaired : left) {
      const words = (held: typeof counter) => `spent ${held.spent}, reserved ${held.reserved}`
      printLine(
        `${title}, from ${windowStart}: the counter says ${words(counter)}; its requests say ${words(ledger)}`,
      )
    }
    if (repaired.length > 0) printLine(`Corrected ${countOf(repaired.length, 'counter')}.`)
    if (left.length > 0) return
    printLine(`${equalWords(windows)}.`)
  }
  return {
    json: { windows, differences: left, repaired },
    text,
    exitCode: left.length === 0 ? 0 : 1,
  }
}

/**
 * Parses "$12.50", "100000 tokens" or "500 requests" into its unit (money in micro-USD). With `expected`, a number
 * alone is in that unit, and another unit is a ValidationError.
 */
export function readLimit(
  text: string,
  expected?: BudgetUnit,
): { unit: BudgetUnit; amount: number } {
  const limit = parseLimit(text.trim(), expected)
  if (limit && (expected === undefined || limit.unit === expected)) return limit
  throw new ValidationError({
    limit:
      expected === undefined
        ? 'Give a limit in US dollars, tokens or requests: "$12.50", "100000 tokens" or "500 requests".'
        : `This budget counts ${expected === 'micro-usd' ? 'US dollars' : expected}. Give a limit in that unit.`,
  })
}

function parseLimit(text: string, expected: BudgetUnit | undefined) {
  const [figure = '', word] = text.split(/(?=tokens?$|requests?$)/i)
  const amount = parseCount(figure)
  const unit = word ? (/^t/i.test(word) ? 'tokens' : 'requests') : expected
  if (amount !== null && unit !== undefined && unit !== 'micro-usd') return { unit, amount }
  const micro = parseUsd(text)
  const isMoney = text.startsWith('$') || expected === 'micro-usd'
  return micro !== null && isMoney ? { unit: 'micro-usd' as const, amount: micro } : null
}
