import { z } from 'zod'
import { type Ctx, requireRole } from '../../kernel/context'
import { pool } from '../../kernel/db'
import { NotFoundError } from '../../kernel/errors'
import { parseId } from '../../kernel/parse-id'
import { freshCosts } from './reprice-sql'

const count = z.coerce.number()

/** Sums are micro-USD over the calls whose cost is known; the others are counted beside them. */
const RepricePreview = z.object({
  runs: count,
  calls: count,
  beforeMicroUsd: count,
  beforeUnpriced: count,
  afterMicroUsd: count,
  afterUnpriced: count,
  /** Runs that are going: they keep the prices they began with until they ended. */
  runsInFlight: count,
})
export type RepricePreview = z.infer<typeof RepricePreview>

const statement = `
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

/** What working out the cost of a model's past calls anew would change, by the prices of when each run began. Admins only. */
export async function previewReprice(ctx: Ctx, modelId: string): Promise<RepricePreview> {
  requireRole(ctx, 'admin')
  const id = parseId(modelId, 'The model')
  const known = await pool().query('SELECT 1 FROM models WHERE id = $1::uuid', [id])
  // Without its prices every cost of a deleted model would become unknown.
  if (known.rowCount === 0) throw new NotFoundError('The model')
  return RepricePreview.parse((await pool().query(statement, [id])).rows[0])
}
