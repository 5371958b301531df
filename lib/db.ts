import 'server-only'
import { PrismaPg } from '@prisma/adapter-pg'
import { env } from './env'
import { Prisma, PrismaClient } from './generated/prisma/client'

export type Db = PrismaClient
export type Tx = Prisma.TransactionClient

// Actions, routes and instrumentation are separate bundles in one process: share one pool through globalThis.
const slot = Symbol.for('toolgate.db')
const shared = globalThis as { [slot]?: PrismaClient }

/** The process-wide client, opened on first use. */
export function db(): PrismaClient {
  shared[slot] ??= new PrismaClient({
    adapter: new PrismaPg({ connectionString: env().DATABASE_URL, max: env().DATABASE_POOL_SIZE }),
  })
  return shared[slot]
}

/** One READ COMMITTED transaction: each statement sees what has been committed before it began. */
export function withTransaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
  return db().$transaction(work, { maxWait: 10_000, timeout: 20_000 })
}

export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002'
}
