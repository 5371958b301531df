import 'server-only'
import { PrismaPg } from '@prisma/adapter-pg'
import { Pool } from 'pg'
import { z } from 'zod'
import { Prisma, PrismaClient } from '../generated/prisma/client'
import { env } from './env'

export type Tx = Prisma.TransactionClient

/** One PostgreSQL database. `pool` is under `client`, for statements where one round trip matters. */
export type Database = { url: string; pool: Pool; client: PrismaClient }

export function openDatabase(url: string, poolSize: number): Database {
  const pool = new Pool({ connectionString: url, max: poolSize })
  // The pool replaces a broken idle connection. Without a listener, it would end the process.
  pool.on('error', () => undefined)
  return { url, pool, client: new PrismaClient({ adapter: new PrismaPg(pool) }) }
}

/** Closes the connections of a database, so that a command-line process can end. */
export async function closeDatabase({ client, pool }: Database): Promise<void> {
  await client.$disconnect()
  await pool.end()
}

// Actions, routes and instrumentation are separate bundles in one process, so they share one pool through globalThis.
const slot = Symbol.for('toolgate.db')
const shared = globalThis as { [slot]?: Database }

/** Returns the database of this process; opens it on first use. */
export function database(): Database {
  shared[slot] ??= openDatabase(env().DATABASE_URL, env().DATABASE_POOL_SIZE)
  return shared[slot]
}

/** Returns the client of this process's database. */
export function db(): PrismaClient {
  return database().client
}

/** Returns the pool of this process's database. */
export function pool(): Pool {
  return database().pool
}

/** Closes the database of this process. */
export async function closeDb(): Promise<void> {
  const opened = shared[slot]
  shared[slot] = undefined
  if (opened) await closeDatabase(opened)
}

/** Runs one READ COMMITTED transaction: each statement sees what was committed before it began. */
export function withTransaction<T>(work: (tx: Tx) => Promise<T>, client = db()): Promise<T> {
  return client.$transaction(work, { maxWait: 10_000, timeout: 20_000 })
}

export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002'
}

const NoConnection = z.object({
  driverAdapterError: z.object({
    cause: z.object({
      kind: z.enum([
        'DatabaseNotReachable',
        'ConnectionClosed',
        'SocketTimeout',
        'TooManyConnections',
      ]),
    }),
  }),
})

/** Returns whether a statement failed because PostgreSQL does not answer, and not because of its content. */
export function isUnreachable(error: unknown): boolean {
  return (
    error instanceof Prisma.PrismaClientKnownRequestError &&
    NoConnection.safeParse(error.meta).success
  )
}
