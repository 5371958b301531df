import type { z } from 'zod'
import { type Ctx, requireRole } from '../../kernel/context'
import { type Tx, withTransaction } from '../../kernel/db'
import { ConflictError, ValidationError } from '../../kernel/errors'
import { parseInput } from '../../kernel/parse-input'
import { recordAudit } from '../audit/record-audit'
import { auditedBudget } from './audited-budget'
import { notifyBudgetChange } from './budget-channel'
import { CreateBudget } from './schemas'
import { unitColumn, unpricedColumn } from './stored-unit'

/** Each call looks at all that apply to it. */
const maxBudgets = 1_000

/**
 * Adds a budget (SPEC M1). It counts calls that begin from now on, not those of its window so far; several may be for
 * the same. ValidationError when what it is for does not exist. Admins only.
 */
export async function createBudget(ctx: Ctx, input: CreateBudget): Promise<{ id: string }> {
  requireRole(ctx, 'admin')
  const { reason, ...asked } = parseInput(CreateBudget, input)
  return withTransaction(async (tx) => {
    await refuseTooMany(tx)
    await requireScope(tx, asked)
    const budget = await tx.budget.create({
      data: {
        ...asked,
        unit: unitColumn(asked.unit),
        unpriced: unpricedColumn(asked.unpriced),
        createdByLabel: ctx.actor.email,
      },
    })
    await recordAudit(tx, ctx, {
      action: 'budget.create',
      objectType: 'budget',
      objectId: budget.id,
      after: auditedBudget(budget),
      reason,
    })
    await notifyBudgetChange(tx)
    return { id: budget.id }
  })
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
