import { randomBytes } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll } from 'vitest'
import { createTestDatabase } from './test-database'

// Runs before a test file's own imports: lib/kernel/env and lib/kernel/db read these on first use. Many files share a process, and so
// these values.
const slot = Symbol.for('toolgate.test-secrets')
const shared = globalThis as { [slot]?: Record<string, string> }
shared[slot] ??= {
  NEXTAUTH_SECRET: randomBytes(32).toString('base64'),
  TOOLGATE_VAULT_KEY: randomBytes(32).toString('base64'),
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
  await database.drop()
  await rm(dataFolder, { recursive: true, force: true })
})
