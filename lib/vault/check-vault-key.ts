import { z } from 'zod'
import type { Tx } from '../db'
import { AppError } from '../errors'
import { type Sealed, seal, unseal } from './seal'
import { vaultKey, vaultKeyVersion } from './vault-key'

const canaryKey = 'vault-canary'
const associated = 'vault-canary:settings'
const plaintext = 'toolgate'

const Canary = z.object({
  keyVersion: z.int(),
  iv: z.base64(),
  ciphertext: z.base64(),
  tag: z.base64(),
})

/**
 * Refuses to go on with another vault key than the one this database was first used with (SPEC O2). On the very
 * first boot it stores what later boots compare with; otherwise it changes nothing.
 */
export async function checkVaultKey(client: Tx): Promise<void> {
  const stored = (await readCanary(client)) ?? (await plantCanary(client))
  if (stored && unseal(vaultKey(), associated, stored) === plaintext) return
  throw new AppError(
    'vault-key',
    500,
    'TOOLGATE_VAULT_KEY is not the key this database was set up with. Give the original key (it may be in the data folder); nothing was changed.',
  )
}

async function readCanary(client: Tx): Promise<Sealed | null> {
  const row = await client.setting.findUnique({ where: { key: canaryKey } })
  if (!row) return null
  const canary = Canary.parse(row.value)
  return { iv: bytes(canary.iv), ciphertext: bytes(canary.ciphertext), tag: bytes(canary.tag) }
}

/** Two first boots at once: one plants, both read what was planted. Null when secrets exist that this key cannot open. */
async function plantCanary(client: Tx): Promise<Sealed | null> {
  const secret = await client.vaultSecret.findFirst()
  if (secret && unseal(vaultKey(), `${secret.purpose}:${secret.id}`, secret) === null) return null
  const sealed = seal(vaultKey(), associated, plaintext)
  const value = {
    keyVersion: vaultKeyVersion,
    iv: base64(sealed.iv),
    ciphertext: base64(sealed.ciphertext),
    tag: base64(sealed.tag),
  }
  await client.setting.createMany({ data: [{ key: canaryKey, value }], skipDuplicates: true })
  return readCanary(client)
}

const bytes = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text, 'base64'))
const base64 = (value: Uint8Array): string => Buffer.from(value).toString('base64')
