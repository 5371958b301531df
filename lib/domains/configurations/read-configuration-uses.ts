import { type Ctx, requireRole } from '../../kernel/context'
import { db, type Tx } from '../../kernel/db'
import { parseId } from '../../kernel/parse-id'

type Named = { id: string; name: string }

/** Who and what would miss a configuration. `runs` are those of the last 30 days, `going` those not ended yet. */
export type ConfigurationUses = {
  tasks: Named[]
  groups: Named[]
  rules: Named[]
  budgets: { id: string; window: 'day' | 'month'; unit: 'requests' | 'tokens' | 'micro_usd' }[]
  runs: number
  going: number
  /** Of those going, by e-mail. */
  runners: string[]
}

const periodMs = 30 * 86_400_000
const mostNames = 100

/** What uses a configuration. Nothing is used of one that does not exist. Admins only. */
export async function readConfigurationUses(
  ctx: Ctx,
  configurationId: string,
): Promise<ConfigurationUses> {
  requireRole(ctx, 'admin')
  return usesOf(db(), parseId(configurationId, 'The configuration'))
}

/** The same inside a transaction. */
export async function usesOf(tx: Tx, configurationId: string): Promise<ConfigurationUses> {
  const mine = {
    where: { configurationId },
    select: { id: true, name: true },
    orderBy: { name: 'asc' },
    take: mostNames,
  } as const
  const since = new Date(Date.now() - periodMs)
  const going = { configurationId, NOT: { status: 'ended' } } as const
  const groups = await tx.configurationGroup.findMany({
    where: { configurationId },
    select: { group: { select: { id: true, name: true } } },
    orderBy: { group: { name: 'asc' } },
  })
  const runners = await tx.run.findMany({
    where: going,
    select: { user: { select: { email: true } } },
    distinct: ['userId'],
    take: mostNames,
  })
  return {
    tasks: await tx.task.findMany(mine),
    groups: groups.map(({ group }) => group),
    rules: await tx.approvalRule.findMany(mine),
    budgets: await tx.budget.findMany({
      where: { scope: 'configuration', scopeId: configurationId },
      select: { id: true, window: true, unit: true },
      take: mostNames,
    }),
    runs: await tx.run.count({ where: { configurationId, createdAt: { gte: since } } }),
    going: await tx.run.count({ where: going }),
    runners: runners.map(({ user }) => user.email).toSorted(),
  }
}
