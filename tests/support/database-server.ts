import { randomUUID } from 'node:crypto'
import type { TestProject } from 'vitest/node'
import { migrate, readMigrations, sha256 } from '@/lib/installation/migrate'
import { policyTriggers } from '@/lib/kernel/deciding-tables'
import { openTestPostgres, type TestPostgres } from './test-postgres'
import { buildTestPrograms } from './test-programs'

declare module 'vitest' {
  export interface ProvidedContext {
    databaseServer: { url: string; template: string; runPid: number }
    /** The folder of compiled programs. */
    programs: string
  }
}

// Each project loads this file anew.
const slot = Symbol.for('toolgate.test-run')
const shared = globalThis as { [slot]?: { projects: number; opened: ReturnType<typeof open> } }

/** Prepares the database server, once per test run, for all of its projects. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  shared[slot] ??= { projects: 0, opened: open() }
  const run = shared[slot]
  run.projects += 1
  const { server, template, programs } = await run.opened
  project.provide('databaseServer', { url: server.url, template, runPid: process.pid })
  project.provide('programs', programs.folder)
  return async () => {
    run.projects -= 1
    if (run.projects > 0) return
    shared[slot] = undefined
    await programs.remove()
    await server.dropDatabasesOf(process.pid)
    await server.release()
  }
}

/** Opens a PostgreSQL with a migrated template, which every test file copies. */
async function open() {
  const server = await openTestPostgres()
  const template = await prepareTemplate(server)
  const programs = await buildTestPrograms()
  return { server, template, programs }
}

/** Prepares the template, which is named for its migrations and triggers, so that later runs use it again. */
async function prepareTemplate(server: TestPostgres): Promise<string> {
  const digest = sha256(JSON.stringify([await readMigrations(), policyTriggers()]))
  const template = `toolgate_template_${digest.slice(0, 16)}`
  if (await exists(server, template)) return template
  const draft = `toolgate_test_${process.pid}_${randomUUID().slice(0, 8)}`
  await server.ask(`CREATE DATABASE ${draft}`)
  await migrate(server.urlOf(draft))
  await server.ask(`ALTER DATABASE ${draft} RENAME TO ${template}`).catch(async (error) => {
    // Another run was faster; the draft is dropped with the leftovers.
    if (!(await exists(server, template))) throw error
  })
  return template
}

async function exists(server: TestPostgres, database: string): Promise<boolean> {
  const found = await server.ask('SELECT 1 FROM pg_database WHERE datname = $1', [database])
  return found.rowCount === 1
}
