import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { checkVaultKey } from '@/lib/domains/vault/check-vault-key'
import { openSecret, replaceSecret, storeSecret } from '@/lib/domains/vault/secrets'
import { db } from '@/tests/support/fixture-db'

const plaintext = 'sk-example-0123456789abcd'
const store = (text = plaintext) =>
  storeSecret(db(), { purpose: 'connection-key', plaintext: text })
const refusal = 'A stored secret cannot be decrypted.'

beforeEach(async () => {
  await db().vaultSecret.deleteMany()
  await db().setting.deleteMany()
})

describe('a stored secret', () => {
  test('opens again, is not stored readable, and shows its last four only when long enough', async () => {
    const { id, lastFour } = await store()
    expect(lastFour).toBe('abcd')
    expect(await openSecret(db(), id)).toBe(plaintext)
    const row = await db().vaultSecret.findUniqueOrThrow({ where: { id } })
    expect(Buffer.from(row.ciphertext).toString('latin1')).not.toContain('example')
    expect((await store('short')).lastFour).toBe('')
  })

  test('gets a new IV each time it is replaced', async () => {
    const { id } = await store()
    const before = await db().vaultSecret.findUniqueOrThrow({ where: { id } })
    expect(await replaceSecret(db(), id, `${plaintext}-wxyz`)).toEqual({ lastFour: 'wxyz' })
    const after = await db().vaultSecret.findUniqueOrThrow({ where: { id } })
    expect(Buffer.from(after.iv).equals(Buffer.from(before.iv))).toBe(false)
    expect(await openSecret(db(), id)).toBe(`${plaintext}-wxyz`)
  })

  test.each(['iv', 'ciphertext', 'tag'] as const)(
    'does not open with one bit of its %s changed',
    async (field) => {
      const { id } = await store()
      const row = await db().vaultSecret.findUniqueOrThrow({ where: { id } })
      const bytes = new Uint8Array(row[field])
      bytes[0] = (bytes[0] ?? 0) ^ 1
      await db().vaultSecret.update({ where: { id }, data: { [field]: bytes } })
      await expect(openSecret(db(), id)).rejects.toThrow(refusal)
    },
  )

  test('does not open with a shortened tag', async () => {
    const { id } = await store()
    const row = await db().vaultSecret.findUniqueOrThrow({ where: { id } })
    const tag = new Uint8Array(row.tag.slice(0, 4))
    await db().vaultSecret.update({ where: { id }, data: { tag } })
    await expect(openSecret(db(), id)).rejects.toThrow(refusal)
  })

  test('does not open in another row or for another purpose', async () => {
    const { id } = await store()
    const other = await store('another-secret-of-someone')
    const { iv, ciphertext, tag } = await db().vaultSecret.findUniqueOrThrow({ where: { id } })
    await db().vaultSecret.update({ where: { id: other.id }, data: { iv, ciphertext, tag } })
    await expect(openSecret(db(), other.id)).rejects.toThrow(refusal)
    await db().vaultSecret.update({ where: { id }, data: { purpose: 'webhook-secret' } })
    await expect(openSecret(db(), id)).rejects.toThrow(refusal)
  })
})

/** Returns the server's own database, which has none of our tables. */
function emptyDatabase(): string {
  const url = new URL(String(process.env.DATABASE_URL))
  url.pathname = '/postgres'
  return url.href
}

describe('the check at boot', () => {
  const rightKey = process.env.TOOLGATE_VAULT_KEY
  afterEach(() => {
    process.env.TOOLGATE_VAULT_KEY = rightKey
    vi.resetModules()
  })

  async function checkWithAnotherKey(): Promise<unknown> {
    vi.resetModules()
    process.env.TOOLGATE_VAULT_KEY = randomBytes(32).toString('base64')
    const guard = await guardWith(String(process.env.DATABASE_URL))
    const another = await import('@/lib/domains/vault/check-vault-key')
    const refused = await another.checkVaultKey(db()).catch((error: unknown) => error)
    expect(guard).toMatchObject({ message: refused instanceof Error ? refused.message : '' })
    return refused
  }

  async function guardWith(url: string): Promise<unknown> {
    const { guardVaultKey } = await import('@/lib/domains/vault/check-vault-key')
    return guardVaultKey(url).catch((error: unknown) => error)
  }

  test('lets a database be migrated that holds nothing yet, and with its own key', async () => {
    expect(await guardWith(emptyDatabase())).toBeUndefined()
    expect(await guardWith(String(process.env.DATABASE_URL))).toBeUndefined()
    await checkVaultKey(db())
    expect(await guardWith(String(process.env.DATABASE_URL))).toBeUndefined()
  })

  test('accepts the key it met first, also when several boot at once', async () => {
    await Promise.all(Array.from({ length: 4 }, () => checkVaultKey(db())))
    await checkVaultKey(db())
    expect(await db().setting.count()).toBe(1)
  })

  test('refuses another key in one sentence and changes nothing', async () => {
    await checkVaultKey(db())
    const before = await db().setting.findMany()
    expect(await checkWithAnotherKey()).toMatchObject({
      code: 'vault-key',
      message: expect.stringContaining('TOOLGATE_VAULT_KEY is not the key'),
    })
    expect(await db().setting.findMany()).toEqual(before)
    await checkVaultKey(db())
  })

  test('refuses another key when secrets are there though the canary is gone', async () => {
    await store()
    expect(await checkWithAnotherKey()).toMatchObject({ code: 'vault-key' })
    expect(await db().setting.count()).toBe(0)
  })
})
