import { pool } from '../db'
import { healthChannel } from './health-channel'

const statement = `
WITH noted AS (
  UPDATE connection_health SET failures = 0, "openUntil" = NULL, "probeAt" = NULL
  WHERE "connectionId" = $1::uuid AND failures > 0
  RETURNING 1)
SELECT pg_notify('${healthChannel}', $1::text) FROM noted`

/** The connection answered: its circuit is closed, and failures are counted from the start. */
export async function noteAnswer(connectionId: string): Promise<void> {
  await pool().query(statement, [connectionId])
}
