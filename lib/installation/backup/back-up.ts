import { access } from 'node:fs/promises'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { advisoryLocks } from '@/lib/kernel/locks'
import { version } from '@/package.json'
import { type Migration, readMigrationHistory, readMigrations } from '../migrate'
import { type AuditAuthor, auditInstallation } from './audit-installation'
import {
  type BackedUpTable,
  BackupError,
  examineBackup,
  requireWhole,
  writeBackup,
} from './backup-file'
import { requireBackupPlace, writePrivateFile } from './backup-place'
import { copyStatement, openConnection, readConsoleTables } from './console-tables'
import { misfit } from './misfit'
import { takeBackupLock } from './running-backup'
import { sealKey } from './sealed-key'
import { tablesAfter } from './tables-after'

export type BackupOrder = {
  databaseUrl: string
  file: string
  /** True = an existing file of this name is replaced. */
  isReplaced: boolean
  author: AuditAuthor
  /** Waits this long for another backup to end, at least 1; PostgreSQL may need a moment to see that its process was killed. Left out = 5 s. */
  waitMs?: number
  /** True = the schedule asks for it, and the audit says so. */
  isScheduled?: boolean
  /** Called before the file is opened, while no other backup of this database can begin. What it throws ends the backup. */
  begun?: () => Promise<void>
  /** Null = the vault key is left out. `read` returns the one that this snapshot is encrypted with, and throws if there are two. */
  key: { passphrase: string; read: (client: pg.Client) => Promise<Uint8Array> } | null
}

export type BackupReport = {
  file: string
  at: string
  bytes: number
  tables: number
  rows: number
  hasKey: boolean
}

/**
 * Writes a backup of the whole database, as it is at one moment, while servers go on working, and reads it again to its end.
 * Migrations wait until it is done. Throws BackupError with a sentence, and leaves no file then.
 */
export async function backUp(order: BackupOrder): Promise<BackupReport> {
  const { databaseUrl, isReplaced, author, isScheduled = false, key, waitMs = 5_000 } = order
  const client = await openConnection(databaseUrl)
  try {
    await takeBackupLock(client, waitMs)
    // Before the snapshot, so that the tables stay as they are in it.
    await client.query('SELECT pg_advisory_lock_shared($1)', [advisoryLocks.migrations])
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    const { applied } = await readMigrationHistory(client)
    if (applied.length === 0) {
      throw new BackupError('There is nothing to back up: this installation was never started.')
    }
    const migrations = await readMigrations()
    const known = new Set(migrations.map(({ name }) => name))
    if (applied.some(({ name }) => !known.has(name))) {
      throw new BackupError(
        'This installation is of a newer version of Toolgate, whose tables this version does not know. Back it up with that version.',
      )
    }
    const file = await requireBackupPlace(client, order.file)
    if (!isReplaced) await requireFree(file)
    const { rows: clock } = await client.query<{ at: Date }>('SELECT now() AS at')
    const header = {
      product: version,
      at: (clock[0]?.at ?? new Date()).toISOString(),
      migrations: applied.map(({ name, checksum }) => ({ name, checksum })),
      key: key && (await sealKey(await key.read(client), key.passphrase)),
    }
    const tables = await readConsoleTables(client, migrations)
    requireRestorable(tables, migrations, applied)
    const sources = tables.map((table) => ({
      ...table,
      read: () => {
        const data = client.query(copyTo(copyStatement(table, 'TO STDOUT')))
        return { data, rows: () => data.rowCount }
      },
    }))
    await order.begun?.()
    const written = await writePrivateFile(file, isReplaced, async (handle) => {
      const counts = await writeBackup(handle, header, sources)
      await client.query('COMMIT')
      await handle.sync()
      await requireWhole(handle)
      await examineBackup(handle)
      const report = {
        file,
        at: header.at,
        bytes: (await handle.stat()).size,
        tables: counts.size,
        rows: [...counts.values()].reduce((sum, each) => sum + each, 0),
        hasKey: key !== null,
      }
      await client.query('BEGIN')
      await auditInstallation(client, author, {
        action: 'site.back-up',
        after: { ...report, ...(isScheduled && { isScheduled }) },
      })
      return report
    })
    // Stored once the file has its name: the age of the last backup counts from this entry.
    await client.query('COMMIT')
    return written
  } finally {
    await client.end()
  }
}

/** Throws where a restore would refuse the backup, because somebody changed tables by hand. */
function requireRestorable(
  tables: readonly BackedUpTable[],
  migrations: readonly Migration[],
  applied: readonly { name: string }[],
): void {
  const done = new Set(applied.map(({ name }) => name))
  const difference = misfit(tables, tablesAfter(migrations.filter(({ name }) => done.has(name))))
  if (difference === null) return
  throw new BackupError(
    `The database ${difference}. Somebody changed it by hand, and a restore would refuse the backup: undo that, for example by moving added columns into a table of your own, and back up again.`,
  )
}

async function requireFree(file: string): Promise<void> {
  const isThere = await access(file).then(
    () => true,
    () => false,
  )
  if (isThere)
    throw new BackupError(`${file} exists. Pick another name, or replace it with --force.`)
}
