import { checkBudgets, repairBudgets } from '@/lib/domains/budgets/check-budgets'
import { createBudget } from '@/lib/domains/budgets/create-budget'
import { deleteBudget } from '@/lib/domains/budgets/delete-budget'
import { findBudget } from '@/lib/domains/budgets/find-budget'
import { listBudgets } from '@/lib/domains/budgets/list-budgets'
import type { BudgetListing, UnpricedRule } from '@/lib/domains/budgets/schemas'
import { setBudgetEnabled } from '@/lib/domains/budgets/set-budget-enabled'
import { updateBudget } from '@/lib/domains/budgets/update-budget'
import { amountWords, type BudgetUnit } from '@/lib/protocol/budget-amount'
import { countOf } from '@/lib/protocol/format'
import { actingCtx } from './acting-ctx'
import { type BudgetScopeOptions, scopeOf } from './budget-scope'
import type { CommonOptions } from './common-options'
import { printJson, printLine, printTable } from './print'
import { readLimit } from './read-limit'

export type AddBudgetOptions = CommonOptions &
  BudgetScopeOptions & {
    limit: string
    per: 'day' | 'month'
    unpriced?: UnpricedRule
    disabled?: boolean
    reason?: string
  }
export type EditBudgetOptions = CommonOptions & {
  limit?: string
  unpriced?: UnpricedRule
  reason?: string
}
export type ReasonOptions = CommonOptions & { reason?: string }
export type CheckOptions = CommonOptions & { repair?: boolean }

export async function printBudgets(options: CommonOptions): Promise<void> {
  const { budgets } = await listBudgets(await actingCtx(options.as), { sort: '-used' })
  if (options.json) return printJson(budgets)
  printBudgetTable(budgets)
}

function printBudgetTable(budgets: BudgetListing[]): void {
  printTable(
    ['ID', 'BUDGET', 'STATE', 'LIMIT', 'SPENT', 'RESERVED', 'USED', 'RESETS'],
    budgets.map((budget) => {
      const { id, title, enabled, unit, amount, spent, reserved, resetsAt } = budget
      const used = `${Math.floor(((spent + reserved) / amount) * 100)} %`
      const figures = [amount, spent, reserved].map((figure) => amountWords(figure, unit))
      return [id, title, enabled ? 'on' : 'off', ...figures, used, resetsAt]
    }),
  )
}

export async function addBudget(options: AddBudgetOptions): Promise<void> {
  const ctx = await actingCtx(options.as)
  const { id } = await createBudget(ctx, {
    ...(await scopeOf(ctx, options)),
    ...readLimit(options.limit),
    window: options.per,
    unpriced: options.unpriced,
    enabled: !options.disabled,
    reason: options.reason,
  })
  if (options.json) return printJson(await findBudget(ctx, id))
  printLine(`Added the budget (${id}).`)
}

/** What the options leave out stays. */
export async function editBudget(id: string, options: EditBudgetOptions): Promise<void> {
  const ctx = await actingCtx(options.as)
  const before = await findBudget(ctx, id)
  await updateBudget(ctx, id, {
    amount: options.limit === undefined ? before.amount : amountIn(before.unit, options.limit),
    unpriced: options.unpriced ?? before.unpriced,
    reason: options.reason,
  })
  const after = await findBudget(ctx, id)
  if (options.json) return printJson(after)
  printLine('Changed the budget:')
  printBudgetTable([after])
}

function amountIn(unit: BudgetUnit, limit: string): number {
  const read = readLimit(limit, unit)
  return read.amount
}

export async function switchBudget(
  id: string,
  enabled: boolean,
  { reason, ...options }: ReasonOptions,
): Promise<void> {
  await setBudgetEnabled(await actingCtx(options.as), { id, enabled, reason })
  if (options.json) return printJson({ id, enabled })
  printLine(`The budget is ${enabled ? 'on' : 'off'}.`)
}

export async function removeBudget(id: string, { reason, ...options }: ReasonOptions) {
  await deleteBudget(await actingCtx(options.as), id, { reason })
  if (options.json) return printJson({ id, removed: true })
  printLine('Deleted the budget.')
}

/** Exit code 1 when counters differ and are left as they are. */
export async function checkLedgers(options: CheckOptions): Promise<number> {
  const ctx = await actingCtx(options.as)
  const { windows, differences } = await checkBudgets(ctx)
  const repaired = options.repair ? await repairBudgets(ctx) : []
  const left = options.repair ? (await checkBudgets(ctx)).differences : differences
  if (options.json) printJson({ windows, differences: left, repaired })
  else {
    for (const { title, windowStart, counter, ledger } of options.repair ? repaired : left) {
      const words = (held: typeof counter) => `spent ${held.spent}, reserved ${held.reserved}`
      printLine(
        `${title}, from ${windowStart}: the counter says ${words(counter)}; its requests say ${words(ledger)}`,
      )
    }
    if (repaired.length > 0) printLine(`Corrected ${countOf(repaired.length, 'counter')}.`)
    if (left.length === 0)
      printLine(
        `${countOf(windows, 'counter equals the sum of its requests', 'counters equal the sum of their requests')}.`,
      )
  }
  return left.length === 0 ? 0 : 1
}
