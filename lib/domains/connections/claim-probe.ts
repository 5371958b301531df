import type { Pool } from 'pg'

/** Beyond what a probe may take: it has to write down what it found, too. */
const graceMs = 5_000

const now = `(now() AT TIME ZONE 'UTC')`

const claim = `
UPDATE connection_health SET "probeAt" = ${now}
WHERE "connectionId" = $1::uuid AND "openUntil" <= ${now}
  AND ("probeAt" IS NULL OR "probeAt" <= ${now} - make_interval(secs => $2 / 1000.0))
RETURNING 1`

const read = `
SELECT failures, "lastAdvice" AS advice,
  greatest(0, ceil(extract(epoch FROM "openUntil" - ${now}) * 1000))::int AS "leftMs"
FROM connection_health WHERE "connectionId" = $1::uuid AND "openUntil" IS NOT NULL`

/** `probe`: this caller alone may try. `open`: nobody may for `leftMs` (0 = somebody else is trying). */
export type ProbeClaim =
  | { type: 'probe' }
  | { type: 'open'; failures: number; leftMs: number; advice: string }
  | { type: 'closed' }

/**
 * Asks for the one try that an open circuit allows when its pause is over, by the database's clock (SPEC R15).
 * `firstEventMs` is how long a provider of this connection may take until it says anything: a try that is not back by
 * then, and a little later, keeps nobody from trying.
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

/** A probe that said nothing about the connection: the next request may try. */
export async function releaseProbe(pool: Pool, connectionId: string): Promise<void> {
  await pool.query(
    'UPDATE connection_health SET "probeAt" = NULL WHERE "connectionId" = $1::uuid',
    [connectionId],
  )
}
