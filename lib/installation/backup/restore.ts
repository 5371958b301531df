import type { FileHandle } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { advisoryLocks } from '@/lib/kernel/locks'
import {
  applyMigration,
  type Migration,
  MigrationError,
  openHistory,
  pendingMigrations,
  readMigrationHistory,
  readMigrations,
} from '../migrate'
import { addPolicyTriggers } from '../policy-triggers'
import {
  type BackedUpTable,
  type BackupContents,
  BackupError,
  type BackupHeader,
  type BackupPart,
  readBackup,
} from './backup-file'
import { copyStatement, openConnection, readConsoleTables } from './console-tables'
import { misfit } from './misfit'
import { tablesAfter } from './tables-after'

const quoted = pg.escapeIdentifier
const danglingKey = '23503'

export type RestoreOrder = {
  databaseUrl: string
  backup: FileHandle
  /** As `examineBackup` found it. */
  contents: Pick<BackupContents, 'header' | 'tables'>
  /** Called before the last step, with everything in place: may still throw, and then nothing is restored. */
  finish: (client: pg.Client) => Promise<void>
}

/**
 * Copies a backup that was examined into the empty database at `databaseUrl`, and migrates it to this version. All of it is one
 * transaction: killed at any moment, the database is as empty as before. Throws BackupError with a sentence.
 */
export async function restore(order: RestoreOrder): Promise<void> {
  const { databaseUrl, backup, contents, finish } = order
  const { header } = contents
  const known = await readMigrations()
  const newer = pendingFor(known, header)
  const client = await openConnection(databaseUrl)
  try {
    await client.query('SELECT pg_advisory_lock($1)', [advisoryLocks.migrations])
    await client.query('BEGIN')
    await prepareTables(client, known, header, newer)
    const tables = await readConsoleTables(client, known)
    requireFit(contents.tables, tables)
    const foreignKeys = await dropForeignKeys(client)
    await client.query(`TRUNCATE ${tables.map(({ table }) => quoted(table)).join(', ')}`)
    await switchTriggers(client, tables, 'DISABLE')
    await load(client, backup, tables)
    await switchTriggers(client, tables, 'ENABLE')
    await addForeignKeys(client, foreignKeys)
    for (const migration of newer) await applyMigration(client, migration)
    await addPolicyTriggers(client)
    await finish(client)
    await client.query('COMMIT')
    await client.query('ANALYZE')
  } finally {
    await client.end()
  }
}

/** Returns the migrations that a backup has not been through. Throws BackupError when this version cannot read it. */
export function pendingFor(known: readonly Migration[], header: BackupHeader): Migration[] {
  const names = new Set(known.map(({ name }) => name))
  const unknown = header.migrations.flatMap(({ name }) => (names.has(name) ? [] : [name]))
  if (unknown.length > 0) {
    throw new BackupError(
      `This backup is of a newer version of Toolgate (${header.product}), and this version does not know ${unknown.join(', ')}. Update Toolgate and restore it then. Nothing was changed.`,
    )
  }
  const applied = header.migrations.map((each) => ({ ...each, finished: true }))
  try {
    return pendingMigrations(known, { table: 'applied_migrations', applied })
  } catch (cause) {
    if (!(cause instanceof MigrationError)) throw cause
    throw new BackupError(`This backup cannot be restored: ${cause.reason}. Nothing was changed.`, {
      cause,
    })
  }
}

/**
 * Checks a backup as a restore into an empty database does, and returns the migrations that it has not been through. Throws BackupError.
 */
export function verifyFit(
  known: readonly Migration[],
  { header, tables }: Pick<BackupContents, 'header' | 'tables'>,
): Migration[] {
  const newer = pendingFor(known, header)
  const later = new Set(newer.map(({ name }) => name))
  requireFit(tables, tablesAfter(known.filter(({ name }) => !later.has(name))))
  return newer
}

/** Throws BackupError, by names, when a backup has other tables or columns than those into which it is restored. */
function requireFit(tables: readonly BackedUpTable[], expected: readonly BackedUpTable[]): void {
  const difference = misfit(tables, expected)
  if (difference === null) return
  throw new BackupError(
    `This backup ${difference}. Nothing was changed. The tables that it is of were changed by hand: undo that there and back up again, or see "Columns that somebody added" in docs/backup.md.`,
  )
}

