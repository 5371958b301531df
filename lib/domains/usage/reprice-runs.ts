import { z } from 'zod'
import { type Ctx, requireRole } from '../../kernel/context'
import { type Tx, withTransaction } from '../../kernel/db'
import { NotFoundError } from '../../kernel/errors'
import { parseId } from '../../kernel/parse-id'
import { parseInput } from '../../kernel/parse-input'
import { recordAudit } from '../audit/record-audit'
import { freshCosts } from './reprice-sql'

export const RepriceRuns = z.object({
  modelId: z.uuid('Pick a model.'),
  /** Where the batch before ended; null = from the first run on. */
  after: z.uuid().nullable().default(null),
  batchSize: z.int().min(1).max(2_000).default(500),
})
export type RepriceRuns = z.input<typeof RepriceRuns>

const count = z.coerce.number()
const Figures = z.object({
  runs: count,
  calls: count,
  beforeMicroUsd: count,
  afterMicroUsd: count,
})

/** What one batch changed; `next` = where to go on, null = there is nothing left. */
export type RepricedBatch = z.infer<typeof Figures> & { next: string | null }

const Ids = z.array(z.object({ id: z.string() }))

/** Runs that ended, by id, which is by age: so that a batch begins where the one before ended. */
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
    RETURNING r.id, r."lastSeq", t.cost, t.costs),
  journal AS (
    INSERT INTO run_events ("runId", seq, type, data, at)
    SELECT id, "lastSeq", 'repriced',
      jsonb_build_object('costs', costs, 'costMicroUsd', cost, 'by', $3::text),
      now() AT TIME ZONE 'UTC'
    FROM summed)
  SELECT count(DISTINCT "runId") AS runs, count(*) AS calls,
    coalesce(sum(old), 0) AS "beforeMicroUsd", coalesce(sum(now), 0) AS "afterMicroUsd"
  FROM changed`

const start = '00000000-0000-0000-0000-000000000000'

/**
 * Works out anew what one batch of past runs cost, by the prices of `modelId` that held when each began (SPEC R1, R14).
 * Nothing is remembered between batches: whatever is still off is found again, so it may stop anywhere and go on later.
 * Runs that are going are left alone. Admins only.
 */
export async function repriceRuns(ctx: Ctx, input: RepriceRuns): Promise<RepricedBatch> {
  requireRole(ctx, 'admin')
  const { modelId, after, batchSize } = parseInput(RepriceRuns, input)
  const id = parseId(modelId, 'The model')
  return withTransaction(async (tx) => {
    const model = await tx.model.findUnique({
      where: { id },
      include: { connection: { select: { name: true } } },
    })
    if (!model) throw new NotFoundError('The model')
    const found = await idsOf(tx, candidates, id, after ?? start, batchSize)
    const runs = await idsOf(tx, lock, found)
    const [row] = await tx.$queryRawUnsafe<unknown[]>(reprice, id, runs, ctx.actor.email)
    const figures = Figures.parse(row)
    if (figures.runs > 0) {
      await recordAudit(tx, ctx, {
        action: 'model.reprice-runs',
        objectType: 'model',
        objectId: id,
        before: { costMicroUsd: figures.beforeMicroUsd },
        after: {
          modelId: model.modelId,
          connection: model.connection.name,
          runs: figures.runs,
          calls: figures.calls,
          costMicroUsd: figures.afterMicroUsd,
        },
      })
    }
    const next = found.length === batchSize ? (found.at(-1) ?? null) : null
    return { ...figures, next }
  })
}

async function idsOf(tx: Tx, statement: string, ...values: unknown[]): Promise<string[]> {
  return Ids.parse(await tx.$queryRawUnsafe(statement, ...values)).map(({ id }) => id)
}
