import { randomBytes } from 'node:crypto'
import { readdir, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { checkVaultKey, guardVaultKey } from '@/lib/domains/vault/check-vault-key'
import { rotateVaultKey } from '@/lib/domains/vault/rotate-vault-key'
import { openSecret, replaceSecret, storeSecret } from '@/lib/domains/vault/secrets'
import { vaultStatus } from '@/lib/domains/vault/vault-status'
import type { Ctx } from '@/lib/kernel/context'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'
import { setEnv } from '@/tests/support/test-process'
import { finish, startToolgate } from '@/tests/support/toolgate-process'
import { waitingForRows } from '@/tests/support/waiting-for-rows'

const folder = String(process.env.TOOLGATE_DATA_DIR)
const file = path.join(folder, 'vault-key')
const firstKey = String(process.env.TOOLGATE_VAULT_KEY)
/** The command line takes its key from the data folder. */
const fromFolder = { TOOLGATE_VAULT_KEY: '', TOOLGATE_VAULT_KEY_FILE: '' }
const databaseUrl = String(process.env.DATABASE_URL)

let admin: Ctx
const secrets = new Map<string, string>()

async function keep(plaintext: string): Promise<string> {
  const { id } = await storeSecret(db(), { purpose: 'connection-key', plaintext })
  secrets.set(id, plaintext)
  return id
}

async function everySecret(): Promise<Map<string, string>> {
  const rows = await Promise.all(
    [...secrets.keys()].map(async (id) => [id, await openSecret(db(), id)] as const),
  )
  return new Map(rows)
}

const versions = async () =>
  Object.fromEntries(
    (await db().vaultSecret.groupBy({ by: ['keyVersion'], _count: true })).map((row) => [
      row.keyVersion,
      row._count,
    ]),
  )

/** Boots with only these keys, in freshly loaded modules. Returns undefined when the boot succeeds. */
async function bootWith(key: string, previous?: string): Promise<string | undefined> {
  vi.resetModules()
  vi.stubEnv('TOOLGATE_VAULT_KEY', key)
  vi.stubEnv('TOOLGATE_VAULT_KEY_PREVIOUS', previous)
  vi.stubEnv('TOOLGATE_VAULT_KEY_FILE', undefined)
  const boot = await import('@/lib/domains/vault/check-vault-key')
  const refusal = await boot.guardVaultKey(databaseUrl).catch((error: Error) => error.message)
  vi.unstubAllEnvs()
  vi.resetModules()
  return refusal ?? undefined
}

async function keyFiles(): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => name.startsWith('vault-key'))
  return names.map((name) => name.replace(/retired-[0-9a-f]{12}$/, 'retired')).toSorted()
}

beforeAll(async () => {
  setEnv({ TOOLGATE_VAULT_KEY_FILE: file })
  await writeFile(file, `${firstKey}\n`, { mode: 0o600 })
  admin = await addPerson('admin')
  await checkVaultKey(db())
  for (let index = 0; index < 45; index += 1) await keep(`secret-number-${index}-of-many`)
})

