import pg from 'pg'
import { advisoryLocks } from '../kernel/locks'
import {
  MigrationError,
  type MigrationHistory,
  pendingMigrations,
  readMigrationHistory,
} from './migration-history'
import { type Migration, readMigrations } from './read-migrations'

/**
 * Applies the migrations that the database lacks and returns their names, oldest first. Each one is applied in a
 * transaction with its row of `applied_migrations`, so a crash leaves it done or not begun. Safe when several processes
 * start at once: they queue on an advisory lock, and the later ones find nothing to do. Throws MigrationError when a
 * migration fails or the history does not fit the files, and pg's error when the database is unreachable.
 */
export async function migrate(databaseUrl: string, folder?: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  // A connection that breaks fails the statement that needs it; without a listener it would end the process.
  client.on('error', () => undefined)
  await client.connect()
  try {
    const known = await readMigrations(folder)
    const seen = await readMigrationHistory(client)
    // The usual case, answered without the lock.
    if (isCurrent(known, seen)) return []
    await client.query('SELECT pg_advisory_lock($1)', [advisoryLocks.migrations])
    const history = await readMigrationHistory(client)
    const pending = pendingMigrations(known, history)
    if (history.table !== 'applied_migrations') await openHistory(client, history)
    for (const migration of pending) await apply(client, migration)
    return pending.map(({ name }) => name)
  } finally {
    await client.end()
  }
}

function isCurrent(known: readonly Migration[], history: MigrationHistory): boolean {
  return history.table === 'applied_migrations' && pendingMigrations(known, history).length === 0
}

/** Creates `applied_migrations`, with what Prisma's table says was applied. */
async function openHistory(client: pg.Client, { table }: MigrationHistory): Promise<void> {
  await client.query('BEGIN')
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
  await client.query('COMMIT')
}

/** A statement that fails ends everything: closing the connection rolls its transaction back. */
async function apply(client: pg.Client, { name, sql, checksum }: Migration): Promise<void> {
  try {
    await client.query('BEGIN')
    await client.query(sql)
    await client.query('INSERT INTO applied_migrations (name, checksum) VALUES ($1, $2)', [
      name,
      checksum,
    ])
    await client.query('COMMIT')
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new MigrationError(
      `${name} failed (${reason})`,
      'It was undone as a whole. Remove the cause and start again.',
      { cause },
    )
  }
}
