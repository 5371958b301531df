import { Prisma } from '@/lib/generated/prisma/client'
import { type Database, type Tx, withTransaction } from '@/lib/kernel/db'
import type { UsageScope } from './usage-filter'
import type { UsageStep, UsageWindow } from './usage-window'

type Span = Pick<UsageWindow, 'from' | 'to'>

/** Id that roll-ups store for a record without one. */
const none = Prisma.sql`'00000000-0000-0000-0000-000000000000'::uuid`
const nothing = Prisma.sql`0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL::int[], NULL::int[]`

/**
 * The columns of `usageRows` as they are in `usage_records u`. The run of each record is counted by its id, and its key is
 * found by it.
 */
const ofRecord = Prisma.sql`
  SELECT u.at, u."userId", u."configurationId", u."connectionId", u."modelRecordId", u."modelId",
    NULL::uuid AS "apiKeyId", u."runId", 1::bigint AS requests, 0::bigint AS runs,
    u."inputTokens"::bigint, u."outputTokens"::bigint, u."cachedInputTokens"::bigint, coalesce(u."costMicroUsd", 0) AS "costMicroUsd",
    (u."costMicroUsd" IS NULL)::int::bigint AS unpriced, u."costAtMost"::int::bigint AS "atMost",
    (u."reportedCostMicroUsd" IS NOT NULL)::int::bigint AS reported,
    coalesce(u."reportedCostMicroUsd", 0) AS "reportedMicroUsd",
    CASE WHEN u."reportedCostMicroUsd" IS NULL THEN 0 ELSE coalesce(u."costMicroUsd", 0) END AS "countedMicroUsd",
    u.estimated::int::bigint AS estimated, u.retries::bigint AS retries, u.retried::int::bigint AS retried,
    (u."errorCategory" IS NOT NULL AND NOT u.retried)::int::bigint AS errors,
    (u.fallback AND u."errorCategory" IS NULL)::int::bigint AS rescues,
    CASE WHEN u."errorCategory" IS NULL THEN ARRAY[u."latencyMs"] END AS latencies, ARRAY[1] AS "latencyCounts"
  FROM usage_records u`

const ids = Prisma.sql`"userId", nullif("configurationId", ${none}), nullif("connectionId", ${none}),
  nullif("modelRecordId", ${none}), "modelId", nullif("apiKeyId", ${none})`

/** By what the rows of roll-ups are told apart: by one thing that usage can be of, by nothing or by all of them. */
export type RollupSplit = keyof UsageScope | 'none' | 'all'

/** A ledger and its roll-ups, as parts of a query. Each SELECT but that of a record is open for further conditions. */
type Ledger = { record: Prisma.Sql; pending: Prisma.Sql; rollup: Prisma.Sql; span: Prisma.Sql }

const usage: Ledger = {
  record: ofRecord,
  pending: Prisma.sql`NOT r."rolledUp"`,
  rollup: Prisma.sql`
    SELECT start, ${ids}, NULL, requests, runs, "inputTokens", "outputTokens", "cachedInputTokens", "costMicroUsd",
      unpriced, "atMost", reported, "reportedMicroUsd", "countedMicroUsd", estimated, retries, retried, errors, rescues,
      latencies, "latencyCounts"
    FROM usage_rollups WHERE requests > 0`,
  span: Prisma.sql`SELECT start, ${ids}, "runId", ${nothing} FROM usage_spans WHERE true`,
}

const callIds = Prisma.sql`"toolName", "userId", nullif("configurationId", ${none}), nullif("apiKeyId", ${none})`

const calls: Ledger = {
  record: Prisma.sql`
    SELECT u.at, u."toolName", u."userId", u."configurationId", NULL::uuid AS "apiKeyId", u."runId",
      u.at AS "lastAt", 1::bigint AS calls,
      0::bigint AS runs, (u.outcome = 'ok')::int::bigint AS ok,
      (u.outcome IN ('failed', 'timed-out', 'unknown'))::int::bigint AS failed,
      (u.outcome = 'denied')::int::bigint AS denied, (u.outcome = 'invalid-arguments')::int::bigint AS invalid,
      CASE WHEN u.outcome IN ('ok', 'failed', 'timed-out') THEN ARRAY[u."durationMs"] END AS latencies,
      ARRAY[1] AS "latencyCounts"
    FROM call_records u`,
  pending: Prisma.sql`NOT r."callsRolledUp"`,
  rollup: Prisma.sql`
    SELECT start, ${callIds}, NULL, NULL, calls, runs, ok, failed, denied, invalid, latencies, "latencyCounts"
    FROM call_rollups WHERE calls > 0`,
  span: Prisma.sql`
    SELECT start, ${callIds}, "runId", NULL, 0, 0, 0, 0, 0, 0, NULL::int[], NULL::int[]
    FROM call_spans WHERE true`,
}

