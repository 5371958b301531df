import pg from 'pg'
import { inject } from 'vitest'

export type TestDatabase = { url: string; drop: () => Promise<void> }

/**
 * Creates a migrated, empty database, as a copy of the run's template (about 50 ms). Its name is fixed per process, so
 * that modules that read its address for one test file are right for the next; `suffix` gives another one. Without
 * `migrated` it has no table. `copyOf`: another database to copy, which nobody may be connected to.
 */
export async function createTestDatabase(
  suffix = '',
  { migrated = true, copyOf }: { migrated?: boolean; copyOf?: string } = {},
): Promise<TestDatabase> {
  const server = inject('databaseServer')
  const name = `toolgate_test_${server.runPid}_${process.pid}${suffix}`
  const url = new URL(server.url)
  url.pathname = `/${name}`
  const template = copyOf ?? (migrated ? server.template : 'template1')
  await ask(server.url, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`)
  return {
    url: url.href,
    drop: () => ask(server.url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  }
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
