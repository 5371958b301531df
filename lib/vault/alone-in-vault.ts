import pg from 'pg'
import { env } from '../env'
import { ConflictError } from '../errors'

const rotationLock = 7_240_106

/** Lets one process of all rotate. The lock belongs to a connection of its own, so it cannot outlive a crash. */
export async function aloneInVault<T>(work: () => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: env().DATABASE_URL })
  // A connection that breaks is noticed by the statement that needs it; unheard it would end the process.
  client.on('error', () => undefined)
  await client.connect()
  try {
    const { rows } = await client.query('SELECT pg_try_advisory_lock($1) AS mine', [rotationLock])
    if (!rows[0]?.mine) {
      throw new ConflictError('Another process is rotating the vault key. Wait until it is done.')
    }
    return await work()
  } finally {
    await client.end()
  }
}
