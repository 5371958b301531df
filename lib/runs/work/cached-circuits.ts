import 'server-only'
import type { Database } from '@/lib/kernel/db'
import { channels, type Notifications } from '@/lib/runs/journal/notifications'

/**
 * The stored health of a connection. `known`: it answered or failed since its address last changed; `failing`: its last
 * request failed in a way that concerns the connection; `open`: its circuit was opened and has not been closed since.
 * `scopes`: what has failures that somebody can act on: "" = the connection, else the id of a model.
 */
type Circuit = {
  connectionId: string
  known: boolean
  failing: boolean
  open: boolean
  scopes: string[]
}

/** How long a reading is used while notifications may be lost. */
const maxAgeMs = 1_000

type Reading = { circuits: Promise<Map<string, Circuit>>; at: number }

/** The circuits of all connections, for the requests of one engine. */
export type CachedCircuits = {
  /** Returns the circuit of a connection; null = it neither answered nor failed yet. */
  read: (connectionId: string) => Promise<Circuit | null>
  /** Empties the cache. Call it after this process changed a circuit: its next request must not wait for the notification. */
  forget: () => void
}

/**
 * Opens the cache. All circuits are read at once, and again after a change by any process, so that requests to healthy
 * connections cost no statement.
 */
export function openCachedCircuits(
  database: Database,
  notifications: Notifications,
): CachedCircuits {
  let cache: Reading | null = null
  const forget = () => {
    cache = null
  }
  notifications.subscribe(channels.health, forget)
  return {
    forget,
    read: async (connectionId) => {
      if (cache && !notifications.isListening() && performance.now() - cache.at > maxAgeMs)
        cache = null
      cache ??= { circuits: readCircuits(database), at: performance.now() }
      try {
        return (await cache.circuits).get(connectionId) ?? null
      } catch (error) {
        cache = null
        throw error
      }
    },
  }
}

const statement = `
SELECT coalesce(h."connectionId", f."connectionId") AS "connectionId", h."connectionId" IS NOT NULL AS known,
  coalesce(h.failures > 0, false) AS failing, h."openUntil" IS NOT NULL AS open, coalesce(f.scopes, '{}') AS scopes
FROM connection_health h
  FULL JOIN (SELECT "connectionId", array_agg(DISTINCT scope) AS scopes FROM connection_failures GROUP BY 1) f
    ON f."connectionId" = h."connectionId"`

async function readCircuits({ pool }: Database): Promise<Map<string, Circuit>> {
  const { rows } = await pool.query<Circuit>(statement)
  return new Map(rows.map((circuit) => [circuit.connectionId, circuit]))
}
