import { Prisma } from '@/lib/generated/prisma/client'
import { triedModel } from '@/lib/protocol/run/run-snapshot'
import type { UsageFigures } from './shared/usage-figures'
import { UsageScope, type UsageSplit } from './usage-filter'
import { type RollupSplit, usageRows, usageRuns, within } from './usage-rows'
import type { UsageStep, UsageWindow } from './usage-window'

/** The columns of `UsageFigures` for a query over rows `r` of `usageRows`, without the latencies. */
const sums = Prisma.sql`
  (coalesce(sum(r.requests), 0) + coalesce(sum(r.retries), 0))::bigint AS calls,
  coalesce(sum(r.runs), 0)::bigint AS "wholeRuns",
  ${sumsOf('inputTokens', 'outputTokens', 'cachedInputTokens', 'costMicroUsd', 'unpriced', 'atMost', 'reported')},
  ${sumsOf('reportedMicroUsd', 'countedMicroUsd', 'estimated', 'errors', 'rescues')},
  (coalesce(sum(r.retried), 0) + coalesce(sum(r.retries), 0))::bigint AS retries`

function sumsOf(...names: (keyof UsageFigures)[]): Prisma.Sql {
  return Prisma.raw(
    names.map((name) => `coalesce(sum(r."${name}"), 0)::bigint AS "${name}"`).join(', '),
  )
}

/** Interpolates between the two latencies around the place, as percentile_cont does. */
function percentile(fraction: number): Prisma.Sql {
  const place = `${fraction} * (total - 1)`
  const at = (rounding: string) => `min(ms) FILTER (WHERE upto > ${rounding}(${place}))`
  return Prisma.raw(
    `(${at('floor')} + (${at('ceil')} - ${at('floor')}) * max(${place} - floor(${place})))::float8`,
  )
}

/** Returns the named queries that lead from rows `r` with `latencies` to the percentiles of each `split`. */
export function latencyParts(withLatency: boolean): Prisma.Sql {
  return Prisma.sql`
    latency AS (
      SELECT r.split, l.ms, sum(l.times) AS times
      FROM r CROSS JOIN LATERAL unnest(r.latencies, r."latencyCounts") l(ms, times)
      WHERE ${Prisma.raw(String(withLatency))} AND r.latencies IS NOT NULL AND l.ms IS NOT NULL GROUP BY 1, 2),
    ranked AS (
      SELECT split, ms, sum(times) OVER (PARTITION BY split ORDER BY ms) AS upto,
        sum(times) OVER (PARTITION BY split) AS total
      FROM latency),
    percentiles AS (
      SELECT split, ${percentile(0.5)} AS "p50Ms", ${percentile(0.95)} AS "p95Ms" FROM ranked GROUP BY 1)`
}

type FigureQuery = {
  window: Span
  scope: UsageScope
  /** The step by which `groups` tell rows apart; null = by none. */
  step: UsageStep | null
  /** Dimensions of the sums, each a text or NULL. Without any there is one row, also when nothing was used. */
  groups: Record<string, Prisma.Sql>
  /** Dimension that the groups, `joins` and `only` need besides time. */
  by?: Exclude<UsageSplit, 'tool'>
  joins?: Prisma.Sql
  /** A further condition on the rows `r`. */
  only?: Prisma.Sql
  /** False = latencies are null: they are half of the work. */
  withLatency?: boolean
  /** False = runs are null: they are most of the rest. */
  withRuns?: boolean
}

/**
 * Returns a query of `UsageFigures`, with a column of its name for each group. Runs that are known by their id are counted
 * apart from the sums.
 */
