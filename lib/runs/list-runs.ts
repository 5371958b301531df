import 'server-only'
import { z } from 'zod'
import { Prisma } from '@/lib/generated/prisma/client'
import type { Ctx } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { ValidationError } from '@/lib/kernel/errors'
import { verb } from '@/lib/kernel/verb'
import { costBound } from '@/lib/protocol/cost'
import { FailureCategory } from '@/lib/protocol/failure'
import { type SortDirection, sortParts } from '@/lib/protocol/sort-order'
import type { Waiting } from '@/lib/protocol/waiting'
import { waitingOf } from './read-waiting'
import { visibleRuns } from './require-run'
import { toEndReason, toSource } from './run-record'
import { RunFilter, RunRequest, RunRow, type RunSortKey } from './schemas'

const excerptCharacters = 200
/** Each run that a filter on requests or calls matches has to be looked for in their records, so fewer are counted. */
const countedAtMost = { byRow: 10_000, byRecords: 1_000 }

export const listRuns = verb({
  name: 'run.list',
  role: 'member',
  scope: 'runs:read',
  summary: 'Lists runs: all of them for admins, their own for members.',
  input: RunFilter,
  output: z.object({
    rows: z.array(RunRow),
    /** How many match on all pages, at most 10,000, or 1,000 of a model, connection or tool. `capped`: there are more. */
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
    const most = usedBy(filter).length > 0 ? countedAtMost.byRecords : countedAtMost.byRow
    const [matching, after] = await Promise.all([whereOf(ctx, filter), afterCursor(filter)])
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
    const [facts, waiting] = await Promise.all([
      readFacts(runs.map(({ id }) => id)),
      waitingOf(ctx, runs),
    ])
    return {
      rows: runs.map((run) => toRow(run, facts.get(run.id), waiting.get(run.id))),
      total: Math.min(count, most),
      capped: count > most,
      ...{ page, pageSize },
      nextCursor: hasCursor ? (runs.at(-1)?.id ?? null) : null,
    }
  },
})

/**
 * Returns the condition on the runs after the cursor. The first part is what an index finds, however far back it is. An
 * unknown cursor gives an empty page.
 */
async function afterCursor({ cursor, sort }: RunFilter): Promise<Prisma.RunWhereInput> {
  if (!cursor) return {}
  const { key, direction } = sortParts(sort)
  if (key !== 'started')
    throw new ValidationError({ cursor: 'Only the order by start has a cursor. Use page instead.' })
  const seen = await db().run.findUnique({ where: { id: cursor }, select: { createdAt: true } })
  if (!seen) return { id: { in: [] } }
  const [upTo, beyond] = direction === 'desc' ? (['lte', 'lt'] as const) : (['gte', 'gt'] as const)
  return {
    createdAt: { [upTo]: seen.createdAt },
    OR: [{ createdAt: { [beyond]: seen.createdAt } }, { id: { [beyond]: cursor } }],
  }
}

async function whereOf(ctx: Ctx, filter: RunFilter): Promise<Prisma.RunWhereInput> {
  const conditions: Prisma.RunWhereInput[] = [visibleRuns(ctx)]
  if (filter.status) conditions.push({ status: filter.status })
  if (filter.reason) conditions.push({ endReason: filter.reason })
  if (filter.configuration) conditions.push({ configurationId: filter.configuration })
  if (filter.task) conditions.push({ taskId: filter.task })
  if (filter.apiKey) conditions.push({ apiKeyId: filter.apiKey })
  conditions.push(...usedBy(filter))
  if (filter.from) conditions.push({ createdAt: { gte: new Date(filter.from) } })
  if (filter.to) conditions.push({ createdAt: { lt: new Date(filter.to) } })
  if (filter.user) conditions.push({ userId: filter.user })
  if (filter.search) conditions.push(await matches(filter.search))
  return { AND: conditions }
}

/**
 * Matches runs with one model request that fits model, connection and time. With a tool, the time is that of its calls,
 * as in the usage of tools.
 */
function usedBy(filter: RunFilter): Prisma.RunWhereInput[] {
  const { tool, model, connection, usedFrom, usedTo } = filter
  const during = {
    ...(usedFrom && { gte: new Date(usedFrom) }),
    ...(usedTo && { lt: new Date(usedTo) }),
  }
  const timed = usedFrom || usedTo ? { at: during } : {}
  const request = {
    ...(model && { modelRecordId: model }),
    ...(connection && { connectionId: connection }),
    ...(!tool && timed),
  }
  const asked = Object.keys(request).length > 0 ? [{ usageRecords: { some: request } }] : []
  return tool ? [...asked, { callRecords: { some: { toolName: tool, ...timed } } }] : asked
}

/**
 * Returns the condition of a search. Names are looked up first, so that each part is a condition on the row of a run.
 * Prompts of runs that are rolled up are in an index; the others are few.
 */
async function matches(search: string): Promise<Prisma.RunWhereInput> {
  const contains = {
    contains: search.replace(/[\\%_]/g, '\\$&'),
    mode: Prisma.QueryMode.insensitive,
  }
  const named = { OR: [{ name: contains }, { identifier: contains }] }
  const select = { id: true } as const
  const [users, configurations, tasks] = await Promise.all([
    db().user.findMany({ where: { email: contains }, select }),
    db().configuration.findMany({ where: named, select }),
    db().task.findMany({ where: named, select }),
  ])
  const among = (rows: { id: string }[]) => ({ in: rows.map(({ id }) => id) })
  return {
    OR: [
      { rolledUp: true, prompt: contains },
      { rolledUp: false, prompt: contains },
      ...(users.length > 0 ? [{ userId: among(users) }] : []),
      ...(configurations.length > 0 ? [{ configurationId: among(configurations) }] : []),
      ...(tasks.length > 0 ? [{ taskId: among(tasks) }] : []),
    ],
  }
}

function orderOf(sort: RunFilter['sort']): Prisma.RunOrderByWithRelationInput[] {
  const { key, direction } = sortParts(sort)
  return [...columns[key](direction), { createdAt: 'desc' }, { id: 'desc' }]
}

/** Runs without a cost come last in both directions; a run without a duration yet counts as the longest. */
const columns = {
  started: (way) => [{ createdAt: way }, { id: way }],
  configuration: (way) => [{ configuration: { name: way } }],
  user: (way) => [{ user: { email: way } }],
  rounds: (way) => [{ rounds: way }],
  calls: (way) => [{ calls: way }],
  tokens: (way) => [{ inputTokens: way }, { outputTokens: way }],
  cost: (way) => [{ costMicroUsd: { sort: way, nulls: 'last' } }],
  duration: (way) => [{ durationMs: { sort: way, nulls: way === 'desc' ? 'first' : 'last' } }],
} satisfies Record<RunSortKey, (way: SortDirection) => Prisma.RunOrderByWithRelationInput[]>

const withNames = {
  user: { select: { email: true } },
  configuration: { select: { name: true } },
  task: { select: { id: true, name: true } },
} as const satisfies Prisma.RunInclude

function wordFor(request: Prisma.JsonValue): string {
  const kind = RunRequest.safeParse(request).data?.kind
  return kind === 'model-test' ? 'test of a model' : 'deleted configuration'
}

type RunWithNames = Prisma.RunGetPayload<{ include: typeof withNames }>

const Facts = z.object({
  runId: z.string(),
  estimated: z.boolean(),
  atMost: z.boolean(),
  waitedForPeopleMs: z.number(),
  waitedForPlaceMs: z.number(),
  failure: z
    .object({ category: FailureCategory, connectionId: z.string(), modelRecordId: z.string() })
    .nullable()
    .catch(null),
})
type Facts = z.infer<typeof Facts>

/**
 * Reads how reliable the costs of these runs are, how long they waited, as `waitsOf` says it, and which failure of which model ended them: the model that was asked
 * last or would have been, else the one whose answer broke off.
 */
async function readFacts(ids: readonly string[]): Promise<Map<string, Facts>> {
  const rows = await db().$queryRaw<unknown[]>`
    SELECT r.id AS "runId", coalesce(u.estimated, false) AS estimated, coalesce(u."atMost", false) AS "atMost",
      coalesce(p.ms, 0)::float8 AS "waitedForPeopleMs",
      coalesce(greatest(0, extract(epoch FROM b.at - r."createdAt") * 1000), 0)::float8 AS "waitedForPlaceMs",
      CASE WHEN f.category IS NOT NULL THEN jsonb_build_object('category', f.category,
        'connectionId', f.target->>'connectionId', 'modelRecordId', f.target->>'modelRecordId') END AS failure
    FROM runs r
      LEFT JOIN LATERAL (
        SELECT bool_or(estimated) AS estimated, bool_or("costAtMost") AS "atMost"
        FROM usage_records WHERE "runId" = r.id) u ON true
      LEFT JOIN LATERAL (
        SELECT sum(greatest(0, extract(epoch FROM greatest(w.decided, CASE WHEN w.open > 0 THEN r."endedAt" END) - w.asked) * 1000)) AS ms
        FROM (
          SELECT min(e.at) FILTER (WHERE e.type = 'approval-request') AS asked,
            max(e.at) FILTER (WHERE e.type = 'approval-decision') AS decided,
            count(*) FILTER (WHERE e.type = 'approval-request') - count(*) FILTER (WHERE e.type = 'approval-decision') AS open
          FROM (SELECT a."runId" FROM approvals a WHERE a."runId" = r.id LIMIT 1) asking
            JOIN run_events e ON e."runId" = asking."runId"
          WHERE e.type IN ('approval-request', 'approval-decision')
          GROUP BY e.data->'round') w) p ON true
      LEFT JOIN LATERAL (
        SELECT e.at FROM run_events e
        WHERE e."runId" = r.id AND e.type = 'round-start' ORDER BY e.seq LIMIT 1) b ON true
      LEFT JOIN LATERAL (
        SELECT e.data->'failure'->>'category' AS category,
          s.data->'snapshot'->'targets'->coalesce((e.data->'failedCall'->>'target')::int, (
            SELECT (m.data->>'target')::int FROM run_events m
            WHERE m."runId" = r.id AND m.type = 'message' ORDER BY m.seq DESC LIMIT 1)) AS target
        FROM run_events e JOIN run_events s ON s."runId" = e."runId" AND s.type = 'run-start'
        WHERE e."runId" = r.id AND e.type = 'run-end') f ON r."endReason" IN ('provider-error', 'context')
    WHERE r.id = ANY(${ids}::uuid[])`
  return new Map(rows.map((row) => Facts.parse(row)).map((facts) => [facts.runId, facts]))
}

function toRow(run: RunWithNames, facts?: Facts, waiting?: Waiting): RunRow {
  return {
    runId: run.id,
    status: run.status,
    waiting: waiting ?? null,
    endReason: toEndReason(run.endReason),
    truncated: run.truncated,
    notStarted: run.notStarted,
    failure: facts?.failure ?? null,
    prompt: run.prompt.slice(0, excerptCharacters),
    configurationId: run.configurationId,
    configurationName: run.configuration?.name ?? wordFor(run.request),
    task: run.task,
    userEmail: run.user.email,
    source: toSource(run.source),
    rounds: run.rounds,
    calls: run.calls,
    inputTokens: run.inputTokens,
    outputTokens: run.outputTokens,
    costMicroUsd: run.costMicroUsd === null ? null : Number(run.costMicroUsd),
    costBound: costBound({ estimated: false, atMost: false, ...facts }),
    createdAt: run.createdAt.toISOString(),
    endedAt: run.endedAt?.toISOString() ?? null,
    waitedForPeopleMs: facts?.waitedForPeopleMs ?? 0,
    waitedForPlaceMs: facts?.waitedForPlaceMs ?? 0,
  }
}
