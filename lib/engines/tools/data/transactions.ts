import type pg from 'pg'

/** Runs one statement. Rows are lists of values, in the order of the statement's columns. */
export type Ask = (sql: string, values?: readonly unknown[]) => Promise<unknown[][]>

/** Identifies one database among all others. */
export type DatabaseIdentity = { system: string; database: string }

/** A connection that another user makes. `received`: how many bytes came; `cut` closes it at once. */
export type RoleConnection = { client: pg.Client; received: () => number; cut: () => void }

/** A database that tools may ask. */
export type AskedDatabase = {
  connect: () => Promise<pg.PoolClient>
  connectAs: (login: { role: string; password: string }) => RoleConnection
  /** The console's own database, which this one must not be by another name; null: this is the console's own. */
  mustNotBe: DatabaseIdentity | null
}

/** The data source is the console's own database. */
export class OwnDatabaseError extends Error {}

/** Settings of every transaction, so that values read the same in each. */
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
  database: AskedDatabase,
  signal: AbortSignal,
  work: (ask: Ask) => Promise<T>,
): Promise<T> {
  return inTransaction(database, { signal, kind: reading }, work)
}

/**
 * Runs statements in one transaction that may write, and confirms it when `work` returns; otherwise nothing of it stays. Never the
 * console's own database. Throws UnconfirmedError when nobody knows whether it was confirmed.
 */
export async function inWriting<T>(
  database: AskedDatabase,
  signal: AbortSignal,
  work: (ask: Ask) => Promise<T>,
): Promise<T> {
  if (database.mustNotBe === null) throw new OwnDatabaseError()
  return inTransaction(database, { signal, kind: writing }, work)
}

/** Runs statements as `inWriting` does, also in the console's own database: those of the console itself, never words of a call. */
export async function inManaging<T>(
  database: AskedDatabase,
  signal: AbortSignal,
  work: (ask: Ask) => Promise<T>,
): Promise<T> {
  return inTransaction(database, { signal, kind: writing }, work)
}

type Transaction = { signal: AbortSignal; kind: typeof reading }

async function inTransaction<T>(
  database: AskedDatabase,
  { signal, kind }: Transaction,
  work: (ask: Ask) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted()
  const client = await database.connect()
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
    if (database.mustNotBe !== null) await requireOther(ask, database.mustNotBe)
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
