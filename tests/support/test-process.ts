import { randomBytes } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DBOS } from '@dbos-inc/dbos-sdk'
import { flushRefusals } from '@/lib/domains/audit/record-refusal'
import { readEnv } from '@/lib/kernel/env'
import { resetProcessState } from '@/lib/kernel/process-state'
import { runningEngine } from '@/lib/runs/engine/engine'
import { browser } from './next-request'
import { endWorkers } from './start-worker'
import { createTestDatabase, emptyDatabase, readRows, type StoredRows } from './test-database'

// Test files of one process share its modules, its database and the connections to it. This file gives each of them an
// empty database, the variables that the process began with, and new state of the process.

const dataFolder = path.join(tmpdir(), `toolgate-test-${process.pid}`)
let variables: NodeJS.ProcessEnv | undefined
let rowsOfTemplate: StoredRows | undefined

/** Prepares this process for the next test file. */
export async function beginTestFile(): Promise<void> {
  // A hook that fails keeps Vitest from calling those after it.
  await endTestFile()
  await mkdir(dataFolder, { recursive: true, mode: 0o700 })
  variables ??= await firstVariables()
  for (const name of Object.keys(process.env)) if (!(name in variables)) delete process.env[name]
  setEnv(variables)
  resetProcessState()
  Object.assign(browser, { headers: new Headers(), cookie: '' })
  if (rowsOfTemplate) await emptyDatabase(rowsOfTemplate)
  else rowsOfTemplate = await readRows()
}

/** Ends what the test file left, also when a test ran out of time. */
export async function endTestFile(): Promise<void> {
  await endWorkers()
  await runningEngine()?.close()
  await flushRefusals()
  // Its polls would take time from later files.
  if (DBOS.isInitialized()) await DBOS.shutdown()
  await rm(dataFolder, { recursive: true, force: true })
}

async function firstVariables(): Promise<NodeJS.ProcessEnv> {
  const { url } = await createTestDatabase()
  return {
    ...process.env,
    NEXTAUTH_SECRET: randomBytes(32).toString('base64'),
    TOOLGATE_VAULT_KEY: randomBytes(32).toString('base64'),
    DATABASE_URL: url,
    DATABASE_POOL_SIZE: '10',
    TOOLGATE_URL: 'http://localhost:3000',
    TOOLGATE_DATA_DIR: dataFolder,
  }
}

/** Sets variables for the rest of this test file. */
export function setEnv(more: Record<string, string | undefined>): void {
  Object.assign(process.env, more)
  readEnv()
}
