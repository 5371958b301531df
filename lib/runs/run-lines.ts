import 'server-only'
import { z } from 'zod'
import { Prisma } from '@/lib/generated/prisma/client'
import type { Ctx } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { costBound } from '@/lib/protocol/cost'
import { RunRow } from './schemas'

const shownCharacters = 200
const perList = 5

const Stored = RunRow.pick({
  runId: true,
  prompt: true,
  status: true,
  notStarted: true,
  endReason: true,
  userEmail: true,
}).extend({
  endReason: RunRow.shape.endReason.catch(null),
  configurationName: z.string().nullable(),
  costMicroUsd: z.coerce.number().nullable(),
  durationMs: z.number().nullable(),
  callTrouble: RunRow.shape.callTrouble,
  /** Whether it waits for a place to begin. */
  waits: z.boolean(),
  createdAt: z.date().transform((at) => at.toISOString()),
  estimated: z.boolean(),
  atMost: z.boolean(),
  list: z.string(),
})

/** One run in a few words. `durationMs` null = it goes on. */
export type RunLine = Omit<z.output<typeof Stored>, 'list' | 'estimated' | 'atMost'> &
  Pick<RunRow, 'costBound'>

/** The orders of the list of runs; what is equal is ordered by its start. */
const orders = {
  newest: Prisma.sql`"createdAt" DESC, id DESC`,
  dearest: Prisma.sql`"costMicroUsd" DESC NULLS LAST, "createdAt" DESC, id DESC`,
  slowest: Prisma.sql`"durationMs" DESC NULLS FIRST, "createdAt" DESC, id DESC`,
}
type Order = keyof typeof orders

/** What a run of an order has to have. */
const having: Record<Order, Prisma.Sql> = {
  newest: Prisma.sql`true`,
  dearest: Prisma.sql`"costMicroUsd" > 0`,
  slowest: Prisma.sql`NOT "notStarted"`,
}

/**
 * Returns the first five runs in each of these orders, in one statement: of everybody for admins, their own for members.
 * `since`: those that started then or later; null = all of them, for which there must be an index.
 */
export async function readRunLines<O extends Order>(
  { actor }: Ctx,
  asked: readonly O[],
  since: Date | null,
): Promise<Record<O, RunLine[]>> {
  const own =
    actor.role === 'admin' ? Prisma.sql`true` : Prisma.sql`"userId" = ${actor.userId}::uuid`
  const later = since
    ? Prisma.sql`"createdAt" >= ${since.toISOString()}::timestamp`
    : Prisma.sql`true`
  const lists = asked.map(
    (order) => Prisma.sql`
      SELECT ${order}::text AS list, id, row_number() OVER () AS place FROM (
        SELECT id FROM runs WHERE ${own} AND ${later} AND ${having[order]} ORDER BY ${orders[order]} LIMIT ${perList}) found`,
  )
  const read = await readListed(Prisma.join(lists, ' UNION ALL '))
  const of = (order: O) => read.filter(({ list }) => list === order).map(toLine)
  return Object.fromEntries(asked.map((order) => [order, of(order)])) as Record<O, RunLine[]>
}

/** Returns the last run of each of these tasks that the caller started, by the id of the task. */
export async function readLastOwnRuns(
  { actor }: Ctx,
  taskIds: readonly string[],
): Promise<Map<string, RunLine>> {
  const read = await readListed(Prisma.sql`
    SELECT "taskId"::text AS list, id, 1 AS place FROM (
      SELECT DISTINCT ON ("taskId") "taskId", id FROM runs
      WHERE "userId" = ${actor.userId}::uuid AND "taskId" = ANY (${[...taskIds]}::uuid[])
      ORDER BY "taskId", "createdAt" DESC) found`)
  return new Map(read.map((row) => [row.list, toLine(row)]))
}

/** Reads the runs that a statement finds as list, id and place, in the order of their places. */
async function readListed(listed: Prisma.Sql): Promise<z.output<typeof Stored>[]> {
  const rows = await db().$queryRaw<unknown[]>`
    SELECT p.list, r.id AS "runId", left(r.prompt, ${shownCharacters}::int) AS prompt, r.status, r."notStarted",
      r."endReason", r."waitsFor" IS NOT NULL AS waits, r."costMicroUsd", r."durationMs", r."createdAt", c.name AS "configurationName",
      u.email AS "userEmail", coalesce(x.estimated, false) AS estimated, coalesce(x."atMost", false) AS "atMost",
      k.trouble AS "callTrouble"
    FROM (${listed}) p
      JOIN runs r ON r.id = p.id JOIN users u ON u.id = r."userId"
      LEFT JOIN configurations c ON c.id = r."configurationId"
      LEFT JOIN LATERAL (
        SELECT bool_or(estimated) AS estimated, bool_or("costAtMost") AS "atMost"
        FROM usage_records WHERE "runId" = r.id) x ON true
      CROSS JOIN LATERAL (
        SELECT jsonb_build_object('failed', count(*) FILTER (WHERE outcome IN ('failed', 'invalid-arguments')),
          'denied', count(*) FILTER (WHERE outcome = 'denied'),
          'timedOut', count(*) FILTER (WHERE outcome = 'timed-out')) AS trouble
        FROM call_records WHERE "runId" = r.id) k
    ORDER BY p.place`
  return z.array(Stored).parse(rows)
}

function toLine({ list: _list, estimated, atMost, ...run }: z.output<typeof Stored>): RunLine {
  return { ...run, costBound: costBound({ estimated, atMost }) }
}
