import 'server-only'
import { PrismaPg } from '@prisma/adapter-pg'
import { Pool } from 'pg'
import { z } from 'zod'
import { Prisma, PrismaClient } from '../generated/prisma/client'
import { env } from './env'

export type Tx = Prisma.TransactionClient

// Actions, routes and instrumentation are separate bundles in one process: share one pool through globalThis.
const slot = Symbol.for('toolgate.db')
const shared = globalThis as { [slot]?: { pool: Pool; client: PrismaClient } }

function open() {
  const pool = new Pool({ connectionString: env().DATABASE_URL, max: env().DATABASE_POOL_SIZE })
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => undefined)
  return { pool, client: new PrismaClient({ adapter: new PrismaPg(pool) }) }
}

/** The process-wide client, opened on first use. */
export function db(): PrismaClient {
  shared[slot] ??= open()
  return shared[slot].client
}

/** The pool under `db()`, for statements where one round trip matters, and for LISTEN. */
export function pool(): Pool {
  shared[slot] ??= open()
  return shared[slot].pool
}

/** Closes the pool, so that a command-line process can end. */
export async function closeDb(): Promise<void> {
  const opened = shared[slot]
  shared[slot] = undefined
  await opened?.client.$disconnect()
  await opened?.pool.end()
}

/** One READ COMMITTED transaction: each statement sees what has been committed before it began. */
export function withTransaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
  return db().$transaction(work, { maxWait: 10_000, timeout: 20_000 })
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

/** Whether a statement failed because PostgreSQL does not answer, not because of what it asked. */
export function isUnreachable(error: unknown): boolean {
  return (
    error instanceof Prisma.PrismaClientKnownRequestError &&
    NoConnection.safeParse(error.meta).success
  )
}