/**
 * Returns a sub-query with all usage of a window in summable rows: whole days of runs that are rolled up come from the
 * roll-ups, and everything else from the records, so that the sums are those of the records at any time. `step`: the rows
 * are told apart by it; null = only by what they are. `split`: they have no other ids than of this.
 *
 * The number of runs is `sum(runs)` and the different ids in `usageRuns`.
 */
export function usageRows(window: Span, step: UsageStep | null, split: RollupSplit): Prisma.Sql {
  const { edges, whole } = wholeDays(window, step)
  return unionOf([...recordsOf(usage, edges, whole), ...rollupsOf(usage, whole, step, split)])
}

/** Returns a sub-query with the runs that `usageRows` does not count, each once or more with its id. */
export function usageRuns(window: Span, step: UsageStep | null, split: RollupSplit): Prisma.Sql {
  const { edges, whole } = wholeDays(window, step)
  return unionOf([...recordsOf(usage, edges, whole), ...spansOf(usage, whole, split)])
}

/**
 * Returns a sub-query with all tool calls of a window in summable rows, as `usageRows` does, and with the runs that these
 * do not count. The number of runs, `sum(runs) + count(DISTINCT "runId")`, holds for each tool by itself. `lastAt` is the
 * time of a record, and null in rows of roll-ups. `step` 'hour' reads records alone.
 */
export function callRows(
  window: Span,
  step: UsageStep | null,
  split: Extract<RollupSplit, 'none' | 'all'>,
): Prisma.Sql {
  const { edges, whole } = wholeDays(window, step)
  return unionOf([
    ...recordsOf(calls, edges, whole),
    ...rollupsOf(calls, whole, step, split),
    ...spansOf(calls, whole, split),
  ])
}

function unionOf(selects: readonly Prisma.Sql[]): Prisma.Sql {
  return Prisma.sql`(${Prisma.join([...selects], ' UNION ALL ')})`
}

function recordsOf({ record, pending }: Ledger, edges: Span[], whole: Span | null): Prisma.Sql[] {
  const atEdges = Prisma.sql`${record} WHERE ${either('u.at', edges)}`
  if (!whole) return [atEdges]
  const notRolledUp = Prisma.sql`
    ${record} JOIN runs r ON r.id = u."runId" AND ${pending} WHERE ${within('u.at', whole)}`
  return [atEdges, notRolledUp]
}

function rollupsOf(
  { rollup }: Ledger,
  whole: Span | null,
  step: UsageStep | null,
  split: RollupSplit,
): Prisma.Sql[] {
  if (!whole) return []
  return [Prisma.sql`${rollup} AND split = ${split} AND (${grained(whole, step)})`]
}

function spansOf({ span }: Ledger, whole: Span | null, split: RollupSplit): Prisma.Sql[] {
  if (!whole) return []
  return [Prisma.sql`${span} AND split = ${split} AND ${within('start', whole)}`]
}

/** Returns the days of a window that may come from roll-ups, null = none, and the times before and after them. */
export function wholeDays(
  window: Span,
  step: UsageStep | null,
): { edges: Span[]; whole: Span | null } {
  const [from, to] = [ceil(window.from), floor(window.to)]
  if (step === 'hour' || from >= to) return { edges: [window], whole: null }
  const edges = [
    { from: window.from, to: from },
    { from: to, to: window.to },
  ]
  return { edges, whole: { from, to } }
}

