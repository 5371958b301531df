import type { Pool } from 'pg'
import type { ConnectionHealth } from '@/lib/generated/prisma/client'
import type { ConnectionHealthState } from './schemas'

/**
 * Names the channel that receives a connection's id after each change of its health, so that processes read it again.
 */
export const healthChannel = 'toolgate_health'

const now = `(now() AT TIME ZONE 'UTC')`

const answered = `
WITH noted AS (
  INSERT INTO connection_health AS h ("connectionId", failures)
  SELECT id, 0 FROM connections WHERE id = $1::uuid AND "updatedAt" <= to_timestamp($2 / 1000.0) AT TIME ZONE 'UTC'
  ON CONFLICT ("connectionId") DO UPDATE SET failures = 0, "openUntil" = NULL, "probeAt" = NULL
  WHERE h.failures > 0
  RETURNING 1)
SELECT pg_notify('${healthChannel}', $1::text) FROM noted`

/**
 * Records that a connection answered: closes its circuit and counts failures from zero. Does nothing when somebody
 * changed the connection after the request began (`askedAt`, ms since 1970).
 */
export async function recordConnectionAnswer(
  pool: Pool,
  connectionId: string,
  askedAt: number,
): Promise<void> {
  await pool.query(answered, [connectionId, askedAt])
}

/** The number of consecutive failures after which nothing is sent for a while (SPEC R15). */
export const failuresToOpen = 5
const openForSeconds = 30

/** Requests that were active when the pause began do not extend it. A probe that failed begins a new one. */
const failed = `
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
 * Counts a failure of the connection itself; the fifth in a row opens its circuit for 30 s. Does nothing when somebody
 * changed the connection after the request began (`askedAt`, ms since 1970).
 */
export async function recordConnectionFailure(
  pool: Pool,
  connectionId: string,
  failure: { category: string; advice: string },
  askedAt = Date.now(),
): Promise<void> {
  await pool.query(failed, [connectionId, failure.category, failure.advice, askedAt])
}

/** Time that a probe has to store its result, beyond the provider's own time. */
const graceMs = 5_000

const claim = `
UPDATE connection_health SET "probeAt" = ${now}
WHERE "connectionId" = $1::uuid AND "openUntil" <= ${now}
  AND ("probeAt" IS NULL OR "probeAt" <= ${now} - make_interval(secs => $2 / 1000.0))
RETURNING 1`

const read = `
SELECT failures, "lastAdvice" AS advice,
  greatest(0, ceil(extract(epoch FROM "openUntil" - ${now}) * 1000))::int AS "leftMs"
FROM connection_health WHERE "connectionId" = $1::uuid AND "openUntil" IS NOT NULL`

/**
 * `probe`: only this caller may send. `open`: nobody may send for `leftMs` (0 = another caller is sending its probe).
 */
export type ProbeClaim =
  | { type: 'probe' }
  | { type: 'open'; failures: number; leftMs: number; advice: string }
  | { type: 'closed' }

/**
 * Claims the one request that an open circuit allows after its pause, by the database's clock (SPEC R15).
 * `firstEventMs` is how long the provider may take until its first event: a probe that takes longer, plus a short time,
 * is given to another.
 */
export async function claimProbe(
  pool: Pool,
  connectionId: string,
  firstEventMs: number,
): Promise<ProbeClaim> {
  const claimed = await pool.query(claim, [connectionId, firstEventMs + graceMs])
  if (claimed.rowCount === 1) return { type: 'probe' }
  const { rows } = await pool.query(read, [connectionId])
  return rows[0] ? { type: 'open', ...rows[0] } : { type: 'closed' }
}

/** Releases a probe that showed nothing about the connection, so that the next request may be the probe. */
export async function releaseProbe(pool: Pool, connectionId: string): Promise<void> {
  await pool.query(
    'UPDATE connection_health SET "probeAt" = NULL WHERE "connectionId" = $1::uuid',
    [connectionId],
  )
}

/**
 * Returns what the circuit breaker's row says at `now`; without a row it was never used, without failures it is
 * healthy.
 */
export function connectionHealth(row: ConnectionHealth | null, now: Date): ConnectionHealthState {
  if (!row) return { type: 'untried' }
  if (row.failures === 0) return { type: 'healthy' }
  const { failures, openUntil, lastAdvice: advice } = row
  const at = row.lastFailedAt?.toISOString() ?? null
  if (openUntil && openUntil > now) {
    return { type: 'open', failures, advice, at, openUntil: openUntil.toISOString() }
  }
  return { type: 'failing', failures, advice, at }
}
