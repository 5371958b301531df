import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type pg from 'pg'
import { advisoryLocks } from '@/lib/kernel/locks'
import { INSTALLATION_ROOT } from './data-folder'
import { estimateUpgrade, requireBackup } from './estimate-upgrade'
import { InstallationError } from './installation-error'
import { addPolicyTriggers } from './policy-triggers'
import { openClient } from './require-database'

/**
 * Applies the migrations that the database lacks and returns their names, oldest first. All of them are one transaction, with
 * their rows of `applied_migrations`: whatever ends it leaves the database as it was, so that the version before still starts.
 * Safe when several processes start at once: they queue on an advisory lock, and the later ones find nothing to do. With our
 * own migrations, not those of another `folder`, the triggers of all deciding tables are there afterwards. Throws
 * MigrationError when a migration fails or the history does not fit the files, and InstallationError for a large one without a
 * backup and for a database that cannot be reached.
 */
export async function migrate(databaseUrl: string, folder?: string): Promise<string[]> {
  const client = await openClient(databaseUrl)
  try {
    const known = await readMigrations(folder)
    const seen = await readMigrationHistory(client)
    // The common case needs no lock.
    if (isCurrent(known, seen)) {
      if (!folder) await addPolicyTriggers(client)
      return []
    }
    await client.query('BEGIN')
    await takeLock(client)
    const history = await readMigrationHistory(client)
    const pending = pendingMigrations(known, history)
    requireBackup(await estimateUpgrade(client, pending))
    if (history.table !== 'applied_migrations') await openHistory(client, history)
    for (const migration of pending) await applyMigration(client, migration)
    if (!folder) await addPolicyTriggers(client)
    await client.query('COMMIT')
    return pending.map(({ name }) => name)
  } finally {
    await client.end()
  }
}

/** Waits for the lock of migrations, which a backup shares. One that takes hours would look like a start that hangs, so this is said. */
async function takeLock(client: pg.Client): Promise<void> {
  const lock = [advisoryLocks.migrations]
  const { rows } = await client.query('SELECT pg_try_advisory_xact_lock($1) AS free', lock)
  if (rows[0]?.free) return
  const { runningBackupSince } = await import('./backup/running-backup')
  const since = await runningBackupSince(client)
  const began = since?.toISOString().slice(0, 16).replace('T', ' ')
  console.error(
    since
      ? `Waiting for the backup that began at ${began} UTC: migrations begin once it is done. To go on now, stop the process that writes it.`
      : 'Waiting for another process, which migrates or restores this database.',
  )
  await client.query('SELECT pg_advisory_xact_lock($1)', lock)
}

function isCurrent(known: readonly Migration[], history: MigrationHistory): boolean {
  return history.table === 'applied_migrations' && pendingMigrations(known, history).length === 0
}

/** Creates `applied_migrations`, with what Prisma's table says was applied. */
export async function openHistory(client: pg.Client, { table }: MigrationHistory): Promise<void> {
  await client.query(
    `CREATE TABLE applied_migrations (
       name text PRIMARY KEY,
       checksum text NOT NULL,
       "appliedAt" timestamptz NOT NULL DEFAULT now())`,
  )
  if (table === '_prisma_migrations') {
    await client.query(
      `INSERT INTO applied_migrations (name, checksum, "appliedAt")
       SELECT DISTINCT ON (migration_name) migration_name, checksum, finished_at
       FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY migration_name, finished_at`,
    )
  }
}

/** Applies one migration. A failed statement ends everything, because closing the connection rolls back. */
export async function applyMigration(
  client: pg.Client,
  { name, sql, checksum }: Migration,
): Promise<void> {
  try {
    await client.query(sql)
    await client.query('INSERT INTO applied_migrations (name, checksum) VALUES ($1, $2)', [
      name,
      checksum,
    ])
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new MigrationError(
      `${name} failed (${reason})`,
      'Nothing was changed, so the version before still starts. Remove the cause and start again.',
      { cause },
    )
  }
}

export const MIGRATIONS_FOLDER = path.join(INSTALLATION_ROOT, 'prisma/migrations')

/** One file of prisma/migrations: `name` is the file's without `.sql`, `checksum` the SHA-256 of `sql` in hex. */
export type Migration = { name: string; sql: string; checksum: string }

/** Reads the migrations in `folder`, oldest first: their names begin with the time when they were written. */
export async function readMigrations(folder = MIGRATIONS_FOLDER): Promise<Migration[]> {
  const files = await readdir(folder)
  return Promise.all(files.sort().map((file) => readMigration(folder, file)))
}