export function figureQuery(query: FigureQuery): Prisma.Sql {
  const { window, scope, step, groups, by = 'day', withLatency = true, withRuns = true } = query
  const { joins = Prisma.empty, only = Prisma.sql`true` } = query
  const names = Object.keys(groups)
  const isSplit = names.length > 0
  const part = isSplit ? partOf(Object.values(groups)) : Prisma.sql`'[]'::jsonb`
  const columns = names.map((name, index) => Prisma.raw(`s.split->>${index} AS "${name}", `))
  const split = rollupSplit(by, scope)
  const { apiKey, ...others } = scope
  const ofKey = apiKey ? ofKeys([apiKey]) : Prisma.sql`true`
  const conditions = Prisma.sql`${scopeCondition(others)} AND ${ofKey} AND ${only}`
  const runs = Prisma.sql`
    SELECT DISTINCT ${isSplit ? Prisma.join(groupColumns(groups)) : Prisma.sql`0 AS g0`}, r."runId"
    FROM ${usageRuns(window, step, split)} r ${joins} WHERE ${Prisma.raw(String(withRuns))} AND ${conditions}`
  const places = Prisma.raw(isSplit ? names.map((_, index) => `g${index}`).join(', ') : 'g0')
  return Prisma.sql`
    WITH r AS MATERIALIZED (
      SELECT ${part} AS split, r.* FROM ${usageRows(window, step, split)} r ${joins} WHERE ${conditions}),
    named AS (
      SELECT ${isSplit ? Prisma.sql`jsonb_build_array(${places})` : part} AS split, count(*) AS runs
      FROM (${runs}) each_run GROUP BY ${places}),
    s AS (
      SELECT ${isSplit ? Prisma.sql`r.split` : part} AS split, ${sums} FROM r
      ${isSplit ? Prisma.sql`GROUP BY r.split` : Prisma.empty}),
    ${latencyParts(withLatency)}
    SELECT ${isSplit ? Prisma.join(columns, '') : Prisma.empty} s.*,
      ${withRuns ? Prisma.sql`s."wholeRuns" + coalesce(named.runs, 0)` : Prisma.sql`NULL`} AS runs,
      p."p50Ms", p."p95Ms", count(*) OVER ()::int AS parts
    FROM s LEFT JOIN named ON named.split = s.split LEFT JOIN percentiles p ON p.split = s.split`
}

/** Returns the groups as columns `g0`, `g1` … */
function groupColumns(groups: Record<string, Prisma.Sql>): Prisma.Sql[] {
  return Object.values(groups).map((group, index) => {
    return Prisma.sql`${group} AS ${Prisma.raw(`g${index}`)}`
  })
}

/** Returns the split of the smallest roll-ups that know all that is asked: few rows, unless a filter has another column. */
function rollupSplit(by: Exclude<UsageSplit, 'tool'>, scope: UsageScope): RollupSplit {
  const scoped = new Set(UsageScope.keyof().options.filter((key) => scope[key]))
  if (by !== 'day') scoped.add(by)
  if (scoped.has('model')) scoped.delete('connection')
  const [split = 'none', ...others] = scoped
  return others.length > 0 ? 'all' : split
}

/** Returns the JSON array of a row's groups. */
export function partOf(groups: readonly Prisma.Sql[]): Prisma.Sql {
  return Prisma.sql`jsonb_build_array(${Prisma.join([...groups])})`
}

/** The id and the name of a part; `detail` says more where names repeat. */
export type SplitColumns = {
  key: Prisma.Sql
  label: Prisma.Sql
  detail: Prisma.Sql
  joins: Prisma.Sql
}

const none = Prisma.sql`NULL`

