import { z } from 'zod'
import { Prisma } from '../../generated/prisma/client'

const figure = z.coerce.number()

/**
 * Sums over usage records. `calls` are all requests, `retries` those of them that were a further try. `costMicroUsd` adds up
 * what is priced; `unpriced` says how many calls are not in it. `errors` are calls that failed for good, `rescues` those that a fallback model answered. Latencies are milliseconds of
 * answered calls, null when there are none.
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
  /** Requests whose provider said what they cost, what it said, and what they count as here. */
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

/** The same as columns of a query over `usage_records r`. */
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
