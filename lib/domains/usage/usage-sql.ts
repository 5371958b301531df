import { z } from 'zod'
import { Prisma } from '../../generated/prisma/client'
import type { UsageScope, UsageSplit } from './usage-filter'
import { usageRows, within } from './usage-rows'
import type { UsageStep, UsageWindow } from './usage-window'

const figure = z.coerce.number()

/**
 * Sums over usage records. `calls` are all requests, `retries` those of them that were a further try. `costMicroUsd`
 * adds up what is priced; `unpriced` says how many calls are not in it. `errors` are calls that failed for good,
 * `rescues` those that a fallback model answered. Latencies are milliseconds of answered calls, null when there are
 * none.
 */
export const UsageFigures = z.object({
  calls: figure,
  runs: figure,
  inputTokens: figure,
  outputTokens: figure,
  cachedInputTokens: figure,
  costMicroUsd: figure,
  unpriced: figure,
  /** Requests whose cost is an upper bound. */
  atMost: figure,
  /** Requests with a cost reported by the provider, the sum of these costs, and the sum of the costs counted here. */
  reported: figure,
  reportedMicroUsd: figure,
  countedMicroUsd: figure,
  estimated: figure,
  retries: figure,
  errors: figure,
  rescues: figure,
  p50Ms: figure.nullable(),
  p95Ms: figure.nullable(),
})
export type UsageFigures = z.infer<typeof UsageFigures>

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

type FigureQuery = {
  window: Span
  scope: UsageScope
  /** The step by which `groups` tell rows apart; null = by none. */
  step: UsageStep | null
  /** What the sums are split by, each a text or NULL. Without any there is one row, also when nothing was used. */
  groups: Record<string, Prisma.Sql>
  joins?: Prisma.Sql
  /** A further condition on the rows `r`. */
  only?: Prisma.Sql
  /** False = latencies are null: they are half of the work. */
  withLatency?: boolean
}

/**
 * Returns a query of `UsageFigures`, with a column of its name for each group. Runs that are known by their id are counted
 * apart from the sums: rows that only name a run have nothing to add up.
 */
export function figureQuery(query: FigureQuery): Prisma.Sql {
  const { window, scope, step, groups, joins = Prisma.empty, only = Prisma.sql`true` } = query
  const withLatency = Prisma.raw(String(query.withLatency ?? true))
  const names = Object.keys(groups)
  const isSplit = names.length > 0
  const part = isSplit ? partOf(Object.values(groups)) : Prisma.sql`'[]'::jsonb`
  const columns = names.map((name, index) => Prisma.raw(`s.split->>${index} AS "${name}", `))
  const rows = usageRows(window, step)
  const conditions = Prisma.sql`${scopeCondition(scope)} AND ${only}`
  return Prisma.sql`
    WITH r AS MATERIALIZED (
      SELECT ${part} AS split, r.* FROM ${rows} r ${joins} WHERE ${conditions} AND r.requests > 0),
    named AS (
      SELECT split, count(*) AS runs FROM (
        SELECT DISTINCT ${part} AS split, r."runId" FROM ${rows} r ${joins}
        WHERE ${conditions} AND r."runId" IS NOT NULL) each_run
      GROUP BY 1),
    s AS (
      SELECT ${isSplit ? Prisma.sql`r.split` : part} AS split, ${sums} FROM r
      ${isSplit ? Prisma.sql`GROUP BY r.split` : Prisma.empty}),
    latency AS (
      SELECT r.split, l.ms, sum(l.times) AS times
      FROM r CROSS JOIN LATERAL unnest(r.latencies, r."latencyCounts") l(ms, times)
      WHERE ${withLatency} AND r.latencies IS NOT NULL AND l.ms IS NOT NULL GROUP BY 1, 2),
    ranked AS (
      SELECT split, ms, sum(times) OVER (PARTITION BY split ORDER BY ms) AS upto,
        sum(times) OVER (PARTITION BY split) AS total
      FROM latency),
    percentiles AS (
      SELECT split, ${percentile(0.5)} AS "p50Ms", ${percentile(0.95)} AS "p95Ms" FROM ranked GROUP BY 1)
    SELECT ${isSplit ? Prisma.join(columns, '') : Prisma.empty} s.*,
      s."wholeRuns" + coalesce(named.runs, 0) AS runs, p."p50Ms", p."p95Ms", count(*) OVER ()::int AS parts
    FROM s LEFT JOIN named ON named.split = s.split LEFT JOIN percentiles p ON p.split = s.split`
}

/** Returns the JSON array of a row's groups. */
function partOf(groups: readonly Prisma.Sql[]): Prisma.Sql {
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
        detail: Prisma.sql`coalesce(k.name, 'a connection that was deleted')`,
        joins: Prisma.sql`LEFT JOIN models m ON m.id = r."modelRecordId"
          LEFT JOIN connections k ON k.id = r."connectionId"`,
      }
    case 'connection':
      return {
        key: Prisma.sql`r."connectionId"::text`,
        label: Prisma.sql`coalesce(k.name, 'Deleted connections')`,
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

function scopeCondition({ user, configuration, model, connection }: UsageScope): Prisma.Sql {
  const conditions = [Prisma.sql`true`]
  if (user) conditions.push(Prisma.sql`r."userId" = ${user}::uuid`)
  if (configuration) conditions.push(Prisma.sql`r."configurationId" = ${configuration}::uuid`)
  if (model) conditions.push(Prisma.sql`r."modelRecordId" = ${model}::uuid`)
  if (connection) conditions.push(Prisma.sql`r."connectionId" = ${connection}::uuid`)
  return Prisma.join(conditions, ' AND ')
}

/**
 * Returns the condition on rows of `call_records r`, for a WHERE clause. Calls of a run count for a model when the run
 * asked it.
 */
export function callConditions(span: Span, scope: UsageScope): Prisma.Sql {
  const { user, configuration, model, connection } = scope
  const own = Prisma.sql`${within('r.at', span)} AND ${scopeCondition({ user, configuration })}`
  return model || connection ? Prisma.sql`${own} AND ${asked(scope)}` : own
}

/**
 * Returns the condition for one request that had both, because a model may also have been asked at another connection.
 */
function asked({ model, connection }: UsageScope): Prisma.Sql {
  const conditions = [Prisma.sql`used."runId" = r."runId"`]
  if (model) conditions.push(Prisma.sql`used."modelRecordId" = ${model}::uuid`)
  if (connection) conditions.push(Prisma.sql`used."connectionId" = ${connection}::uuid`)
  return Prisma.sql`EXISTS (
    SELECT 1 FROM usage_records used WHERE ${Prisma.join(conditions, ' AND ')})`
}
