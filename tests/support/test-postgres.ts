import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { isAlive, startEmbeddedPostgres } from '@/lib/installation/embedded-postgres'
import { DATABASE_USE, RUN } from '@/scripts/steps/end-test-run.mjs'

export type TestPostgres = {
  url: string
  urlOf: (database: string) => string
  ask: (sql: string, values?: unknown[]) => Promise<pg.QueryResult>
  /** Drops what one test run left. */
  dropDatabasesOf: (runPid: number) => Promise<void>
  release: () => Promise<void>
}

/**
 * Opens a PostgreSQL for tests: TEST_DATABASE_URL with the right to create databases, else our own in
 * .data/test-postgres. Drops the databases of killed test runs, whose names have the run's process id.
 */
export async function openTestPostgres(): Promise<TestPostgres> {
  const endUse = await noteUse()
  const { url, release } = await openServer()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await dropDatabases(client, (runPid) => !isAlive(runPid))
  return {
    url,
    urlOf: (database) => urlOf(url, database),
    ask: (sql, values) => client.query(sql, values),
    dropDatabasesOf: (runPid) => dropDatabases(client, (each) => each === runPid),
    release: async () => {
      await client.end()
      await release()
      await endUse()
    },
  }
}

/** Notes in the folder of this test run that it uses the PostgreSQL, so that it is let go of if the run is killed. */
async function noteUse(): Promise<() => Promise<void>> {
  const folder = process.env[RUN]
  if (!folder) return async () => {}
  const note = path.join(folder, DATABASE_USE)
  await writeFile(note, process.cwd())
  return () => rm(note, { force: true })
}

async function openServer(): Promise<{ url: string; release: () => Promise<void> }> {
  const given = process.env.TEST_DATABASE_URL
  if (given) return { url: given, release: async () => {} }
  const folder = path.resolve('.data/test-postgres')
  await mkdir(folder, { recursive: true })
  // Its data need not survive a power cut.
  const settings = {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    max_connections: '300',
  }
  const server = await startEmbeddedPostgres(folder, settings)
  return { url: server.urlOf('postgres'), release: server.release }
}

/** Drops the databases of these test runs. Their names have the run's process id. */
async function dropDatabases(
  client: pg.Client,
  isWanted: (runPid: number) => boolean,
): Promise<void> {
  const { rows } = await client.query<{ datname: string }>(
    String.raw`SELECT datname FROM pg_database WHERE datname LIKE 'toolgate\_test\_%'`,
  )
  for (const { datname } of rows) {
    if (!isWanted(Number(datname.split('_')[2]))) continue
    await client.query(`DROP DATABASE IF EXISTS ${datname} WITH (FORCE)`)
  }
}

function urlOf(serverUrl: string, database: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${database}`
  return url.href
}
