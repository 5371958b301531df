import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll } from 'vitest'
import { createTestDatabase } from './test-database'

// Runs before a test file's own imports: lib/env and lib/db read these on first use.
const database = await createTestDatabase()
const dataFolder = await mkdtemp(path.join(tmpdir(), 'toolgate-test-'))
Object.assign(process.env, {
  DATABASE_URL: database.url,
  DATABASE_POOL_SIZE: '5',
  NEXTAUTH_SECRET: randomBytes(32).toString('base64'),
  TOOLGATE_VAULT_KEY: randomBytes(32).toString('base64'),
  TOOLGATE_URL: 'http://localhost:3000',
  TOOLGATE_DATA_DIR: dataFolder,
  LOG_LEVEL: 'error',
})

afterAll(async () => {
  const { closeDb } = await import('@/lib/db')
  await closeDb()
  await database.drop()
  await rm(dataFolder, { recursive: true, force: true })
})
