import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newCanary } from '@/lib/domains/vault/canary'
import { vaultKey } from '@/lib/domains/vault/vault-key'
import { holdsVault, requireDatabase } from '@/lib/installation/require-database'
import { db } from '@/tests/support/fixture-db'
import { toolgate } from '@/tests/support/toolgate-process'

const url = String(process.env.DATABASE_URL)
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'toolgate-restored-'))
  const value = newCanary({ key: vaultKey(), keyVersion: 1 })
  await db().setting.upsert({
    where: { key: 'vault-canary' },
    create: { key: 'vault-canary', value },
    update: {},
  })
})
afterAll(() => rm(folder, { recursive: true }))

test('a start on a folder without the key of its vault says which file is missing, and writes nothing', async () => {
  const env = { TOOLGATE_DATA_DIR: folder, TOOLGATE_VAULT_KEY: '', NEXTAUTH_SECRET: '' }
  const { code, stderr } = await toolgate(['user', 'list'], { env })
  expect(code).not.toBe(0)
  expect(stderr).toContain(
    `The database has a vault, and its key is missing: put back ${path.join(folder, 'vault-key')}`,
  )
  expect(stderr).toContain('Nothing was changed.')
  expect(stderr).not.toContain('    at ')
  expect(await readdir(folder)).toEqual([])
})

test('a database that no key was used with holds no vault', async () => {
  expect(await holdsVault(url)).toBe(true)
  const empty = new URL(url)
  empty.pathname = '/postgres'
  expect(await holdsVault(empty.href)).toBe(false)
})

test('an address that is none is refused before anything is written', async () => {
  await expect(requireDatabase('nonsense')).rejects.toThrow('must be a postgresql:// address')
})
