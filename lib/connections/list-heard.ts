import { pool } from '../db'

/**
 * What was last heard of a connection: it answered, or it failed in a way that speaks of the connection. `open` = its
 * circuit was opened and not closed since.
 */
export type HeardConnection = { connectionId: string; failing: boolean; open: boolean }

/** Every connection something was heard of since it leads where it does. */
export async function listHeard(): Promise<HeardConnection[]> {
  const { rows } = await pool().query<HeardConnection>(
    'SELECT "connectionId", failures > 0 AS failing, "openUntil" IS NOT NULL AS open FROM connection_health',
  )
  return rows
}
