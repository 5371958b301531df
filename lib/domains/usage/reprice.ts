import { z } from 'zod'
import { changed, unchanged, verb } from '@/lib/edge/verb'
import { pool, type Tx } from '@/lib/kernel/db'
import { NotFoundError } from '@/lib/kernel/errors'
import { takeOutOfRollups } from './usage-rows'

/** The price row that was valid when the run began (SPEC R1); all its columns are null when there was none. */
const priceThen = `
  LEFT JOIN LATERAL (
    SELECT p.input, p.output, p."cachedInput", p."cacheWrite", p.reasoning,
      CASE WHEN u."inputTokens" > (p."longPrompt"->>'aboveTokens')::int
        THEN (p."longPrompt"->>'inputPercent')::int ELSE 100 END AS "inputPercent",
      CASE WHEN u."inputTokens" > (p."longPrompt"->>'aboveTokens')::int
        THEN (p."longPrompt"->>'outputPercent')::int ELSE 100 END AS "outputPercent"
    FROM model_prices p
    WHERE p."modelRecordId" = u."modelRecordId" AND p."validFrom" <= r."createdAt"
    ORDER BY p."validFrom" DESC LIMIT 1) p ON true`

/** Returns tokens times price as numeric, so that nothing overflows; 0 without tokens, null without a needed price. */
function part(tokens: string, price: string): string {
  return `CASE WHEN ${tokens} <= 0 THEN 0 ELSE (${tokens})::numeric * ${price} END`
}

/**
 * SQL for the cost of a row of usage_records (`u`) by the prices `p`, in whole micro-USD, rounded up once a call: the
 * same as `costMicroUsd` of lib/protocol/cost/cost.ts. Null for a request in a service tier whose price is not known.
 */
const costThen = `
  CASE WHEN NOT u."unpricedTier" THEN div(
    (${part('u."inputTokens"::bigint - u."cachedInputTokens" - u."cacheWriteTokens"', 'p.input')}
      + ${part('u."cachedInputTokens"', 'coalesce(p."cachedInput", p.input)')}
      + ${part('u."cacheWriteTokens"', 'p."cacheWrite"')}) * coalesce(p."inputPercent", 100)
    + (${part('u."outputTokens"::bigint - u."reasoningTokens"', 'p.output')}
      + ${part('u."reasoningTokens"', 'coalesce(p.reasoning, p.output)')}) * coalesce(p."outputPercent", 100)
    + 99999999, 100000000)::bigint END`

/** SQL for whether a cost is an upper bound, as `isCostAtMost` of lib/protocol/cost/cost.ts decides it. */
const atMostThen = `(u."cachedInputTokens" > 0 AND p."cachedInput" IS NULL AND p.input IS NOT NULL)`

/**
 * Returns the query of the usage records `u` of runs `r` that match `where`, with the cost they should have as `fresh`.
 */
function freshCosts(where: string): string {
  return `
    SELECT u.id, u."runId", u.round, u."modelRecordId", r.status, u."costMicroUsd" AS old,
      ${costThen} AS fresh, ${atMostThen} AS "atMost"
    FROM usage_records u JOIN runs r ON r.id = u."runId" ${priceThen}
    WHERE ${where}`
}

const ModelId = z.uuid('Pick a model.')
const count = z.coerce.number()

/** Sums are micro-USD over the calls whose cost is known; the others are counted. */
const RepricePreview = z.object({
  runs: count,
  calls: count,
  beforeMicroUsd: count,
  beforeUnpriced: count,
  afterMicroUsd: count,
  afterUnpriced: count,
  /** The number of active runs, which keep the prices they began with until they end. */
  runsInFlight: count,
})
export type RepricePreview = z.infer<typeof RepricePreview>

const previewStatement = `
  WITH other AS (
    SELECT * FROM (${freshCosts('u."modelRecordId" = $1::uuid')}) f
    WHERE f.old IS DISTINCT FROM f.fresh)
  SELECT count(DISTINCT "runId") FILTER (WHERE status = 'ended') AS runs,
    count(*) FILTER (WHERE status = 'ended') AS calls,
    coalesce(sum(old) FILTER (WHERE status = 'ended'), 0) AS "beforeMicroUsd",
    count(*) FILTER (WHERE status = 'ended' AND old IS NULL) AS "beforeUnpriced",
    coalesce(sum(fresh) FILTER (WHERE status = 'ended'), 0) AS "afterMicroUsd",
    count(*) FILTER (WHERE status = 'ended' AND fresh IS NULL) AS "afterUnpriced",
    count(DISTINCT "runId") FILTER (WHERE status <> 'ended') AS "runsInFlight"
  FROM other`

export const previewReprice = verb({
  name: 'model.preview-reprice',
  role: 'admin',
  scope: null,
  summary:
    'Returns what recomputing the cost of the past calls of a model would change, by the prices of when each run began.',
  input: z.object({ modelId: ModelId }),
  output: RepricePreview,
  transaction: false,
  run: async (_context, { modelId }) => {
    const known = await pool().query('SELECT 1 FROM models WHERE id = $1::uuid', [modelId])
    // The cost of a deleted model stays, because without its prices it would become unknown.
    if (known.rowCount === 0) throw new NotFoundError('The model')
    return RepricePreview.parse((await pool().query(previewStatement, [modelId])).rows[0])
  },
})