/** Returns the split of rows `r` of usage as parts of a query. Deleted objects have figures, but no names. */
export function splitOf(by: Exclude<UsageSplit, 'tool'>, step: UsageStep): SplitColumns {
  switch (by) {
    case 'model':
      return {
        key: Prisma.sql`r."modelRecordId"::text`,
        label: Prisma.sql`coalesce(m."displayName", r."modelId")`,
        detail: Prisma.sql`coalesce(k.name,
          CASE WHEN r."modelId" = ${triedModel} THEN 'no connection' ELSE 'a connection that was deleted' END)`,
        joins: Prisma.sql`LEFT JOIN models m ON m.id = r."modelRecordId"
          LEFT JOIN connections k ON k.id = r."connectionId"`,
      }
    case 'connection':
      return {
        key: Prisma.sql`r."connectionId"::text`,
        label: Prisma.sql`coalesce(k.name, 'No connection, or a deleted one')`,
        detail: none,
        joins: Prisma.sql`LEFT JOIN connections k ON k.id = r."connectionId"`,
      }
    case 'configuration':
      return {
        key: Prisma.sql`c.id::text`,
        label: Prisma.sql`coalesce(c.name,
          CASE WHEN r."configurationId" IS NULL THEN 'Tests of models' ELSE 'Deleted configurations' END)`,
        detail: none,
        joins: Prisma.sql`LEFT JOIN configurations c ON c.id = r."configurationId"`,
      }
    case 'user':
      return {
        key: Prisma.sql`r."userId"::text`,
        label: Prisma.sql`coalesce(u.email, 'Deleted people')`,
        detail: none,
        joins: Prisma.sql`LEFT JOIN users u ON u.id = r."userId"`,
      }
    case 'apiKey':
      return {
        key: Prisma.sql`${keyOfRow}::text`,
        label: Prisma.sql`coalesce(a.name,
          CASE WHEN ${keyOfRow} IS NULL THEN 'Without an API key' ELSE 'Deleted API keys' END)`,
        detail: Prisma.sql`o.email`,
        joins: Prisma.sql`LEFT JOIN api_keys a ON a.id = ${keyOfRow} LEFT JOIN users o ON o.id = a."userId"`,
      }
    case 'day':
      return {
        key: stepText(step),
        label: stepText(step),
        detail: none,
        joins: Prisma.empty,
      }
    default:
      return by satisfies never
  }
}

/** Returns the beginning of a record's time step, as ISO text in UTC. */
export function stepText(step: UsageStep): Prisma.Sql {
  return Prisma.sql`to_char(date_trunc(${step}::text, r.at), 'YYYY-MM-DD"T"HH24:MI:SS.000"Z"')`
}

type Span = Pick<UsageWindow, 'from' | 'to'>

/** Returns the condition on rows of `usage_records r`, for a WHERE clause. */
export function usageConditions(span: Span, scope: UsageScope): Prisma.Sql {
  return Prisma.sql`${within('r.at', span)} AND ${scopeCondition(scope)}`
}

/** Returns the condition on rows `r` that have a run each, of usage or of calls. */
export function scopeCondition(scope: UsageScope): Prisma.Sql {
  const { user, configuration, model, connection, apiKey } = scope
  const conditions = [Prisma.sql`true`]
  if (user) conditions.push(Prisma.sql`r."userId" = ${user}::uuid`)
  if (configuration) conditions.push(Prisma.sql`r."configurationId" = ${configuration}::uuid`)
  if (model) conditions.push(Prisma.sql`r."modelRecordId" = ${model}::uuid`)
  if (connection) conditions.push(Prisma.sql`r."connectionId" = ${connection}::uuid`)
  if (apiKey) {
    const runs = Prisma.sql`SELECT id FROM runs WHERE "apiKeyId" = ${apiKey}::uuid`
    conditions.push(Prisma.sql`r."runId" IN (${runs})`)
  }
  return Prisma.join(conditions, ' AND ')
}

/** The key of a row `r` of usage: roll-ups have it, and records have the run. */
export const keyOfRow = Prisma.sql`
  coalesce(r."apiKeyId", (SELECT n."apiKeyId" FROM runs n WHERE n.id = r."runId"))`

/** Returns the condition on rows `r` of usage: their runs were started with one of these keys. */
export function ofKeys(keyIds: readonly string[]): Prisma.Sql {
  return Prisma.sql`${keyOfRow} = ANY(${keyIds}::uuid[])`
}
