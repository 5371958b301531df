import { pool } from '../db'

/**
 * What was last heard of a connection. `known`: it answered or failed since it leads where it does; `failing`: it failed
 * last, in a way that speaks of the connection; `open`: its circuit was opened and not closed since. `scopes`: of what
 * there are failures that somebody can act on, "" = of the connection, else of the model with this id.
 */
export type HeardConnection = {
  connectionId: string
  known: boolean
  failing: boolean
  open: boolean
  scopes: string[]
}

const statement = `
SELECT coalesce(h."connectionId", f."connectionId") AS "connectionId", h."connectionId" IS NOT NULL AS known,
  coalesce(h.failures > 0, false) AS failing, h."openUntil" IS NOT NULL AS open, coalesce(f.scopes, '{}') AS scopes
FROM connection_health h
  FULL JOIN (SELECT "connectionId", array_agg(DISTINCT scope) AS scopes FROM connection_failures GROUP BY 1) f
    ON f."connectionId" = h."connectionId"`

/** Every connection something was heard of since it leads where it does. */
export async function listHeard(): Promise<HeardConnection[]> {
  const { rows } = await pool().query<HeardConnection>(statement)
  return rows
}
