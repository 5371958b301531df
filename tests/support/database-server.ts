import { createHash, randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres } from '@/lib/installation/embedded-postgres'
import { migrate } from '@/lib/installation/migrate'
import { isAlive } from '@/lib/installation/process-info'
import { readMigrations } from '@/lib/installation/read-migrations'

declare module 'vitest' {
  export interface ProvidedContext {
    databaseServer: { url: string; template: string; runPid: number }
  }
}

type Server = { url: string; release: () => Promise<void> }

/**
 * Once per test run: a PostgreSQL (TEST_DATABASE_URL with the right to create databases, else our own in
 * .data/test-postgres) that holds a migrated template which every test file copies.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await openServer()
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  await dropLeftovers(client)
  const template = await prepareTemplate(client, server.url)
  await client.end()
  project.provide('databaseServer', { url: server.url, template, runPid: process.pid })
  return server.release
}

async function openServer(): Promise<Server> {
  const given = process.env.TEST_DATABASE_URL
  if (given) return { url: given, release: async () => {} }
  const folder = path.resolve('.data/test-postgres')
  await mkdir(folder, { recursive: true })
  // Nothing here has to outlive a power cut.
  const settings = {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    max_connections: '300',
  }
  const server = await startEmbeddedPostgres(folder, settings)
  return { url: server.urlOf('postgres'), release: server.release }
}

/** The template is named for the migrations in it, so it is made once and not once a run. */
async function prepareTemplate(client: pg.Client, serverUrl: string): Promise<string> {
  const { migrationDirectories } = await readMigrations()
  const digest = createHash('sha256').update(JSON.stringify(migrationDirectories)).digest('hex')
  const template = `toolgate_template_${digest.slice(0, 16)}`
  if (await exists(client, template)) return template
  const draft = `toolgate_test_${process.pid}_${randomUUID().slice(0, 8)}`
  await client.query(`CREATE DATABASE ${draft}`)
  await migrate(databaseUrl(serverUrl, draft))
  await client.query(`ALTER DATABASE ${draft} RENAME TO ${template}`).catch(async (error) => {
    // Another run was faster; the draft is dropped with the leftovers.
    if (!(await exists(client, template))) throw error
  })
  return template
}

async function exists(client: pg.Client, database: string): Promise<boolean> {
  const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [database])
  return found.rowCount === 1
}

/** Databases of test runs that were killed: their names carry the run's process id. */
async function dropLeftovers(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ datname: string }>(
    String.raw`SELECT datname FROM pg_database WHERE datname LIKE 'toolgate\_test\_%'`,
  )
  for (const { datname } of rows) {
    if (isAlive(Number(datname.split('_')[2]))) continue
    await client.query(`DROP DATABASE IF EXISTS ${datname} WITH (FORCE)`)
  }
}

function databaseUrl(serverUrl: string, database: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${database}`
  return url.href
}
