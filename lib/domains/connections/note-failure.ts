import type { Pool } from 'pg'
import { healthChannel } from './health-channel'

/** Failures in a row after which nothing is sent for a while (SPEC R15). */
export const failuresToOpen = 5
const openForSeconds = 30

const now = `(now() AT TIME ZONE 'UTC')`

/** The pause is not prolonged by requests that were under way when it began; a probe that failed begins a new one. */
const statement = `
WITH noted AS (
  INSERT INTO connection_health AS h ("connectionId", failures, "lastCategory", "lastAdvice", "lastFailedAt")
  SELECT id, 1, $2, $3, ${now} FROM connections
  WHERE id = $1::uuid AND "updatedAt" <= to_timestamp($4 / 1000.0) AT TIME ZONE 'UTC'
  ON CONFLICT ("connectionId") DO UPDATE SET
    failures = h.failures + 1,
    "openUntil" = CASE
      WHEN h.failures + 1 >= ${failuresToOpen} AND (h."openUntil" IS NULL OR h."openUntil" <= ${now})
      THEN ${now} + interval '${openForSeconds} seconds' ELSE h."openUntil" END,
    "probeAt" = NULL,
    "lastCategory" = excluded."lastCategory",
    "lastAdvice" = excluded."lastAdvice",
    "lastFailedAt" = excluded."lastFailedAt"
  RETURNING 1)
SELECT pg_notify('${healthChannel}', $1::text) FROM noted`

/**
 * Counts a failure of the kind that speaks of the connection; the fifth in a row opens its circuit for 30 s. What was
 * asked (`askedAt`, ms since 1970) before somebody changed the connection says nothing of it now.
 */
export async function noteFailure(
  pool: Pool,
  connectionId: string,
  failure: { category: string; advice: string },
  askedAt = Date.now(),
): Promise<void> {
  await pool.query(statement, [connectionId, failure.category, failure.advice, askedAt])
}
