import { Prisma } from '@/lib/generated/prisma/client'
import type { UsageScope } from './usage-filter'
import { callRows, wholeDays, within } from './usage-rows'
import { latencyParts, ofKeys, partOf, scopeCondition } from './usage-sql'
import type { UsageStep, UsageWindow } from './usage-window'

/** Which calls are added up, and by which columns. */
type CallQuery = {
  window: UsageWindow
  scope: UsageScope
  /** Left out = all tools. */
  toolName?: string | undefined
  /** The step by which `groups` tell rows apart; null = they are tools, each with the time of its last call. */
  step: UsageStep | null
  groups: Record<string, Prisma.Sql>
  /** False = latencies are null. */
  withLatency?: boolean
  /** `of-each`: those of each tool; `of-several`: of tools together, by every record, as a run may call several; null = none. */
  runs: 'of-each' | 'of-several' | null
}

/** Returns a query of the calls of tools, with a column of its name for each group. */
export function callQuery({
  window,
  scope,
  toolName,
  step,
  groups,
  withLatency = true,
  runs,
}: CallQuery): Prisma.Sql {
  const columns = Object.keys(groups).map((name, index) =>
    Prisma.raw(`s.split->>${index} AS "${name}", `),
  )
  const { user, configuration, model, connection, apiKey } = scope
  // Roll-ups of calls do not know which models a run asked.
  const fromRecords = runs === 'of-several' || Boolean(model ?? connection)
  const grain = fromRecords ? 'hour' : step
  const { whole } = wholeDays(window, grain)
  const split = user || configuration || apiKey ? 'all' : 'none'
  const ofKey = apiKey ? Prisma.sql`r."apiKeyId" = ${apiKey}::uuid` : Prisma.sql`true`
  const ofSplit = Prisma.sql`r.split = ${split} AND ${scopeCondition({ user, configuration })} AND ${ofKey}`
  const ofRecords = scopeCondition({ user, configuration, apiKey })
  const lastAt = whole && step === null ? lastRolledUp(whole, ofSplit, ofRecords) : Prisma.sql`NULL`
  return Prisma.sql`
    WITH r AS MATERIALIZED (
      SELECT ${partOf(Object.values(groups))} AS split, r.* FROM ${callRows(window, grain, split)} r
      WHERE ${callCondition(scope)} AND ${toolName === undefined ? Prisma.sql`true` : Prisma.sql`r."toolName" = ${toolName}`}),
    s AS (
      SELECT r.split, sum(r.calls)::bigint AS calls,
        ${runs ? Prisma.sql`(sum(r.runs) + count(DISTINCT r."runId"))::bigint` : Prisma.sql`NULL`} AS runs,
        ${sumsOfCalls}, max(r."lastAt") AS "lastAt"
      FROM r GROUP BY 1),
    ${latencyParts(withLatency)}
    SELECT ${Prisma.join(columns, '')} s.calls, s.runs, s.ok, s.failed, s.failed AS errors, s.denied, s.invalid,
      p."p50Ms", p."p95Ms",
      to_char(greatest(s."lastAt", ${lastAt}), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "lastAt"
    FROM s LEFT JOIN percentiles p ON p.split = s.split`
}

const sumsOfCalls = Prisma.raw(
  ['ok', 'failed', 'denied', 'invalid']
    .map((name) => `sum(r.${name})::bigint AS ${name}`)
    .join(', '),
)

/** Returns the time of the last call of the first group, a tool, in these days. The roll-ups know on which day it was. */
function lastRolledUp(
  whole: Pick<UsageWindow, 'from' | 'to'>,
  ofSplit: Prisma.Sql,
  ofRecords: Prisma.Sql,
): Prisma.Sql {
  return Prisma.sql`(
    SELECT max(r.at) FROM call_records r, (
      SELECT r.start FROM call_rollups r WHERE r.grain = 'day' AND r."toolName" = s.split->>0 AND r.calls > 0
        AND ${within('start', whole)} AND ${ofSplit} ORDER BY r.start DESC LIMIT 1) day
    WHERE r."toolName" = s.split->>0 AND r.at >= day.start AND r.at < day.start + interval '1 day' AND ${ofRecords})`
}

/** Returns the condition on rows of calls. Calls of a run count for a model when the run asked it. */
function callCondition(scope: UsageScope): Prisma.Sql {
  const { user, configuration, model, connection, apiKey } = scope
  const ofKey = apiKey ? ofKeys([apiKey]) : Prisma.sql`true`
  const own = Prisma.sql`${scopeCondition({ user, configuration })} AND ${ofKey}`
  return model || connection ? Prisma.sql`${own} AND ${modelCondition(scope)}` : own
}

/**
 * Returns the condition for one request that had both, because a model may also have been asked at another connection.
 */
function modelCondition({ model, connection }: UsageScope): Prisma.Sql {
  const conditions = [Prisma.sql`used."runId" = r."runId"`]
  if (model) conditions.push(Prisma.sql`used."modelRecordId" = ${model}::uuid`)
  if (connection) conditions.push(Prisma.sql`used."connectionId" = ${connection}::uuid`)
  return Prisma.sql`EXISTS (
    SELECT 1 FROM usage_records used WHERE ${Prisma.join(conditions, ' AND ')})`
}