/** Brings an empty database to the schema of the backup. Throws BackupError where there is something already. */
async function prepareTables(
  client: pg.Client,
  known: readonly Migration[],
  header: BackupHeader,
  newer: readonly Migration[],
): Promise<void> {
  const history = await readMigrationHistory(client)
  if (history.table === null) {
    await requireNoTables(client)
    const later = new Set(newer.map(({ name }) => name))
    await openHistory(client, history)
    for (const migration of known.filter(({ name }) => !later.has(name)))
      await applyMigration(client, migration)
    return
  }
  const { rows } = await client.query<{ users: boolean; used: boolean; running: boolean }>(
    `SELECT EXISTS (SELECT FROM users) AS users, EXISTS (SELECT FROM runs) OR EXISTS (SELECT FROM vault_secrets) AS used,
       EXISTS (SELECT FROM instances WHERE "heartbeatAt" > now() - interval '10 seconds') AS running`,
  )
  const [found] = rows
  if (found?.users || found?.used) throw notEmpty('it has accounts or secrets')
  if (found?.running) {
    throw new BackupError('A server works on this installation. Stop it, and restore again.')
  }
  const applied = new Set(history.applied.map(({ name }) => name))
  const isSame =
    applied.size === header.migrations.length &&
    header.migrations.every(({ name }) => applied.has(name))
  if (!isSame) throw notEmpty('it was started with another version than that of the backup')
}

async function requireNoTables(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    'SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() LIMIT 1',
  )
  if (rows[0]) throw notEmpty(`it has tables, such as ${rows[0].name}`)
}

function notEmpty(why: string): BackupError {
  return new BackupError(
    `A backup is restored into an empty installation, and this is none: ${why}. Nothing was changed. Set TOOLGATE_DATA_DIR to a new folder, or DATABASE_URL to a new database.`,
  )
}

/** Drops the foreign keys, so that tables can be loaded in any order, and returns the statements that add them again and check every row. */
async function dropForeignKeys(client: pg.Client): Promise<{ add: string }[]> {
  const { rows } = await client.query<{ add: string; drop: string }>(
    `SELECT format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS add,
       format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS drop
     FROM pg_constraint WHERE contype = 'f' AND connamespace = current_schema()::regnamespace`,
  )
  for (const { drop } of rows) await client.query(drop)
  return rows
}

async function addForeignKeys(client: pg.Client, foreignKeys: { add: string }[]): Promise<void> {
  try {
    for (const { add } of foreignKeys) await client.query(add)
  } catch (cause) {
    if (!(cause instanceof pg.DatabaseError && cause.code === danglingKey)) throw cause
    throw new BackupError(
      `Rows of ${cause.table} in this backup point to rows that it does not have. Nothing was changed.`,
      { cause },
    )
  }
}

/** Switches the tables' triggers off or on: a backup has the sums that they would count again. */
async function switchTriggers(
  client: pg.Client,
  tables: readonly BackedUpTable[],
  way: 'DISABLE' | 'ENABLE',
): Promise<void> {
  for (const { table } of tables)
    await client.query(`ALTER TABLE ${quoted(table)} ${way} TRIGGER USER`)
}

/** Copies every table of a backup that fits. */
async function load(
  client: pg.Client,
  backup: FileHandle,
  tables: readonly BackedUpTable[],
): Promise<void> {
  const left = new Map(tables.map((each) => [each.table, each]))
  const parts = readBackup(backup)
  for (let next = await parts.next(); !next.done; next = await parts.next()) {
    if (next.value.type !== 'table') continue
    const { table, columns } = next.value
    const found = left.get(table)
    left.delete(table)
    if (!found || misfit([next.value], [found]) !== null) throw changedMeanwhile()
    await loadTable(client, { table, columns }, parts)
  }
  if (left.size > 0) throw changedMeanwhile()
}

const changedMeanwhile = () =>
  new BackupError('This backup changed while it was restored. Nothing was changed.')

async function loadTable(
  client: pg.Client,
  table: BackedUpTable,
  parts: AsyncIterator<BackupPart, void>,
): Promise<void> {
  let wanted: number | null = null
  async function* data(): AsyncGenerator<Buffer> {
    for (let next = await parts.next(); !next.done; next = await parts.next()) {
      if (next.value.type === 'data') yield next.value.bytes
      if (next.value.type === 'table-end') {
        wanted = next.value.rows
        return
      }
    }
  }
  const into = client.query(copyFrom(copyStatement(table, 'FROM STDIN')))
  try {
    await pipeline(data, into)
  } catch (cause) {
    if (cause instanceof BackupError) throw cause
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new BackupError(
      `The rows of ${table.table} cannot be restored (${reason}). Nothing was changed.`,
      { cause },
    )
  }
  if (into.rowCount !== wanted) {
    throw new BackupError(
      `This backup has another number of rows of ${table.table} than it says. Nothing was changed.`,
    )
  }
}
