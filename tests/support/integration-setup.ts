import { randomBytes } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DBOS } from '@dbos-inc/dbos-sdk'
import { afterAll, vi } from 'vitest'
import { createTestDatabase } from './test-database'

// Runs before a test file's own imports. Many files share a process, and what takes long to load: packages. Our own
// modules are loaded anew for each file, and the variables are those that the process began with, so that no file sees
// what another one left.
const slot = Symbol.for('test-process')
const shared = globalThis as { [slot]?: NodeJS.ProcessEnv }
shared[slot] ??= {
  ...process.env,
  NEXTAUTH_SECRET: randomBytes(32).toString('base64'),
  TOOLGATE_VAULT_KEY: randomBytes(32).toString('base64'),
}
vi.resetModules()
for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
  if (symbol.description?.startsWith('toolgate.')) Reflect.deleteProperty(globalThis, symbol)
}
for (const name of Object.keys(process.env)) {
  if (!(name in shared[slot])) delete process.env[name]
}
const database = await createTestDatabase()
const dataFolder = path.join(tmpdir(), `toolgate-test-${process.pid}`)
await mkdir(dataFolder, { recursive: true, mode: 0o700 })
Object.assign(process.env, {
  ...shared[slot],
  DATABASE_URL: database.url,
  DATABASE_POOL_SIZE: '5',
  TOOLGATE_URL: 'http://localhost:3000',
  TOOLGATE_DATA_DIR: dataFolder,
  LOG_LEVEL: 'error',
})

afterAll(async () => {
  const { flushRefusals } = await import('@/lib/domains/audit/record-refusal')
  await flushRefusals()
  const { closeDb } = await import('@/lib/kernel/db')
  await closeDb()
  // One executor a process: the next file launches its own, on its own database.
  await DBOS.shutdown({ deregister: true })
  await database.drop()
  await rm(dataFolder, { recursive: true, force: true })
})
