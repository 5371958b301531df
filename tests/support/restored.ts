import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterEach } from 'vitest'
import { examineBackup, openBackup } from '@/lib/installation/backup/backup-file'
import { readConsoleTables } from '@/lib/installation/backup/console-tables'
import { freezeRestored } from '@/lib/installation/backup/freeze-restored'
import { restore } from '@/lib/installation/backup/restore'
import { readMigrations } from '@/lib/installation/migrate'
import { createTestDatabase, type TestDatabase } from './test-database'

type Client = Pick<pg.Client, 'query'>

/** Parts of a table that a hash leaves out: columns, and the rows for which a condition holds. */
export type LeftOut = { columns?: readonly string[]; rows?: string }

/**
 * Returns a hash of all rows of each table that belongs into a backup, as this connection sees them, but for what `leftOut` has of
 * tables. `only`: of these tables alone.
 */
export async function hashRows(
  client: Client,
  leftOut: Readonly<Record<string, LeftOut>> = {},
  only?: readonly string[],
): Promise<Map<string, string>> {
  const hashes = new Map<string, string>()
  for (const { table, columns } of await readConsoleTables(client, await readMigrations())) {
    if (only && !only.includes(table)) continue
    const { columns: without = [], rows: not = 'false' } = leftOut[table] ?? {}
    const names = columns
      .filter((column) => !without.includes(column))
      .toSorted()
      .map((column) => pg.escapeIdentifier(column))
    const { rows } = await client.query<{ row: string }>(
      `SELECT md5(row(${names.join(', ')})::text) AS row FROM ${pg.escapeIdentifier(table)} WHERE NOT (${not}) ORDER BY 1`,
    )
    const text = rows.map(({ row }) => row).join()
    hashes.set(table, `${rows.length} ${createHash('sha256').update(text).digest('hex')}`)
  }
  return hashes
}

/** An installation that was never started: an empty database, and a folder with nothing in it. */
export type EmptyTarget = {
  database: TestDatabase
  client: pg.Client
  /** Variables of a command that works on it. */
  env: Record<string, string>
  close: () => Promise<void>
}

/** Makes a target; `migrated` = it was started once, and nobody set it up. */
async function emptyTarget(suffix: string, migrated = false): Promise<EmptyTarget> {
  const database = await createTestDatabase(suffix, { migrated })
  const folder = await mkdtemp(path.join(tmpdir(), 'toolgate-target-'))
  const client = new pg.Client({ connectionString: database.url })
  client.on('error', () => undefined)
  await client.connect()
  return {
    database,
    client,
    env: { DATABASE_URL: database.url, TOOLGATE_DATA_DIR: folder },
    close: async () => {
      await client.end()
      await database.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Returns a function that makes a target with a database of its own. Each is gone after the test that made it. */
export function emptyTargets(): (migrated?: boolean) => Promise<EmptyTarget> {
  const made: EmptyTarget[] = []
  let count = 0
  afterEach(async () => {
    for (const target of made.splice(0)) await target.close()
  })
  return async (migrated) => {
    count += 1
    const target = await emptyTarget(`_target_${count}`, migrated)
    made.push(target)
    return target
  }
}

export const operator = { id: null, label: 'system (in a terminal as root)' }

/** Restores a file and returns the hashes of the rows before the restored installation was frozen. */
export async function restored(file: string, into: EmptyTarget): Promise<Map<string, string>> {
  const backup = await openBackup(file)
  let hashes = new Map<string, string>()
  try {
    const contents = await examineBackup(backup)
    await restore({
      databaseUrl: into.database.url,
      backup,
      contents,
      finish: async (client) => {
        hashes = await hashRows(client)
        await freezeRestored(client, operator, contents.header)
      },
    })
  } finally {
    await backup.close()
  }
  return hashes
}

/** Returns what of the console is in the database: its tables, indices and views. */
export async function relationsIn({ client }: EmptyTarget): Promise<string[]> {
  const { rows } = await client.query<{ relname: string }>(
    "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace",
  )
  return rows.map(({ relname }) => relname)
}
