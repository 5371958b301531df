import 'server-only'
import { z } from 'zod'
import { Prisma } from '@/lib/generated/prisma/client'
import type { Ctx } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { costBound } from '@/lib/protocol/cost/cost'
import type { PanelRow } from '@/lib/runs/panels/panel-schemas'
import { readPanelRows } from '@/lib/runs/panels/panels'
import { RunRow } from '@/lib/runs/schemas'

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
  /** It waits for a place to begin. */
  waits: z.boolean(),
  panelId: z.string().nullable(),
  createdAt: z.date().transform((at) => at.toISOString()),
  estimated: z.boolean(),
  atMost: z.boolean(),
  list: z.string(),
})

type StoredLine = z.output<typeof Stored>

/**
 * One run in a few words. `durationMs` null = it goes on. With a `panel`, the line is that of all its members: their title, their cost
 * together, and their time from the first start to the last end.
 */
export type RunLine = Omit<StoredLine, 'list' | 'estimated' | 'atMost' | 'panelId'> &
  Pick<RunRow, 'costBound'> & { panel: Pick<PanelRow, 'panelId' | 'status' | 'members'> | null }

/** The orders of the list of runs; what is equal is ordered by its start. */
const orders = {
  newest: Prisma.sql`"createdAt" DESC, id DESC`,
  dearest: Prisma.sql`"costMicroUsd" DESC NULLS LAST, "createdAt" DESC, id DESC`,
  slowest: Prisma.sql`"durationMs" DESC NULLS FIRST, "createdAt" DESC, id DESC`,
}
type Order = keyof typeof orders

/** Condition for the runs in a list of this order. */
const having: Record<Order, Prisma.Sql> = {
  newest: Prisma.sql`true`,
  dearest: Prisma.sql`"costMicroUsd" > 0`,
  slowest: Prisma.sql`NOT "notStarted"`,
}

/** Columns that both kinds of lines need for the order: those of a run, or those of all members of a panel. */
const ofRun = Prisma.sql`id, NULL::uuid AS "panelId", ARRAY[id] AS runs, "costMicroUsd", "durationMs", "createdAt"`
const ofPanel = Prisma.sql`min(r.id::text)::uuid AS id, p.id AS "panelId", array_agg(r.id) AS runs,
  CASE WHEN bool_and(r."costMicroUsd" IS NOT NULL) THEN sum(r."costMicroUsd")::bigint END AS "costMicroUsd",
  CASE WHEN NOT p."hasTurns" AND bool_and(r."endedAt" IS NOT NULL)
    THEN round(extract(epoch FROM max(r."endedAt") - min(r."createdAt")) * 1000)::int END AS "durationMs",
  min(r."createdAt") AS "createdAt", bool_and(r."notStarted") AS "notStarted"`

/**
 * Returns the first five runs in each of these orders: of everybody for admins, their own for members. The members of a panel
 * are one line, in the order of their cost and time together. `since`: those that started then or later; null = all of them,
 * for which there must be an index.
 */
export async function readRunLines<O extends Order>(
  ctx: Ctx,
  input: readonly O[],
  since: Date | null,
): Promise<Record<O, RunLine[]>> {
  const { actor } = ctx
  const own =
    actor.role === 'admin' ? Prisma.sql`true` : Prisma.sql`"userId" = ${actor.userId}::uuid`
  const later = since
    ? Prisma.sql`"createdAt" >= ${since.toISOString()}::timestamp`
    : Prisma.sql`true`
  // Without a time, only the newest panels can be among the newest lines.
  const panels = Prisma.sql`SELECT id, "hasTurns" FROM panels WHERE ${own} AND ${later}
    ORDER BY "createdAt" DESC, id DESC ${since ? Prisma.empty : Prisma.sql`LIMIT ${perList}`}`
  const lists = input.map(
    (order) => Prisma.sql`
      SELECT ${order}::text AS list, found.*, row_number() OVER (ORDER BY ${orders[order]}) AS place FROM (
        (SELECT ${ofRun} FROM runs WHERE "panelId" IS NULL AND ${own} AND ${later} AND ${having[order]}
          ORDER BY ${orders[order]} LIMIT ${perList})
        UNION ALL
        (SELECT id, "panelId", runs, "costMicroUsd", "durationMs", "createdAt" FROM (
          SELECT ${ofPanel} FROM (${panels}) p JOIN runs r ON r."panelId" = p.id GROUP BY p.id, p."hasTurns") members
          WHERE ${having[order]} ORDER BY ${orders[order]} LIMIT ${perList})
        ORDER BY ${orders[order]} LIMIT ${perList}) found`,
  )
  const lines = await readListed(ctx, Prisma.join(lists, ' UNION ALL '))
  const of = (order: O) => lines.get(order) ?? []
  return Object.fromEntries(input.map((order) => [order, of(order)])) as Record<O, RunLine[]>
}

