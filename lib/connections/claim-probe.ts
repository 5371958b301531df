import { pool } from '../db'

/** A probe that has not come back for so long does not keep others from trying. */
const probeSeconds = 30

const now = `(now() AT TIME ZONE 'UTC')`

const claim = `
UPDATE connection_health SET "probeAt" = ${now}
WHERE "connectionId" = $1::uuid AND "openUntil" <= ${now}
  AND ("probeAt" IS NULL OR "probeAt" <= ${now} - interval '${probeSeconds} seconds')
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

/** Asks for the one try that an open circuit allows when its pause is over, by the database's clock (SPEC R15). */
export async function claimProbe(connectionId: string): Promise<ProbeClaim> {
  const claimed = await pool().query(claim, [connectionId])
  if (claimed.rowCount === 1) return { type: 'probe' }
  const { rows } = await pool().query(read, [connectionId])
  return rows[0] ? { type: 'open', ...rows[0] } : { type: 'closed' }
}

/** A probe that said nothing about the connection: the next request may try. */
export async function releaseProbe(connectionId: string): Promise<void> {
  await pool().query(
    'UPDATE connection_health SET "probeAt" = NULL WHERE "connectionId" = $1::uuid',
    [connectionId],
  )
}
