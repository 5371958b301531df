import { pool } from '../db'

/** `open` = its circuit was opened and not closed since. */
export type FailingConnection = { connectionId: string; open: boolean }

/** Connections whose last request failed in a way that speaks of the connection; usually none. */
export async function listFailing(): Promise<FailingConnection[]> {
  const { rows } = await pool().query<FailingConnection>(
    'SELECT "connectionId", "openUntil" IS NOT NULL AS open FROM connection_health WHERE failures > 0',
  )
  return rows
}
