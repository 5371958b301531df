import 'server-only'
import { randomBytes } from 'node:crypto'
import { PrismaPg } from '@prisma/adapter-pg'
import { Client as PgClient, Pool } from 'pg'
import { Prisma, PrismaClient } from '@/lib/generated/prisma/client'
import { withDigest } from './database-errors'
import type { DecidingNoun, DecidingPart } from './deciding-tables'
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

/** Tables that are written without an audit row. */
type Undecided =
  // The journal, which is the trail of a run, and what it names.
  | 'runEventRow'
  | 'run'
  | 'fileContent'
  | 'nativeAnswer'
  // Results of scheduled starts.
  | 'scheduledStart'
  // Results of trials of a change, kept for a day.
  | 'keptTrial'
  // The ledgers of model requests and tool calls. Who saw an alert is audited.
  | 'usageRecord'
  | 'usageRollup'
  | 'usageSpan'
  | 'budgetCounter'
  | 'budgetReservation'
  | 'budgetAlert'
  | 'alertDelivery'
  | 'approvalNotice'
  | 'auditNotice'
  | 'callRecord'
  | 'callRollup'
  | 'callSpan'
  | 'toolStarts'
  | 'ruleCount'
  // Contents of files before tools wrote them.
  | 'fileVersion'
  | 'runWebUse'
  // Deliveries of messages that runs sent to people, and results of site checks.
  | 'runMessage'
  | 'siteCheck'
  // Health of providers, state of processes, and a number that each audited change of the policy raises.
  | 'connectionHealth'
  | 'connectionFailure'
  | 'instance'
  | 'logEntry'
  | 'policyVersion'
  // Steps before a session, which is audited when it opens.
  | 'signInFailure'
  | 'pendingSignIn'
  | 'passkeyChallenge'

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
export function allowNonPolicyWrite(tx: ChangeTx, _why: string): PolicyTx {
  return tx as PolicyTx
}

/** One PostgreSQL database. `pool` is under `client`, for statements where one round trip matters. */
export type Database = { url: string; pool: Pool; client: Client }
type Client = Tx & Pick<PrismaClient, '$disconnect'>

/**
 * A connection that ends with the first statement that PostgreSQL did not answer in time. Its pool would give it to the next one with
 * the transaction still open, because the ROLLBACK waits behind that statement and is dropped in time, too.
 */
class TimedClient extends PgClient {
  override query: PgClient['query'] = (...parameters: unknown[]) => {
    const answer = Reflect.apply(super.query, this, parameters)
    // With a callback it returns no promise, and the pool ends the connection itself.
    if (answer instanceof Promise) {
      answer.catch((error: unknown) => {
        if (error instanceof Error && error.message === 'Query read timeout') void this.end()
      })
    }
    return answer
  }
}

/**
 * Opens a database. `limitMs`: PostgreSQL stops statements that take longer; those that wait so long for a connection, or half as
 * long again for an answer, reject, too. 0 = none. With a limit, it is one for pages: errors have the digest of their outage.
 */
export function openDatabase(url: string, poolSize: number, limitMs = 0): Database {
  const limits = {
    statement_timeout: limitMs,
    connectionTimeoutMillis: limitMs,
    // A PostgreSQL that hangs does not stop its statements itself.
    query_timeout: limitMs * 1.5,
  }
  const pool = new Pool({ connectionString: url, max: poolSize, ...limits, Client: TimedClient })
  // The pool replaces a broken idle connection. Without a listener, it would end the process.
  pool.on('error', () => undefined)
  const client = new PrismaClient({ adapter: new PrismaPg(pool) })
  return limitMs === 0 ? { url, pool, client } : { url, ...digested(pool, client) }
}

/** Gives each error the digest of its outage, which the framework logs and shows. Errors stay those of the database. */
function digested(pool: Pool, client: PrismaClient): Pick<Database, 'pool' | 'client'> {
  const rethrow = (error: unknown) => {
    throw withDigest(error)
  }
  const rethrowing = client.$extends({
    query: { $allOperations: ({ args, query }) => query(args).catch(rethrow) },
  })
  const query = pool.query.bind(pool) as (...parameters: unknown[]) => Promise<unknown> | undefined
  // With a callback, it returns no promise.
  const digestedQuery = (...parameters: unknown[]) => query(...parameters)?.catch(rethrow)
  return {
    pool: Object.assign(pool, { query: digestedQuery as Pool['query'] }),
    client: rethrowing as unknown as Client,
  }
}

/** Closes the connections of a database, so that a command-line process can end. */
export async function closeDatabase({ client, pool }: Database): Promise<void> {
  await client.$disconnect()
  await pool.end()
}

/** The pools of this process, opened on first use. */
const opened: { pages?: Database | undefined; runs?: Database | undefined } = {}
let pageLimitMs: number | undefined
/** Something could not be stored because the disk of the database was full. */
let wasFull = false

/** Limits each statement for pages and requests of this process. Commands have no limit: somebody waits for them. */
export function limitStatements(limitMs: number): void {
  pageLimitMs = limitMs
}

/** Remembers that the disk of the database was full, so that `hasRoom` tries whether it still is. */
export function noteDiskFull(): void {
  wasFull = true
}

/** Returns whether the disk of the database has room, as far as this process knows: it tries only after it was full. */
export async function hasRoom(): Promise<boolean> {
  if (!wasFull) return true
  try {
    await withTransaction(storeNothing).catch((error) => {
      if (!(error instanceof NothingStored)) throw error
    })
  } catch {
    return false
  }
  wasFull = false
  return true
}

class NothingStored extends Error {}

/** Makes PostgreSQL take new room on its disk, and leaves nothing there. */
async function storeNothing(tx: Tx): Promise<never> {
  const message = randomBytes(256 * 1024).toString('base64')
  await tx.logEntry.create({ data: { level: 'debug', source: 'database', message } })
  throw new NothingStored()
}

/**
 * Returns the database of this process for pages and requests; opens it on first use. Runs have a pool of their own, so
 * that pages which take long never keep them waiting.
 */
export function database(): Database {
  const { DATABASE_URL: url, DATABASE_POOL_SIZE: size } = env()
  opened.pages ??= openDatabase(url, Math.floor(size / 2), pageLimitMs)
  return opened.pages
}

/** Returns the database of this process for runs. */
export function runDatabase(): Database {
  const { DATABASE_URL: url, DATABASE_POOL_SIZE: size } = env()
  opened.runs ??= openDatabase(url, Math.ceil(size / 2))
  return opened.runs
}

/** Returns the client of this process's database. */
export function db(): Tx {
  return database().client
}

/** Returns the pool of this process's database. */
export function pool(): Pool {
  return database().pool
}

/** Closes the pools of this process. */
export async function closeDb(): Promise<void> {
  const { pages, runs } = opened
  opened.pages = undefined
  opened.runs = undefined
  for (const database of [pages, runs]) if (database) await closeDatabase(database)
}

/** Runs one READ COMMITTED transaction: each statement sees what was committed before it began. */
export async function withTransaction<T>(work: (tx: Tx) => Promise<T>, client = db()): Promise<T> {
  try {
    const limits = { maxWait: 10_000, timeout: 20_000 }
    return await (client as PrismaClient).$transaction(work, limits)
  } catch (error) {
    throw withDigest(error)
  }
}

export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002'
}
