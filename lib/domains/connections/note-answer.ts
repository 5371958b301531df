import type { Pool } from 'pg'
import { healthChannel } from './health-channel'

const statement = `
WITH noted AS (
  INSERT INTO connection_health AS h ("connectionId", failures)
  SELECT id, 0 FROM connections WHERE id = $1::uuid AND "updatedAt" <= to_timestamp($2 / 1000.0) AT TIME ZONE 'UTC'
  ON CONFLICT ("connectionId") DO UPDATE SET failures = 0, "openUntil" = NULL, "probeAt" = NULL
  WHERE h.failures > 0
  RETURNING 1)
SELECT pg_notify('${healthChannel}', $1::text) FROM noted`

/**
 * The connection answered, which is known from now on: its circuit is closed, and failures are counted from the start.
 * An answer to what was asked (`askedAt`, ms since 1970) before somebody changed the connection says nothing of it now.
 */
export async function noteAnswer(pool: Pool, connectionId: string, askedAt: number): Promise<void> {
  await pool.query(statement, [connectionId, askedAt])
}
