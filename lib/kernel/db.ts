import 'server-only'
import { PrismaPg } from '@prisma/adapter-pg'
import { Pool } from 'pg'
import { z } from 'zod'
import { Prisma, PrismaClient } from '../generated/prisma/client'
import { env } from './env'

type WritingMethod =
  | 'create'
  | 'createMany'
  | 'createManyAndReturn'
  | 'update'
  | 'updateMany'
  | 'updateManyAndReturn'
  | 'upsert'
  | 'delete'
  | 'deleteMany'

/** What changes without anybody deciding it, or is a trail of its own: it is written without an audit row. */
type Undecided =
  // The journal, which is the trail of a run, and what it names.
  | 'runEventRow'
  | 'run'
  | 'fileContent'
  | 'nativeAnswer'
  | 'callResult'
  // The ledgers of model requests and tool calls. Who saw an alert is audited.
  | 'usageRecord'
  | 'usageRollup'
  | 'usageSpan'
  | 'budgetCounter'
  | 'budgetReservation'
  | 'budgetAlert'
  | 'callRecord'
  // What providers do, what processes say, and a number that each audited change of the policy raises.
  | 'connectionHealth'
  | 'connectionFailure'
  | 'instance'
  | 'logEntry'
  | 'policyVersion'
  // What comes before a session, which is audited when it opens.
  | 'signInFailure'
  | 'pendingSignIn'
  | 'passkeyChallenge'

/** What decisions are made from (SPEC G-F, G-R), of nouns that nothing uses while they are new. */
type DecidingNoun = 'configuration' | 'connection' | 'group' | 'model' | 'task' | 'user'
/** The rest of what decisions are made from. */
type DecidingPart =
  | 'approvalRule'
  | 'configurationFallback'
  | 'configurationGroup'
  | 'configurationSkill'
  | 'groupMember'
  | 'setting'
  | 'skill'
  | 'skillVersion'
  | 'taskSkill'
  | 'toolGroupOff'
  | 'toolOverride'

// Only `withTransaction` begins transactions.
type Whole = Omit<Prisma.TransactionClient, '$transaction'>
type Model = Exclude<keyof Whole, `$${string}`>
type Without<Names extends keyof Whole, Methods> = {
  [K in keyof Whole]: K extends Names ? Omit<Whole[K], Methods & keyof Whole[K]> : Whole[K]
}

/** A client or transaction that reads everything, and writes only what nobody decides. */
export type Tx = Without<Exclude<Model, Undecided>, WritingMethod>

/** The transaction of an audited change. It writes all but what decisions are made from. */
export type ChangeTx = Omit<Without<DecidingNoun, Exclude<WritingMethod, 'create'>>, DecidingPart> &
  Pick<Without<DecidingPart, WritingMethod>, DecidingPart>

/** The transaction of an audited change that holds the policy lock exclusively (`changePolicy`). It writes everything. */
export type PolicyTx = Whole

/** Returns the client with which to write what no person decided, so that the audit says nothing of it. */
export function unaudited(client: Tx, _why: string): PolicyTx {
  return client as PolicyTx
}

/** Returns the transaction with which an audited change writes to such a table what no decision is made from. */
export function undeciding(tx: ChangeTx, _why: string): PolicyTx {
  return tx as PolicyTx
}

/** One PostgreSQL database. `pool` is under `client`, for statements where one round trip matters. */
export type Database = { url: string; pool: Pool; client: Client }
type Client = Tx & Pick<PrismaClient, '$disconnect'>

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
export function db(): Tx {
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
  return (client as PrismaClient).$transaction(work, { maxWait: 10_000, timeout: 20_000 })
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
