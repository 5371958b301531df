import 'server-only'
import type { Pool, PoolClient } from 'pg'
import type { Tx } from './db'

/** Target of statements: a transaction of Prisma, or a pool or one connection of it, which costs less. */
export type PgConnection = Tx | Pool | PoolClient

type Statement = { name?: string; text: string }

/** Sends a statement and returns its rows. Connections of a pool prepare one with a name once. */
export async function rowsOf<T extends object>(
  connection: PgConnection,
  { name, text }: Statement,
  values: unknown[],
): Promise<T[]> {
  if ('$queryRawUnsafe' in connection) return connection.$queryRawUnsafe<T[]>(text, ...values)
  return (await connection.query<T>({ name, text, values })).rows
}

/** Runs one READ COMMITTED transaction over a connection of the pool: for what is done so often that Prisma costs too much. */
export async function pooledTransaction<T>(
  pool: Pool,
  work: (connection: PoolClient) => Promise<T>,
): Promise<T> {
  const connection = await pool.connect()
  try {
    await connection.query('BEGIN')
    const done = await work(connection)
    await connection.query('COMMIT')
    connection.release()
    return done
  } catch (error) {
    const takenBack = connection.query('ROLLBACK')
    // PostgreSQL also takes back what a connection began that is closed.
    await takenBack.then(
      () => connection.release(),
      () => connection.release(true),
    )
    throw error
  }
}