describe('a rotation that is killed in the middle', () => {
  test('leaves everything open to running servers, and is finished by the next', async () => {
    // The first of the third batch.
    const held = [...secrets.keys()].toSorted().at(40) ?? ''
    const killed = startToolgate(['vault', 'rotate'], fromFolder)
    const ended = finish(killed)
    await db().$transaction(
      async (tx) => {
        await tx.$executeRaw`SELECT 1 FROM vault_secrets WHERE id = ${held}::uuid FOR UPDATE`
        await vi.waitFor(async () => expect(await waitingForRows()).toBe(1), 60_000)
        // This process is the server that runs meanwhile, and got no notice.
        expect(await versions()).toEqual({ 1: 5, 2: 40 })
        expect(await everySecret()).toEqual(secrets)
        const added = await keep('entered-during-the-rotation')
        const one = [...secrets.keys()].toSorted().at(-3) ?? ''
        await replaceSecret(db(), one, 'replaced-during-the-rotation')
        secrets.set(one, 'replaced-during-the-rotation')
        expect(await openSecret(db(), added)).toBe('entered-during-the-rotation')
        await expect(rotateVaultKey(admin, {})).rejects.toThrow('Another process is rotating')
        killed.kill('SIGKILL')
        await ended
      },
      { timeout: 60_000 },
    )
    expect(await everySecret()).toEqual(secrets)
    expect(await keyFiles()).toEqual(['vault-key', 'vault-key-next'])
    const nextKey = (await readFile(`${file}-next`, 'utf8')).trim()
    expect(await guardVaultKey(databaseUrl)).toBeUndefined()
    expect(await bootWith(nextKey, firstKey)).toBeUndefined()
    expect(await bootWith(firstKey)).toContain('has only the old key')
    expect(await bootWith(nextKey)).toContain('has only the new key')
    expect(await bootWith(randomBytes(32).toString('base64'))).toContain('is not the key')
    expect(await vaultStatus(admin)).toMatchObject({
      keyVersion: 1,
      rotation: { fromVersion: 1, toVersion: 2 },
    })

    expect(await rotateVaultKey(admin, {})).toMatchObject({ keyVersion: 2, unreadable: [] })
    expect(await versions()).toEqual({ 2: 46 })
    expect(await everySecret()).toEqual(secrets)
    expect(await keyFiles()).toEqual(['vault-key', 'vault-key-retired'])
    expect((await readFile(file, 'utf8')).trim()).toBe(nextKey)
    expect(await bootWith(nextKey)).toBeUndefined()
    expect(await bootWith(firstKey)).toContain('is not the key')
    const actions = await db().auditEntry.findMany({ where: { objectType: 'vault' } })
    expect(actions.map(({ action }) => action).toSorted()).toEqual([
      'vault.begin-rotation',
      'vault.finish-rotation',
    ])
    expect(JSON.stringify(actions)).not.toContain(nextKey)
    // The command line has to start first.
  })

  test('is accepted between its end and the change of the key file, which comes next', async () => {
    const retired = (await readdir(folder)).find((name) => name.includes('retired')) ?? ''
    await rename(file, `${file}-next`)
    await rename(path.join(folder, retired), file)
    expect(await guardVaultKey(databaseUrl)).toBeUndefined()
    expect(await vaultStatus(admin)).toMatchObject({ keyVersion: 2, keyFileWaits: true })
    expect(await rotateVaultKey(admin, {})).toMatchObject({ keyVersion: 2, resealed: 0 })
    expect(await keyFiles()).toEqual(['vault-key', 'vault-key-retired'])
    expect(await vaultStatus(admin)).toMatchObject({ rotation: null, keyFileWaits: false })
  })
})

test('a rotation reports what no key opens, and leaves it as it is', async () => {
  const broken = await keep('to-be-broken-by-somebody')
  const tag = new Uint8Array(randomBytes(16))
  await db().vaultSecret.update({ where: { id: broken }, data: { tag } })
  secrets.delete(broken)
  const report = await rotateVaultKey(admin, { reason: 'yearly' })
  expect(report).toMatchObject({ keyVersion: 3, resealed: 46, unreadable: [broken] })
  expect(await versions()).toEqual({ 2: 1, 3: 46 })
  expect(await everySecret()).toEqual(secrets)
  await db().vaultSecret.delete({ where: { id: broken } })
})

describe('with the key in the environment', () => {
  const key = randomBytes(32).toString('base64')

  async function rotateWith(previous: string | undefined) {
    vi.resetModules()
    vi.stubEnv('TOOLGATE_VAULT_KEY', previous === undefined ? await current() : key)
    vi.stubEnv('TOOLGATE_VAULT_KEY_PREVIOUS', previous)
    vi.stubEnv('TOOLGATE_VAULT_KEY_FILE', undefined)
    const vault = await import('@/lib/domains/vault/rotate-vault-key')
    const answer = await vault.rotateVaultKey(admin, {}).catch((error: Error) => error.message)
    const { closeDb } = await import('@/lib/kernel/db')
    await closeDb()
    vi.unstubAllEnvs()
    vi.resetModules()
    return answer
  }
  const current = async () => (await readFile(file, 'utf8')).trim()

  test('the new key is the one given, and both are needed until it is done', async () => {
    expect(await rotateWith(undefined)).toContain('There is no new key to rotate to.')
    const old = await current()
    expect(await bootWith(key, old)).toBeUndefined()
    expect(await bootWith(key)).toContain('is not the key')
    expect(await rotateWith(old)).toEqual({
      keyVersion: 4,
      resealed: 46,
      unreadable: [],
      retiredFile: null,
    })
    expect(await bootWith(key)).toBeUndefined()
    expect(await bootWith(old)).toContain('is not the key')
    expect(await keyFiles()).toEqual(['vault-key', 'vault-key-retired', 'vault-key-retired'])
  })
})
