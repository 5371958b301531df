import { z } from 'zod'
import { Prisma } from '../../generated/prisma/client'
import type { UsageScope, UsageSplit } from './usage-filter'
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

/** The columns of `UsageFigures` for a query over `usage_records r`. */
export const figureColumns = Prisma.sql`
  (count(*) + coalesce(sum(r.retries), 0))::int AS calls,
  count(DISTINCT r."runId")::int AS runs,
  coalesce(sum(r."inputTokens"), 0)::bigint AS "inputTokens",
  coalesce(sum(r."outputTokens"), 0)::bigint AS "outputTokens",
  coalesce(sum(r."cachedInputTokens"), 0)::bigint AS "cachedInputTokens",
  coalesce(sum(r."costMicroUsd"), 0)::bigint AS "costMicroUsd",
  (count(*) FILTER (WHERE r."costMicroUsd" IS NULL))::int AS unpriced,
  (count(*) FILTER (WHERE r."costAtMost"))::int AS "atMost",
  count(r."reportedCostMicroUsd")::int AS reported,
  coalesce(sum(r."reportedCostMicroUsd"), 0)::bigint AS "reportedMicroUsd",
  coalesce(sum(r."costMicroUsd") FILTER (WHERE r."reportedCostMicroUsd" IS NOT NULL), 0)::bigint AS "countedMicroUsd",
  (count(*) FILTER (WHERE r.estimated))::int AS estimated,
  (count(*) FILTER (WHERE r.retried) + coalesce(sum(r.retries), 0))::int AS retries,
  (count(*) FILTER (WHERE r."errorCategory" IS NOT NULL AND NOT r.retried))::int AS errors,
  (count(*) FILTER (WHERE r.fallback AND r."errorCategory" IS NULL))::int AS rescues,
  percentile_cont(0.5) WITHIN GROUP (ORDER BY r."latencyMs") FILTER (WHERE r."errorCategory" IS NULL) AS "p50Ms",
  percentile_cont(0.95) WITHIN GROUP (ORDER BY r."latencyMs") FILTER (WHERE r."errorCategory" IS NULL) AS "p95Ms"`

/** The id and the name of a part; `detail` says more where names repeat. */
export type SplitColumns = {
  key: Prisma.Sql
  label: Prisma.Sql
  detail: Prisma.Sql
  joins: Prisma.Sql
}

const none = Prisma.sql`NULL`

/** Returns the split of `usage_records r` as parts of a query. Deleted objects have figures, but no names. */
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
  const { user, configuration, model, connection } = scope
  const conditions = during(span)
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
  const conditions = during(span)
  if (user) conditions.push(Prisma.sql`r."userId" = ${user}::uuid`)
  if (configuration) conditions.push(Prisma.sql`r."configurationId" = ${configuration}::uuid`)
  if (model || connection) conditions.push(asked(scope))
  return Prisma.join(conditions, ' AND ')
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

/** Returns the condition on the time. The column has no time zone and is in UTC. */
function during({ from, to }: Span): Prisma.Sql[] {
  return [
    Prisma.sql`r.at >= ${from.toISOString()}::timestamp`,
    Prisma.sql`r.at < ${to.toISOString()}::timestamp`,
  ]
}
