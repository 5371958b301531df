import { z } from 'zod'
import type { Budget } from '../../generated/prisma/client'
import type {
  BudgetUnit as UnitColumn,
  UnpricedRule as UnpricedColumn,
} from '../../generated/prisma/enums'
import type { ChangeTx, Tx } from '../../kernel/db'
import { ConflictError, NotFoundError, ValidationError } from '../../kernel/errors'
import { parseId } from '../../kernel/parse-id'
import { changed, unchanged, verb } from '../../kernel/verb'
import type { BudgetUnit } from '../../protocol/format'
import { notifyBudgetChange } from './budget-channel'
import { CreateBudget, type UnpricedRule, UpdateBudget } from './schemas'

/** The most budgets, because each call reads all that apply to it. */
const maxBudgets = 1_000

const budgetId = (id: string) => parseId(id, 'This budget')

/** Throws ValidationError when what the budget is for does not exist, ConflictError when there are too many. */
export const createBudget = verb({
  name: 'budget.create',
  role: 'admin',
  scope: 'budgets:write',
  summary:
    'Adds a budget. It counts requests that begin from now on, not those of its window so far.',
  reason: 'optional',
  input: CreateBudget,
  output: z.object({ id: z.string() }),
  run: async ({ tx, actor }, asked) => {
    await refuseTooMany(tx)
    await requireScope(tx, asked)
    const budget = await tx.budget.create({
      data: {
        ...asked,
        unit: unitColumn(asked.unit),
        unpriced: unpricedColumn(asked.unpriced),
        createdByLabel: actor.email,
      },
    })
    await notifyBudgetChange(tx)
    return changed({ id: budget.id }, { subject: budget.id, after: audited(budget) })
  },
})

/** Throws NotFoundError when it is gone. Off, a budget still settles the calls that it holds something for. */
export const updateBudget = verb({
  name: 'budget.update',
  role: 'admin',
  scope: 'budgets:write',
  summary:
    'Changes a budget from the next request on, or switches it. What it has counted stays, and so do fields that are left out.',
  reason: 'optional',
  input: UpdateBudget,
  audits: ['budget.update', 'budget.switch-on', 'budget.switch-off'],
  run: async ({ tx }, { id, amount, unpriced, enabled }) => {
    const before = await find(tx, id)
    const facts = await change(tx, before, {
      ...(amount !== undefined && { amount: BigInt(amount) }),
      ...(unpriced !== undefined && { unpriced: unpricedColumn(unpriced) }),
    })
    const after = await change(tx, facts, { ...(enabled !== undefined && { enabled }) })
    if (after === before) return unchanged(undefined)
    await notifyBudgetChange(tx)
    const action = after.enabled ? ('budget.switch-on' as const) : ('budget.switch-off' as const)
    return changed(
      undefined,
      ...(facts === before ? [] : [difference(before, facts)]),
      ...(after === facts ? [] : [{ ...difference(facts, after), action }]),
    )
  },
})

/** Throws NotFoundError when it is gone. */
export const deleteBudget = verb({
  name: 'budget.delete',
  role: 'admin',
  scope: 'budgets:write',
  summary: 'Deletes a budget with everything that it has counted. Its alerts stay.',
  reason: 'optional',
  input: z.object({ id: z.string() }),
  run: async ({ tx }, input) => {
    const id = budgetId(input.id)
    // The same order of locks as elsewhere, which avoids deadlocks: the ledger and its counters as in a settlement,
    // the budget last, as in a reservation.
    await tx.$queryRaw`
      SELECT 1 FROM budget_reservations WHERE "budgetId" = ${id}::uuid ORDER BY id FOR UPDATE`
    await tx.$queryRaw`
      SELECT 1 FROM budget_counters WHERE "budgetId" = ${id}::uuid
      ORDER BY "budgetId", "windowStart" FOR UPDATE`
    const before = await find(tx, id)
    await tx.budget.delete({ where: { id } })
    await notifyBudgetChange(tx)
    return changed(undefined, { subject: id, before: audited(before), after: null })
  },
})

async function find(tx: Tx, id: string): Promise<Budget> {
  const budget = await tx.budget.findUnique({ where: { id: budgetId(id) } })
  if (!budget) throw new NotFoundError('This budget')
  return budget
}

/** Writes what differs; returns the same row when nothing does. */
async function change(tx: ChangeTx, before: Budget, data: Partial<Budget>): Promise<Budget> {
  const fields = Object.keys(data) as (keyof Budget)[]
  if (fields.every((field) => data[field] === before[field])) return before
  return tx.budget.update({ where: { id: before.id }, data })
}

function difference(before: Budget, after: Budget) {
  return { subject: before.id, before: audited(before), after: audited(after) }
}

/** Returns the audited fields of a budget. */
function audited({ scope, scopeId, window, unit, amount, unpriced, enabled }: Budget) {
  return {
    ...{ scope, scopeId, window, unit: unit === 'micro_usd' ? 'micro-usd' : unit },
    ...{ amount: Number(amount), unpriced: unpricedOf(unpriced), enabled },
  }
}

async function refuseTooMany(tx: Tx): Promise<void> {
  if ((await tx.budget.count()) < maxBudgets) return
  throw new ConflictError(`There are already ${maxBudgets} budgets, the maximum. Delete one first.`)
}

type Asked = Pick<z.output<typeof CreateBudget>, 'scope' | 'scopeId'>

async function requireScope(tx: Tx, { scope, scopeId }: Asked): Promise<void> {
  if (scopeId === null || (await scopeExists(tx, scope, scopeId))) return
  throw new ValidationError({ scopeId: `This ${wordOf[scope]} does not exist. Pick another.` })
}

const wordOf = { site: 'site', group: 'group', user: 'person', configuration: 'configuration' }

async function scopeExists(tx: Tx, scope: Asked['scope'], id: string): Promise<boolean> {
  switch (scope) {
    case 'site':
      return true
    case 'group':
      return (await tx.group.count({ where: { id } })) > 0
    case 'user':
      return (await tx.user.count({ where: { id, deletedAt: null } })) > 0
    case 'configuration':
      return (await tx.configuration.count({ where: { id } })) > 0
    default:
      return scope satisfies never
  }
}

// Enum values of the database client cannot hold a hyphen.
const units: Record<BudgetUnit, UnitColumn> = {
  requests: 'requests',
  tokens: 'tokens',
  'micro-usd': 'micro_usd',
}
const rules: Record<UnpricedRule, UnpricedColumn> = {
  refuse: 'refuse',
  'count-tokens': 'count_tokens',
}

export const unitColumn = (unit: BudgetUnit): UnitColumn => units[unit]
export const unpricedColumn = (rule: UnpricedRule): UnpricedColumn => rules[rule]
export const unpricedOf = (column: UnpricedColumn): UnpricedRule =>
  column === 'refuse' ? 'refuse' : 'count-tokens'
