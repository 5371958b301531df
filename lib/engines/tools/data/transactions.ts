import { Socket } from 'node:net'
import pg from 'pg'
import type { DatabaseAddress } from '@/lib/domains/data-sources/shared/database-address'
import { checkedSocket } from '@/lib/engines/egress/egress-connector'

/** Runs one statement. Rows are lists of values, in the order of the statement's columns. */
export type Ask = (sql: string, values?: readonly unknown[]) => Promise<unknown[][]>

/** What tells one database from all others. */
export type DatabaseIdentity = { system: string; database: string }

/**
 * A database that tools may ask. `own`: the console's own, or another one, which must not be the console's own by another name.
 */
type DatabaseTarget =
  | { type: 'own'; url: string }
  | { type: 'other'; address: DatabaseAddress; privateAllowed: boolean; own: DatabaseIdentity }

/** The data source is the console's own database. */
export class OwnDatabaseError extends Error {}

const limits = {
  max: 2,
  idleTimeoutMillis: 60_000,
  connectionTimeoutMillis: 5_000,
  allowExitOnIdle: true,
  application_name: 'toolgate-data',
}

type Opened = { version: string; pool: pg.Pool }
const opened = new Map<string, Opened>()

/** Names a target for its pool. `version` is another one when anything of it changed: the old connections are closed then. */
export type Place = { id: string; version: string; target: DatabaseTarget }

function poolOf({ id, version, target }: Place): pg.Pool {
  const found = opened.get(id)
  if (found?.version === version) return found.pool
  const pool = new pg.Pool({ ...optionsOf(target), ...limits })
  // The pool replaces a broken idle connection. Without a listener, it would end the process.
  pool.on('error', () => undefined)
  opened.set(id, { version, pool })
  void found?.pool.end()
  return pool
}

/** Closes the connections to a database that is no longer asked. */
export async function closePool(id: string): Promise<void> {
  const found = opened.get(id)
  opened.delete(id)
  await found?.pool.end()
}

function optionsOf(target: DatabaseTarget): pg.ClientConfig {
  if (target.type === 'own') return { connectionString: target.url }
  const { host, port, database, user, password, sslMode } = target.address
  return {
    ...{ host, port, database, user },
    // Given as a function, so that no password of this server's environment stands in for an empty one.
    password: () => password,
    ssl: sslMode === 'disable' ? false : { rejectUnauthorized: sslMode === 'verify-full' },
    stream: () => checkedSocket({ privateAllowed: target.privateAllowed }),
  }
}

/** What every transaction sets, so that values read the same in each. */
const sameInAll = `
  SET LOCAL statement_timeout = '5s';
  SET LOCAL idle_in_transaction_session_timeout = '15s';
  SET LOCAL search_path = '';
  SET LOCAL TimeZone = 'UTC';
  SET LOCAL DateStyle = 'ISO, YMD';
  SET LOCAL IntervalStyle = 'postgres';
  SET LOCAL extra_float_digits = 1`

const reading = {
  begin: `BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL lock_timeout = '2s'; ${sameInAll}`,
  end: 'ROLLBACK',
}

const writing = {
  begin: `BEGIN TRANSACTION ISOLATION LEVEL READ COMMITTED READ WRITE; SET LOCAL lock_timeout = '5s'; ${sameInAll}`,
  end: 'COMMIT',
}

/** The connection broke while a write was confirmed: nobody knows whether it took effect. */
export class UnconfirmedError extends Error {}

/**
 * Runs statements in one read-only transaction, which is rolled back. Each has 5 seconds. When `signal` is aborted, the
 * connection is closed at once, and so it is after an error.
 */
export async function inReadOnly<T>(
  place: Place,
  signal: AbortSignal,
  work: (ask: Ask) => Promise<T>,
): Promise<T> {
  return inTransaction(place, { signal, kind: reading }, work)
}

/**
 * Runs statements in one transaction that may write, and confirms it when `work` returns; otherwise nothing of it stays. Never the
 * console's own database. Throws UnconfirmedError when nobody knows whether it was confirmed.
 */
export async function inWriting<T>(
  place: Place,
  signal: AbortSignal,
  work: (ask: Ask) => Promise<T>,
): Promise<T> {
  if (place.target.type === 'own') throw new OwnDatabaseError()
  return inTransaction(place, { signal, kind: writing }, work)
}

/** Runs statements as `inWriting` does, also in the console's own database: those of the console itself, never words of a call. */
export async function inManaging<T>(
  place: Place,
  signal: AbortSignal,
  work: (ask: Ask) => Promise<T>,
): Promise<T> {
  return inTransaction(place, { signal, kind: writing }, work)
}

/** A connection that another user makes. `received`: how many bytes came; `cut` closes it at once. */
type RoleConnection = { options: pg.ClientConfig; received: () => number; cut: () => void }

/** Returns how another user connects to the database of a place. */
export function roleOptions(
  { target }: Place,
  { role, password }: { role: string; password: string },
): RoleConnection {
  const socket =
    target.type === 'own' ? new Socket() : checkedSocket({ privateAllowed: target.privateAllowed })
  const connection = { received: () => socket.bytesRead, cut: () => void socket.destroy() }
  const made = { stream: () => socket, application_name: 'toolgate-query' }
  if (target.type === 'other') {
    const address = { ...target.address, user: role, password }
    return { ...connection, options: { ...optionsOf({ ...target, address }), ...made } }
  }
  const url = new URL(target.url)
  url.username = role
  url.password = password
  return { ...connection, options: { connectionString: url.href, ...made } }
}

type Transaction = { signal: AbortSignal; kind: typeof reading }

async function inTransaction<T>(
  place: Place,
  { signal, kind }: Transaction,
  work: (ask: Ask) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted()
  const client = await poolOf(place).connect()
  let isOut = true
  const giveBack = (broken: boolean) => {
    if (isOut) client.release(broken)
    isOut = false
  }
  const stop = () => giveBack(true)
  signal.addEventListener('abort', stop, { once: true })
  try {
    signal.throwIfAborted()
    await client.query(kind.begin)
    const ask: Ask = async (text, values = []) => {
      const { rows } = await client.query({ text, values: [...values], rowMode: 'array' })
      return rows
    }
    if (place.target.type === 'other') await requireOther(ask, place.target.own)
    const result = await work(ask)
    signal.throwIfAborted()
    await client.query(kind.end).catch((error: unknown) => {
      // The database refuses with a code; without one, its answer never came.
      const isRefused = error instanceof Error && 'severity' in error
      throw kind === writing && !isRefused ? new UnconfirmedError('', { cause: error }) : error
    })
    giveBack(false)
    return result
  } catch (error) {
    signal.throwIfAborted()
    throw error
  } finally {
    signal.removeEventListener('abort', stop)
    giveBack(true)
  }
}

async function requireOther(ask: Ask, own: DatabaseIdentity): Promise<void> {
  const { system, database } = await readIdentity(ask)
  if (system === own.system && database === own.database) throw new OwnDatabaseError()
}

/** Returns what tells the database from all others. */
export async function readIdentity(ask: Ask): Promise<DatabaseIdentity> {
  const [[system, database] = []] = await ask(
    'SELECT system_identifier::text, current_database()::text FROM pg_control_system()',
  )
  return { system: String(system), database: String(database) }
}