/** Throws when the folder holds something else, which would be left out in silence. */
async function readMigration(folder: string, file: string): Promise<Migration> {
  const [, name] = /^(\d{14}_\w+)\.sql$/.exec(file) ?? []
  if (name === undefined)
    throw new Error(`prisma/migrations/${file} is not named <time>_<name>.sql.`)
  // A checkout on Windows may have written other line ends.
  const sql = (await readFile(path.join(folder, file), 'utf8')).replaceAll('\r\n', '\n')
  return { name, sql, checksum: sha256(sql) }
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** A migration that was begun on a database. Only Prisma's table has ones that did not finish. */
type AppliedMigration = { name: string; checksum: string; finished: boolean }

/** The migrations of a database. `table` is where they are stored; null before the first one. */
export type MigrationHistory = {
  table: 'applied_migrations' | '_prisma_migrations' | null
  applied: AppliedMigration[]
}

/** Migrations that were edited before their release, with the checksum of the text that some databases have. */
const earlierTexts = new Map([
  [
    '20261122150000_answers_heard',
    '5b8db770cc097eec6be01db2de44360dfdb16c9481cafbbe55302b3d52666132',
  ],
])

/**
 * Reads what was done to the database. Before Toolgate had a table of its own, Prisma kept the history; rows that were
 * marked as rolled back do not count.
 */
export async function readMigrationHistory(
  client: Pick<pg.ClientBase, 'query'>,
): Promise<MigrationHistory> {
  const tables = await client.query<{ own: boolean; prisma: boolean }>(
    `SELECT to_regclass('applied_migrations') IS NOT NULL AS own,
            to_regclass('_prisma_migrations') IS NOT NULL AS prisma`,
  )
  const [found] = tables.rows
  if (found?.own) {
    const { rows } = await client.query<AppliedMigration>(
      'SELECT name, checksum, true AS finished FROM applied_migrations ORDER BY name',
    )
    return { table: 'applied_migrations', applied: rows }
  }
  if (!found?.prisma) return { table: null, applied: [] }
  const { rows } = await client.query<AppliedMigration>(
    `SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS finished
     FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY migration_name`,
  )
  return { table: '_prisma_migrations', applied: rows }
}

/** A history that does not fit the files: what is wrong, and what to do about it. */
export class MigrationError extends InstallationError {
  constructor(
    readonly reason: string,
    readonly remedy: string,
    options?: ErrorOptions,
  ) {
    super(`The database cannot be migrated: ${reason}. ${remedy}`, options)
  }
}

/**
 * Returns the migrations of `known` that are still to be applied, in order. Throws MigrationError when the history
 * does not fit: a migration did not finish, is of a newer version, or its file was changed after it was applied.
 */
export function pendingMigrations(
  known: readonly Migration[],
  { applied }: MigrationHistory,
): Migration[] {
  const byName = new Map(known.map((migration) => [migration.name, migration]))
  const unfinished = namesOf(applied.filter((row) => !row.finished))
  if (unfinished.length > 0) throw unfinishedError(unfinished)
  const unknown = namesOf(applied.filter((row) => !byName.has(row.name)))
  if (unknown.length > 0) throw unknownError(unknown)
  const changed = namesOf(applied.filter((row) => !isSameText(row, byName.get(row.name))))
  if (changed.length > 0) throw changedError(changed)
  const done = new Set(namesOf(applied))
  return known.filter((migration) => !done.has(migration.name))
}

function namesOf(rows: readonly AppliedMigration[]): string[] {
  return rows.map(({ name }) => name)
}

function isSameText({ name, checksum }: AppliedMigration, migration: Migration | undefined) {
  if (migration === undefined) return false
  if (checksum === migration.checksum || checksum === earlierTexts.get(name)) return true
  // Prisma took the file as it was, on Windows perhaps with other line ends.
  return checksum === sha256(migration.sql.replaceAll('\n', '\r\n'))
}

function unfinishedError(names: readonly string[]): MigrationError {
  return new MigrationError(
    `an older version of Toolgate began ${names.join(', ')} and did not finish, so the database may have a part of it`,
    'Restore a backup from before that update and start again. If you finished or undid it by hand, set finished_at or rolled_back_at of its row in the table _prisma_migrations.',
  )
}

function unknownError(names: readonly string[]): MigrationError {
  return new MigrationError(
    `it is from a newer version of Toolgate, and this version does not know ${names.join(', ')}`,
    'Update Toolgate, or restore a backup from before the newer version.',
  )
}

function changedError(names: readonly string[]): MigrationError {
  const files = names.map((name) => `prisma/migrations/${name}.sql`)
  return new MigrationError(
    `${files.join(', ')} changed after it was applied`,
    'Put back the released file (git restore), and write a new migration for what has to change.',
  )
}
