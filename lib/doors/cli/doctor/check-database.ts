import {
  MigrationError,
  pendingMigrations,
  readMigrationHistory,
  readMigrations,
} from '@/lib/installation/migrate'
import { db, pool } from '@/lib/kernel/db'
import { formatDuration } from '@/lib/words/format'
import { type Finding, fail, ok, warn } from './finding'

const oldestVersion = 140_000

export async function checkServer(): Promise<Finding> {
  const startedAt = performance.now()
  const [row] = await db().$queryRaw<{ number: number; version: string }[]>`
    SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS version`
  const version = `PostgreSQL ${row?.version ?? 'unknown'}`
  if ((row?.number ?? 0) < oldestVersion) {
    return fail('Database', `${version} is too old`, 'Use PostgreSQL 14 or newer.')
  }
  return ok('Database', `${version} answered in ${formatDuration(performance.now() - startedAt)}`)
}

/** Compares the database's history with this checkout. Later checks need tables: they run only when this is `ok`. */
export async function checkMigrations(): Promise<Finding> {
  const check = 'Migrations'
  const known = await readMigrations()
  const history = await readMigrationHistory(pool())
  if (history.table === null) {
    return warn(
      check,
      'The database has no tables: nothing was started on it yet, or a restore into it was interrupted, which changed nothing',
      'Start the server for a new installation, or restore a backup: bin/toolgate restore FILE',
    )
  }
  try {
    const pending = pendingMigrations(known, history).map(({ name }) => name)
    if (pending.length === 0) return ok(check, `${known.length} applied, none pending`)
    return warn(check, `${pending.join(', ')} pending`, 'Run: npm run db:migrate')
  } catch (error) {
    if (!(error instanceof MigrationError)) throw error
    return fail(check, error.reason, error.remedy)
  }
}