/** Returns the last run of each of these tasks that the caller started, by the id of the task. */
export async function readLastOwnRuns(
  ctx: Ctx,
  taskIds: readonly string[],
): Promise<Map<string, RunLine>> {
  const lines = await readListed(
    ctx,
    Prisma.sql`
    SELECT "taskId"::text AS list, ${ofRun}, 1 AS place FROM (
      SELECT DISTINCT ON ("taskId") * FROM runs
      WHERE "userId" = ${ctx.actor.userId}::uuid AND "taskId" = ANY (${[...taskIds]}::uuid[])
      ORDER BY "taskId", "createdAt" DESC) found`,
  )
  return new Map([...lines].flatMap(([taskId, [line]]) => (line ? [[taskId, line]] : [])))
}

/** Reads what a statement finds as lines, in the order of their places, by the list that each is of. */
async function readListed(ctx: Ctx, listed: Prisma.Sql): Promise<Map<string, RunLine[]>> {
  const rows = await db().$queryRaw<unknown[]>`
    SELECT p.list, p."panelId", r.id AS "runId", left(r.prompt, ${shownCharacters}::int) AS prompt, r.status, r."notStarted",
      r."endReason", r."waitsFor" IS NOT NULL AS waits, p."costMicroUsd", p."durationMs", p."createdAt", c.name AS "configurationName",
      u.email AS "userEmail", coalesce(x.estimated, false) AS estimated, coalesce(x."atMost", false) AS "atMost",
      k.trouble AS "callTrouble"
    FROM (${listed}) p
      JOIN runs r ON r.id = p.id JOIN users u ON u.id = r."userId"
      LEFT JOIN configurations c ON c.id = r."configurationId"
      LEFT JOIN LATERAL (
        SELECT bool_or(estimated) AS estimated, bool_or("costAtMost") AS "atMost"
        FROM usage_records WHERE "runId" = ANY (p.runs)) x ON true
      CROSS JOIN LATERAL (
        SELECT jsonb_build_object('failed', count(*) FILTER (WHERE outcome IN ('failed', 'invalid-arguments')),
          'denied', count(*) FILTER (WHERE outcome = 'denied'),
          'timedOut', count(*) FILTER (WHERE outcome = 'timed-out')) AS trouble
        FROM call_records WHERE "runId" = ANY (p.runs)) k
    ORDER BY p.place`
  const read = z.array(Stored).parse(rows)
  const ids = read.flatMap(({ panelId }) => panelId ?? [])
  const panels = ids.length > 0 ? await readPanelRows(ctx, ids) : []
  const lists = [...new Set(read.map(({ list }) => list))]
  const linesOf = (list: string) =>
    read.filter((row) => row.list === list).map((row) => toLine(row, panels))
  return new Map(lists.map((list) => [list, linesOf(list)]))
}

function toLine(
  { list: _list, estimated, atMost, panelId, ...run }: StoredLine,
  panels: readonly PanelRow[],
): RunLine {
  const found = panels.find((each) => each.panelId === panelId)
  const panel = found
    ? { panelId: found.panelId, status: found.status, members: found.members }
    : null
  const prompt = found?.title ?? run.prompt
  return { ...run, prompt, panel, costBound: costBound({ estimated, atMost }) }
}