/** Returns the condition on roll-ups: whole months where nobody asks for days, and days for the rest. */
function grained({ from, to }: Span, step: UsageStep | null): Prisma.Sql {
  const first = monthOf(from, from.getUTCDate() === 1 ? 0 : 1)
  const last = monthOf(to, 0)
  if (step === 'day' || first >= last)
    return Prisma.sql`grain = 'day' AND ${within('start', { from, to })}`
  const rest = [
    { from, to: first },
    { from: last, to },
  ]
  return Prisma.sql`grain = 'month' AND ${within('start', { from: first, to: last })}
    OR grain = 'day' AND ${either('start', rest)}`
}

/** Returns the condition on a time. The columns have no time zone and are in UTC. */
export function within(column: 'u.at' | 'r.at' | 'start', { from, to }: Span): Prisma.Sql {
  const name = Prisma.raw(column)
  return Prisma.sql`(${name} >= ${from.toISOString()}::timestamp AND ${name} < ${to.toISOString()}::timestamp)`
}

function either(column: 'u.at' | 'start', spans: readonly Span[]): Prisma.Sql {
  const conditions = spans.map((span) => within(column, span))
  return Prisma.sql`(${Prisma.join(conditions, ' OR ')})`
}

const dayMs = 86_400_000

function floor(at: Date): Date {
  return new Date(Math.floor(at.getTime() / dayMs) * dayMs)
}

function ceil(at: Date): Date {
  return new Date(Math.ceil(at.getTime() / dayMs) * dayMs)
}

function monthOf(at: Date, later: number): Date {
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + later, 1))
}

const runsAtOnce = 500
/** 50,000 runs; what is left is for the next time, so that two seldom work at once. */
const mostBatches = 100

/**
 * Adds the usage and the calls of runs that ended to the roll-ups, the oldest first. A run that another process works on
 * is left for the next time.
 */
export async function rollUpUsage({ client }: Pick<Database, 'client'>): Promise<void> {
  for (const rollUp of [rollUpSome, rollUpCalls]) {
    for (let batch = 0; batch < mostBatches; batch += 1) {
      if ((await withTransaction(rollUp, client)) < runsAtOnce) break
    }
  }
}

/**
 * Rolls up one batch and returns how many runs it had. The second statement begins after the runs are locked, and so
 * sees every record that they have.
 */
async function rollUpSome(tx: Tx): Promise<number> {
  const runs = await tx.$queryRaw<{ id: string; callsRolledUp: boolean }[]>`
    SELECT id, "callsRolledUp" FROM runs WHERE NOT "rolledUp" AND status = 'ended'
    ORDER BY id LIMIT ${runsAtOnce} FOR UPDATE SKIP LOCKED`
  const ids = runs.map(({ id }) => id)
  if (ids.length === 0) return 0
  await tx.$executeRaw`SELECT roll_up_usage(${ids}::uuid[], 1)`
  const withCalls = runs.flatMap(({ id, callsRolledUp }) => (callsRolledUp ? [] : [id]))
  await tx.$executeRaw`SELECT roll_up_calls(${withCalls}::uuid[], 1)`
  await tx.$executeRaw`
    UPDATE runs SET "rolledUp" = true, "callsRolledUp" = true WHERE id = ANY(${ids}::uuid[])`
  return ids.length
}

/** Rolls up the calls of one batch of runs that an older version rolled up without them. Returns how many runs it had. */
async function rollUpCalls(tx: Tx): Promise<number> {
  const runs = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM runs WHERE NOT "callsRolledUp" AND status = 'ended'
    ORDER BY id LIMIT ${runsAtOnce} FOR UPDATE SKIP LOCKED`
  const ids = runs.map(({ id }) => id)
  if (ids.length === 0) return 0
  await tx.$executeRaw`SELECT roll_up_calls(${ids}::uuid[], 1)`
  await tx.$executeRaw`UPDATE runs SET "callsRolledUp" = true WHERE id = ANY(${ids}::uuid[])`
  return ids.length
}

/** Takes the usage of these runs out of the roll-ups, before their records change. The caller has locked the runs. */
export async function takeOutOfRollups(tx: Tx, runIds: readonly string[]): Promise<void> {
  await tx.$executeRaw`
    WITH taken AS (
      UPDATE runs SET "rolledUp" = false WHERE id = ANY(${runIds}::uuid[]) AND "rolledUp" RETURNING id)
    SELECT roll_up_usage((SELECT array_agg(id) FROM taken), -1)`
}
