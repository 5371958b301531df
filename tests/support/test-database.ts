import pg from 'pg'
import { inject } from 'vitest'
import { pool } from '@/lib/kernel/db'

export type TestDatabase = { url: string; drop: () => Promise<void> }

/**
 * Creates a migrated, empty database, as a copy of the run's template (about 50 ms). A process has one; `suffix` gives it
 * another. Without `migrated` it has no table. `copyOf`: another database to copy, whose connections end.
 * `locale`: in place of that of the server, of an empty one.
 */
export async function createTestDatabase(
  suffix = '',
  { migrated = true, copyOf, locale }: { migrated?: boolean; copyOf?: string; locale?: 'C' } = {},
): Promise<TestDatabase> {
  const server = inject('databaseServer')
  const name = `toolgate_test_${server.runPid}_${process.pid}${suffix}`
  const url = new URL(server.url)
  url.pathname = `/${name}`
  const empty = locale ? `template0 LOCALE_PROVIDER libc LOCALE '${locale}'` : 'template1'
  const template = copyOf ?? (migrated ? server.template : empty)
  if (copyOf) await endConnections(server.url, copyOf)
  await ask(server.url, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`)
  if (copyOf) await ask(server.url, `ALTER DATABASE ${copyOf} ALLOW_CONNECTIONS true`)
  return {
    url: url.href,
    drop: () => ask(server.url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  }
}

/** Rows by their table, as JSON. */
export type StoredRows = ReadonlyMap<string, string>

/** Returns all rows of this process's database. */
export async function readRows(): Promise<StoredRows> {
  const rows = new Map<string, string>()
  for (const table of await filledTables()) {
    const { rows: found } = await pool().query(`SELECT json_agg(t)::text AS all FROM ${table} t`)
    rows.set(table, found[0].all)
  }
  return rows
}

/** Leaves only these rows in this process's database. Takes some 20 ms, a new database ten times as long to warm up. */
export async function emptyDatabase(rows: StoredRows): Promise<void> {
  const tables = await filledTables()
  if (tables.length > 0) await truncate(tables)
  for (const [table, all] of rows) {
    await pool().query(
      `INSERT INTO ${table} SELECT * FROM json_populate_recordset(NULL::${table}, $1)`,
      [all],
    )
  }
}

/** Goes on after a deadlock with what a process that a test killed was about to commit. */
async function truncate(tables: string[], triesLeft = 5): Promise<void> {
  try {
    await pool().query(`TRUNCATE ${tables.join()} RESTART IDENTITY CASCADE`)
  } catch (error) {
    const isDeadlock = error instanceof pg.DatabaseError && error.code === '40P01'
    if (!isDeadlock || triesLeft === 1) throw error
    await truncate(tables, triesLeft - 1)
  }
}

/** Returns the names of the tables with rows, without those in which migrations are counted. */
async function filledTables(): Promise<string[]> {
  const { rows: tables } = await pool().query<{ name: string }>(`
    SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
    WHERE schemaname IN ('public', 'dbos')
      AND tablename NOT IN ('applied_migrations', 'dbos_migrations')`)
  const questions = tables.map(
    ({ name }) => `SELECT '${name}' AS name WHERE EXISTS (SELECT FROM ${name})`,
  )
  const { rows } = await pool().query<{ name: string }>(questions.join(' UNION ALL '))
  return rows.map(({ name }) => name)
}

async function endConnections(serverUrl: string, database: string): Promise<void> {
  await ask(serverUrl, `ALTER DATABASE ${database} ALLOW_CONNECTIONS false`)
  await ask(
    serverUrl,
    `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '${database}'`,
  )
}

async function ask(serverUrl: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
