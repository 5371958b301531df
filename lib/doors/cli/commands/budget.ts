import { type Command, Option } from 'commander'
import type { BudgetListing, BudgetScope, UnpricedRule } from '@/lib/domains/budgets/schemas'
import type { Ctx } from '@/lib/kernel/context'
import { ValidationError } from '@/lib/kernel/errors'
import { amountWords, type BudgetUnit, countOf, parseCount, parseUsd } from '@/lib/protocol/format'
import { command } from '../command'
import { printLine, printTable } from '../print'

const example = `
  toolgate budget add --site --limit '$50' --per month
  toolgate budget add --group Support --limit '200000 tokens' --per day
  toolgate budget add --user ada@example.org --limit '100 requests' --per day
  toolgate budget check`

const reads = () => import('@/lib/domains/budgets/reads')
const verbs = () => import('@/lib/domains/budgets/verbs')

type ScopeOptions = { site?: boolean; group?: string; user?: string; configuration?: string }
type AddOptions = ScopeOptions & {
  limit: string
  per?: 'day' | 'month'
  unpriced?: UnpricedRule
  disabled?: boolean
}
type EditOptions = { limit?: string; unpriced?: UnpricedRule }

export function addBudgetCommands(program: Command): void {
  const budget = program
    .command('budget')
    .description('daily and monthly limits for the site, groups, people and configurations')
    .addHelpText('after', example)
  command(budget, 'list', {
    description: 'list the budgets, the most used first',
    work: async ({ ctx }) => {
      const { budgets } = await (await reads()).listBudgets(ctx, { sort: '-used' })
      return { json: budgets, text: () => printBudgets(budgets) }
    },
  })
  command<AddOptions>(budget, 'add', {
    description: 'add a budget; it counts requests from now on',
    reason: true,
    options: (made) =>
      withUnpriced(made)
        .option('--site', 'for the whole site')
        .option('--group <name>', 'for all members of a group together')
        .option('--user <email>', 'for one person')
        .option('--configuration <name>', 'for all runs with a configuration (identifier or id)')
        .requiredOption('--limit <limit>', '"$12.50", "100000 tokens" or "500 requests"')
        .addOption(new Option('--per <window>', 'how often it resets').choices(['day', 'month']))
        .option('--disabled', 'add it switched off'),
    work: async ({ ctx, options }) => {
      const { per = 'month', unpriced, disabled, reason } = options
      const { id } = await (await verbs()).createBudget(ctx, {
        ...(await scopeOf(ctx, options)),
        ...readLimit(options.limit),
        ...{ window: per, unpriced, enabled: !disabled, reason },
      })
      return {
        json: await (await reads()).findBudget(ctx, { id }),
        text: `Added the budget (${id}).`,
      }
    },
  })
  command<EditOptions>(budget, 'edit', {
    description: 'change a budget; options you leave out keep their value',
    args: { '<id>': 'id of the budget' },
    reason: true,
    options: (made) => withUnpriced(made).option('--limit <limit>', 'the new limit'),
    work: async ({ ctx, args: [id = ''], options: { limit, unpriced, reason } }) => {
      const { findBudget } = await reads()
      const { unit } = await findBudget(ctx, { id })
      const amount = limit === undefined ? undefined : readLimit(limit, unit).amount
      await (await verbs()).updateBudget(ctx, { id, amount, unpriced, reason })
      const after = await findBudget(ctx, { id })
      return {
        json: after,
        text: () => {
          printLine('Changed the budget:')
          printBudgets([after])
        },
      }
    },
  })
  for (const [name, enabled] of [
    ['enable', true],
    ['disable', false],
  ] as const) {
    const state = enabled ? 'on' : 'off'
    command(budget, name, {
      description: `switch a budget ${state}`,
      args: { '<id>': 'id of the budget' },
      reason: true,
      work: async ({ ctx, args: [id = ''], options: { reason } }) => {
        await (await verbs()).updateBudget(ctx, { id, enabled, reason })
        return { json: { id, enabled }, text: `The budget is ${state}.` }
      },
    })
  }
  command(budget, 'delete', {
    alias: 'remove',
    description: 'delete a budget and its counters',
    args: { '<id>': 'id of the budget' },
    reason: true,
    work: async ({ ctx, args: [id = ''], options: { reason } }) => {
      await (await verbs()).deleteBudget(ctx, { id, reason })
      return { json: { id, removed: true }, text: 'Deleted the budget.' }
    },
  })
  command<{ repair?: boolean }>(budget, 'check', {
    description:
      'compare the counters of budgets with the sum of their requests; exit code 1 = they differ',
    options: (made) => made.option('--repair', 'correct counters that differ'),
    work: ({ ctx, options: { repair = false } }) => check(ctx, repair),
  })
}

function withUnpriced(made: Command): Command {
  const help = 'what a cost budget does with a model that has no price'
  return made.addOption(new Option('--unpriced <rule>', help).choices(['refuse', 'count-tokens']))
}

/** Returns whom a budget is for, from the options of a command. Throws ValidationError unless they name exactly one. */
async function scopeOf(
  ctx: Ctx,
  { site, group, user, configuration }: ScopeOptions,
): Promise<{ scope: BudgetScope; scopeId: string | null }> {
  const said = [site, group, user, configuration].filter((each) => each !== undefined)
  if (said.length !== 1) {
    throw new ValidationError({ scope: 'Give one of --site, --group, --user and --configuration.' })
  }
  if (group !== undefined) {
    const { findGroup } = await import('@/lib/domains/groups/reads')
    return { scope: 'group', scopeId: (await findGroup(ctx, group)).id }
  }
  if (user !== undefined) {
    const { findUser } = await import('@/lib/domains/users/reads')
    return { scope: 'user', scopeId: (await findUser(ctx, user)).id }
  }
  if (configuration === undefined) return { scope: 'site', scopeId: null }
  const { findConfiguration } = await import('@/lib/domains/configurations/reads')
  return { scope: 'configuration', scopeId: (await findConfiguration(ctx, configuration)).id }
}

function printBudgets(budgets: BudgetListing[]): void {
  printTable(
    ['ID', 'BUDGET', 'STATE', 'LIMIT', 'SPENT', 'RESERVED', 'USED', 'RESETS'],
    budgets.map(({ id, title, enabled, unit, amount, spent, spentAtLeast, reserved, resetsAt }) => {
      const used = `${Math.floor(((spent + reserved) / amount) * 100)} %`
      const words = `${spentAtLeast ? 'at least ' : ''}${amountWords(spent, unit)}`
      const figures = [amountWords(amount, unit), words, amountWords(reserved, unit)]
      return [id, title, enabled ? 'on' : 'off', ...figures, used, resetsAt]
    }),
  )
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