const RepriceRuns = z.object({
  modelId: ModelId,
  /** End of the previous batch; null: from the first run on. */
  after: z.uuid().nullable().default(null),
  batchSize: z.int().min(1).max(2_000).default(500),
})
const Figures = z.object({
  runs: count,
  calls: count,
  beforeMicroUsd: count,
  afterMicroUsd: count,
})

/** Changes of one batch; `next`: start of the next one, null: nothing is left. */
const RepricedBatch = Figures.extend({ next: z.string().nullable() })
export type RepricedBatch = z.infer<typeof RepricedBatch>

const Ids = z.array(z.object({ id: z.string() }))

/** Runs that ended, by id, which is by age, so that a batch begins where the one before ended. */
const candidates = `
  SELECT DISTINCT f."runId" AS id
  FROM (${freshCosts('u."modelRecordId" = $1::uuid AND r.status = \'ended\' AND r.id > $2::uuid')}) f
  WHERE f.old IS DISTINCT FROM f.fresh
  ORDER BY 1 LIMIT $3::int`

const lock = `
  SELECT id FROM runs WHERE id = ANY($1::uuid[]) AND status = 'ended' ORDER BY id FOR UPDATE`

/**
 * Calls of other models keep their cost. The journal gets one event a run, with what each round and the whole run cost
 * now; the columns of the run follow it (docs/decisions/001).
 */
const reprice = `
  WITH calls AS (
    SELECT f.id, f."runId", f.round, f.old,
      CASE WHEN f."modelRecordId" = $1::uuid THEN f.fresh ELSE f.old END AS now, f."atMost"
    FROM (${freshCosts('u."runId" = ANY($2::uuid[])')}) f),
  changed AS (SELECT * FROM calls WHERE old IS DISTINCT FROM now),
  rounds AS (
    SELECT "runId", round, CASE WHEN bool_or(now IS NULL) THEN NULL ELSE sum(now)::bigint END AS cost
    FROM calls WHERE "runId" IN (SELECT "runId" FROM changed) GROUP BY 1, 2),
  totals AS (
    SELECT "runId", CASE WHEN bool_or(cost IS NULL) THEN NULL ELSE sum(cost)::bigint END AS cost,
      jsonb_agg(jsonb_build_object('round', round, 'costMicroUsd', cost) ORDER BY round) AS costs
    FROM rounds GROUP BY 1),
  ledger AS (
    UPDATE usage_records u SET "costMicroUsd" = c.now, "costAtMost" = c."atMost" AND c.now IS NOT NULL
    FROM changed c WHERE u.id = c.id),
  summed AS (
    UPDATE runs r SET "costMicroUsd" = t.cost, "lastSeq" = r."lastSeq" + 1
    FROM totals t WHERE r.id = t."runId"
    RETURNING r.id, r."lastSeq", r."endedAt", t.cost, t.costs),
  journal AS (
    INSERT INTO run_events ("runId", seq, type, data, at)
    SELECT id, "lastSeq", 'repriced',
      jsonb_build_object('costs', costs, 'costMicroUsd', cost, 'by', $3::text),
      greatest(now() AT TIME ZONE 'UTC', "endedAt")
    FROM summed)
  SELECT count(DISTINCT "runId") AS runs, count(*) AS calls,
    coalesce(sum(old), 0) AS "beforeMicroUsd", coalesce(sum(now), 0) AS "afterMicroUsd"
  FROM changed`

const start = '00000000-0000-0000-0000-000000000000'

/**
 * Recalculates stored costs in batches. It keeps no state between batches: every differing cost is found again, so a
 * person can stop anywhere and continue later (SPEC R1, R14). Throws NotFoundError when there is no such model.
 */
export const repriceRuns = verb({
  name: 'model.reprice-runs',
  role: 'admin',
  scope: null,
  summary:
    'Recomputes the cost of one batch of past runs, by the prices of a model that were valid when each run began. Active runs stay as they are.',
  input: RepriceRuns,
  output: RepricedBatch,
  run: async ({ tx, actor }, { modelId, after, batchSize }) => {
    const model = await tx.model.findUnique({
      where: { id: modelId },
      include: { connection: { select: { name: true } } },
    })
    if (!model) throw new NotFoundError('The model')
    const found = await idsOf(tx, candidates, modelId, after ?? start, batchSize)
    const runs = await idsOf(tx, lock, found)
    await takeOutOfRollups(tx, runs)
    const [row] = await tx.$queryRawUnsafe<unknown[]>(reprice, modelId, runs, actor.email)
    const figures = Figures.parse(row)
    const next = found.length === batchSize ? (found.at(-1) ?? null) : null
    const batch = { ...figures, next }
    if (figures.runs === 0) return unchanged(batch)
    return changed(batch, {
      subject: modelId,
      before: { costMicroUsd: figures.beforeMicroUsd },
      after: {
        modelId: model.modelId,
        connection: model.connection.name,
        runs: figures.runs,
        calls: figures.calls,
        costMicroUsd: figures.afterMicroUsd,
      },
    })
  },
})

async function idsOf(tx: Tx, statement: string, ...values: unknown[]): Promise<string[]> {
  return Ids.parse(await tx.$queryRawUnsafe(statement, ...values)).map(({ id }) => id)
}
