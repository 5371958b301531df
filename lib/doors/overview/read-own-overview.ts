import 'server-only'
import { type RemainingBudget, remainingBudgets } from '@/lib/domains/budgets/remaining-budgets'
import { findRedChecks } from '@/lib/domains/checks/reads'
import { visibleConfigurations } from '@/lib/domains/configurations/usable'
import type { TaskChoice } from '@/lib/domains/tasks/schemas'
import { readMonthSpend, type Spend } from '@/lib/domains/usage/spend'
import { listRunnableTasks } from '@/lib/joined-verbs'
import type { Ctx } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { findDecidable } from '@/lib/runs/approvals/decidable-approvals'
import { countPendingApprovals } from '@/lib/runs/approvals/list-approvals'
import { type RunLine, readRunLines } from '@/lib/runs/lists/run-lines'
import { countConsents } from '@/lib/toolset/schedules/consent-verbs'

/**
 * Contents of a member's first page. `at`: time of reading; `approvals`: waiting calls of their runs; `mine`: those
 * that they may decide.
 */
export type OwnOverview = {
  at: Date
  approvals: number
  mine: number
  /** Schedules that ask to run as them. */
  consents: number
  redChecks: number
  tasks: TaskChoice[]
  spend: Spend
  budgets: RemainingBudget[]
  /** They may use some configuration now. */
  canRun: boolean
  newest: RunLine[]
}

/**
 * Reads the Overview page of a member: their runs, approvals and spend, and the budgets that limit them. Not for
 * admins, for whom the same reads return everybody's.
 */
export async function readOwnOverview(ctx: Ctx): Promise<OwnOverview> {
  const [configurations, tasks, mine, approvals, spend, { newest }, consents, red] =
    await Promise.all([
      db().configuration.findMany({ where: visibleConfigurations(ctx), select: { id: true } }),
      listRunnableTasks(ctx, {}),
      findDecidable(ctx),
      countPendingApprovals(ctx),
      readMonthSpend(ctx),
      readRunLines(ctx, ['newest'], null),
      countConsents(ctx),
      findRedChecks(db(), ctx),
    ])
  const budgets = await remainingBudgets(
    ctx,
    configurations.map(({ id }) => id),
  )
  const canRun = configurations.length > 0
  const waiting = { approvals, mine: mine.length, consents, redChecks: red.length }
  return { at: new Date(), ...waiting, tasks, spend, budgets, canRun, newest }
}
