import pg from 'pg'
import { advisoryLocks } from '../kernel/locks'

/** One process's claim on the built-in PostgreSQL: it keeps running while anyone holds one. */
export type DatabaseLease = {
  /** Resolves when the server went away under us; never after `giveBack`. */
  lost: Promise<void>
  /** Ends the claim. True when nobody else holds one, so the server may be stopped. */
  giveBack: () => Promise<boolean>
}

/** Throws pg's error when the server does not take the connection. */
export async function leaseDatabase(url: string): Promise<DatabaseLease> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
  })
  let given = false
  const lost = new Promise<void>((resolve) => {
    client.on('error', () => {})
    client.on('end', () => {
      if (!given) resolve()
    })
  })
  await client.connect()
  await client.query('SELECT pg_advisory_lock_shared($1)', [advisoryLocks.database])
  return {
    lost,
    async giveBack() {
      given = true
      try {
        await client.query('SELECT pg_advisory_unlock_shared($1)', [advisoryLocks.database])
        const { rows } = await client.query('SELECT pg_try_advisory_lock($1) AS alone', [
          advisoryLocks.database,
        ])
        return rows[0]?.alone === true
      } finally {
        await client.end()
      }
    },
  }
}
