import { z } from 'zod'
import { Prisma } from '@/lib/generated/prisma/client'
import type { Ctx } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { readUsageTotals } from './reads'
import { costWords } from './shared/cost-words'
import { UsageFigures } from './shared/usage-figures'
import { figureQuery, keyOfRow, ofKeys } from './usage-sql'
import { usageWindow } from './usage-window'

/** Returns what a person's requests used in this month and in the last one, in UTC as budgets count. Admins only. */
export async function readUserSpend(
  ctx: Ctx,
  user: string,
): Promise<{ thisMonth: UsageFigures; lastMonth: UsageFigures }> {
  const now = new Date()
  const [thisMonth, lastMonth] = await Promise.all([
    readUsageTotals(ctx, usageWindow('this-month', now), { user }),
    readUsageTotals(ctx, usageWindow('last-month', now), { user }),
  ])
  return { thisMonth, lastMonth }
}

const Spend = UsageFigures.pick({
  costMicroUsd: true,
  unpriced: true,
  estimated: true,
  atMost: true,
  calls: true,
})
export type Spend = z.infer<typeof Spend>

/**
 * Returns what requests cost in this month, in UTC as budgets count: those of the site for admins, and the caller's own
 * for members.
 */
export async function readMonthSpend({ actor }: Ctx): Promise<Spend> {
  const [row] = await db().$queryRaw<unknown[]>(
    figureQuery({
      window: usageWindow('this-month', new Date()),
      scope: actor.role === 'admin' ? {} : { user: actor.userId },
      step: null,
      groups: {},
      withLatency: false,
      withRuns: false,
    }),
  )
  return Spend.parse(row)
}

const OfKey = UsageFigures.omit({ p50Ms: true, p95Ms: true }).extend({ key: z.uuid() })
/** Spending of one API key's runs this month. `cost` in words: "at least $0.42". */
export type KeySpend = z.infer<typeof OfKey> & { cost: string }

/**
 * Returns what the runs of each of these API keys used this month, in UTC. Keys without requests are missing, and so are
 * other people's, unless an admin asks.
 */
export async function readKeySpend(ctx: Ctx, keyIds: readonly string[]): Promise<KeySpend[]> {
  const { userId, role } = ctx.actor
  const owner = role === 'admin' ? {} : { userId }
  const keys = await db().apiKey.findMany({
    where: { id: { in: [...keyIds] }, ...owner },
    select: { id: true },
  })
  const query = figureQuery({
    window: usageWindow('this-month', new Date()),
    scope: {},
    step: null,
    groups: { key: Prisma.sql`${keyOfRow}::text` },
    by: 'apiKey',
    only: ofKeys(keys.map(({ id }) => id)),
    withLatency: false,
  })
  const figures = z.array(OfKey).parse(await db().$queryRaw<unknown[]>(query))
  return figures.map((each) => ({ ...each, cost: costWords(each) }))
}
