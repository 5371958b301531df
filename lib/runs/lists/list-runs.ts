import 'server-only'
import { z } from 'zod'
import { verb } from '@/lib/edge/verb'
import type { Prisma } from '@/lib/generated/prisma/client'
import type { Ctx } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { ValidationError } from '@/lib/kernel/errors'
import { visibleRuns } from '@/lib/runs/require-run'
import { RunFilter, RunRow } from '@/lib/runs/schemas'
import { sortParts } from '@/lib/shape/sort-order'
import { mostCounted, orderOf, runConditions } from './run-query'
import { toRows, withNames } from './run-rows'

export const listRuns = verb({
  name: 'run.list',
  role: 'member',
  scope: 'runs:read',
  summary: 'Lists runs: all of them for admins, their own for members.',
  input: RunFilter,
  output: z.object({
    rows: z.array(RunRow),
    /**
     * Number of matches on all pages, at most 10,000, or 1,000 of a search, a model, a connection or a time of
     * activity. `capped`: there are more.
     */
    total: z.number(),
    capped: z.boolean(),
    page: z.number(),
    pageSize: z.number(),
    /** The `cursor` of the next page; null = there is none, or the order has no cursor. */
    nextCursor: z.string().nullable(),
  }),
  transaction: false,
  run: async ({ ctx }, filter) => {
    const { page, pageSize } = filter
    const most = mostCounted(filter)
    const [matching, after] = await Promise.all([
      runConditions(ctx, filter),
      afterCursor(ctx, filter),
    ])
    const [read, count] = await Promise.all([
      db().run.findMany({
        where: { AND: [matching, after] },
        orderBy: orderOf(filter.sort),
        skip: filter.cursor ? 0 : (page - 1) * pageSize,
        take: pageSize + 1,
        include: withNames,
      }),
      db().run.count({ where: matching, take: most + 1 }),
    ])
    const runs = read.slice(0, pageSize)
    const hasCursor = read.length > pageSize && sortParts(filter.sort).key === 'started'
    return {
      rows: await toRows(ctx, runs),
      total: Math.min(count, most),
      capped: count > most,
      page,
      pageSize,
      nextCursor: hasCursor ? (runs.at(-1)?.id ?? null) : null,
    }
  },
})

/**
 * Returns the condition on the runs after the cursor. The first part is what an index finds, however far back it is. An
 * unknown cursor, or that of a run that the caller may not see, gives an empty page.
 */
async function afterCursor(ctx: Ctx, { cursor, sort }: RunFilter): Promise<Prisma.RunWhereInput> {
  if (!cursor) return {}
  const { key, direction } = sortParts(sort)
  if (key !== 'started')
    throw new ValidationError({ cursor: 'Only the order by start has a cursor. Use page instead.' })
  const where = { AND: [{ id: cursor }, visibleRuns(ctx)] }
  const seen = await db().run.findFirst({ where, select: { createdAt: true } })
  if (!seen) return { id: { in: [] } }
  const [upTo, beyond] = direction === 'desc' ? (['lte', 'lt'] as const) : (['gte', 'gt'] as const)
  return {
    createdAt: { [upTo]: seen.createdAt },
    OR: [{ createdAt: { [beyond]: seen.createdAt } }, { id: { [beyond]: cursor } }],
  }
}
