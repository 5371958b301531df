import { afterAll, beforeAll, expect } from 'vitest'
import { readConfiguration } from '@/lib/domains/configurations/run-snapshot'
import { dryRun } from '@/lib/runs/dry-run/dry-run'
import type { Engine } from '@/lib/runs/engine/engine'
import { uploadFile } from '@/lib/runs/files/upload-file'
import type { StartRunInput } from '@/lib/runs/schemas'
import { db } from './fixture-db'
import { turnOfPrompt } from './model-server/prompt-directives'
import { type ModelServer, startModelServer } from './model-server/start-model-server'
import type { RunSite } from './run-site'
import { startTestEngine } from './test-engine'

/** Starts a model server and an engine for the tests of a file. */
export function dryRunsOfFile(): ModelServer {
  // Tests run after this hook, so that none of them sees it empty.
  const server = {} as ModelServer
  let engine: Engine
  beforeAll(async () => {
    Object.assign(server, await startModelServer({ script: turnOfPrompt }))
    engine = await startTestEngine()
  })
  afterAll(async () => {
    await engine.close()
    await server.close()
  })
  return server
}

export type Wishes = Partial<StartRunInput>

export function dry(site: RunSite, prompt: string, { idempotencyKey: _, ...wishes }: Wishes = {}) {
  return dryRun(site.admin, { configuration: site.configuration, prompt, ...wishes })
}

/** Returns all that a dry run must leave as it was: runs, money, starts, files, waiting calls and the audit. */
async function ledger(): Promise<string> {
  const tables = [
    'runs',
    'run_events',
    'run_files',
    'files',
    'conversations',
    'budget_reservations',
    'budget_counters',
    'usage_records',
    'tool_starts',
    'call_records',
    'approvals',
    'audit_entries',
  ]
  const dumps = tables.map(
    (table) => `(SELECT string_agg(t::text, '' ORDER BY t::text) FROM ${table} t)`,
  )
  const [row] = await db().$queryRawUnsafe<{ all: string }[]>(
    `SELECT md5(concat_ws('/', ${dumps.join(', ')})) AS all`,
  )
  return row?.all ?? ''
}

/** Does the work, which must leave everything as it was and ask no model. */
export async function leavingAll<T>(server: ModelServer, work: () => Promise<T>): Promise<T> {
  const before = await ledger()
  const requests = server.requests.length
  const done = await work()
  expect(await ledger()).toBe(before)
  expect(server.requests).toHaveLength(requests)
  return done
}

/** Changes the connection of the model of a site, as no verb would while it is used. */
export function changeConnection(
  site: RunSite,
  data: { enabled: boolean } | { trustZone: 'external_global' },
) {
  return db().connection.updateMany({ where: usedBy(site), data })
}

export function usedBy({ configuration: identifier }: RunSite) {
  return { models: { some: { configurations: { some: { identifier } } } } }
}

export async function idOf({ admin, configuration }: RunSite): Promise<string> {
  const { configurationId } = await readConfiguration(db(), admin, configuration)
  return configurationId ?? ''
}

export async function upload(
  site: RunSite,
  name: string,
  text: string,
  dataClass: 'diagnostics' | null,
) {
  const pieces = [new TextEncoder().encode(text)]
  const { id } = await uploadFile(site.admin, { name, pieces, dataClass })
  return [{ id }]
}
