import 'server-only'
import { readLastBackup } from '@/lib/domains/backups/last-backup'
import { readBudgetsInForce } from '@/lib/domains/budgets/reads'
import { isUsed } from '@/lib/domains/budgets/shape'
import { findRedChecks } from '@/lib/domains/checks/reads'
import { countStalePrices } from '@/lib/domains/models/count-stale-prices'
import { readMonthSpend, type Spend } from '@/lib/domains/usage/spend'
import { withPersonNames } from '@/lib/domains/users/person-names'
import { type Ctx, requireRole } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { findDecidable } from '@/lib/runs/approvals/decidable-approvals'
import { type Denial, type RefusingGate, readDenials } from '@/lib/runs/lists/denials'
import { type RunDay, readRunDays } from '@/lib/runs/lists/run-days'
import { type RunLine, readRunLines } from '@/lib/runs/lists/run-lines'
import { countConsents } from '@/lib/toolset/schedules/consent-verbs'
import { countBlocked } from '@/lib/toolset/schedules/verbs'
import { periodStart } from '@/lib/words/zone-days'
import { readSiteCounts, type SiteCounts } from './read-waiting'

/** `consents`: schedules that ask to run as the reader; `blocked`: those of the reader that start nothing. */
export type AdminWaiting = SiteCounts & {
  approvals: number
  budgets: number
  stalePrices: number
  redChecks: number
  consents: number
  blocked: number
  /** Days since the last backup; 0 = too few to tell anybody. */
  backupDays: number
  /** True = a backup is written every day. */
  isBackupScheduled: boolean
}

/** `limitMicroUsd`: the smallest monthly budget of the site; null = there is none. */
export type MonthSpend = { spend: Spend; limitMicroUsd: number | null }

/** Contents of an admin's first page. `at`: time of reading. */
export type AdminOverview = {
  at: Date
  waiting: AdminWaiting
  month: MonthSpend
  days: RunDay[]
  gates: RefusingGate[]
  denials: Denial[]
  dearest: RunLine[]
  slowest: RunLine[]
}

/** Budgets of which so many percent are spent wait for an admin, as alerts do. */
const usedPercent = 80

/** Reads the first page of an admin, from roll-ups and by indexes: it reads no more when there are more runs. Admins only. */
export async function readAdminOverview(ctx: Ctx, zone: string): Promise<AdminOverview> {
  requireRole(ctx, 'admin')
  const client = db()
  const at = new Date()
  const week = periodStart('7d', zone, at)
  const [counts, approvals, budgets, stalePrices, spend, consents, blocked, backup, redChecks] =
    await Promise.all([
      readSiteCounts(client),
      findDecidable(ctx),
      readBudgetsInForce(client),
      countStalePrices(ctx),
      readMonthSpend(ctx),
      countConsents(ctx),
      countBlocked(ctx),
      readLastBackup(),
      findRedChecks(client, ctx),
    ])
  const [days, refused, extremes] = await Promise.all([
    readRunDays(ctx, zone, at),
    readDenials(ctx, week),
    readRunLines(ctx, ['dearest', 'slowest'], week),
  ])
  const limits = budgets.flatMap(({ scope, unit, window, amount }) =>
    scope === 'site' && unit === 'micro-usd' && window === 'month' ? [amount] : [],
  )
  return {
    at,
    days,
    ...refused,
    denials: await withPersonNames(refused.denials, ['userEmail']),
    ...extremes,
    waiting: {
      ...counts,
      approvals: approvals.length,
      budgets: budgets.filter((budget) => isUsed(budget, usedPercent)).length,
      stalePrices,
      redChecks: redChecks.length,
      consents,
      blocked,
      backupDays: backup.overdueDays,
      isBackupScheduled: backup.isScheduled,
    },
    month: { spend, limitMicroUsd: limits.length > 0 ? Math.min(...limits) : null },
  }
}
