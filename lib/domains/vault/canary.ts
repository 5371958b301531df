import { z } from 'zod'
import { env } from '@/lib/kernel/env'
import { AppError } from '@/lib/kernel/errors'
import { type Sealed, seal } from './seal'
import { openWithAnyKey } from './vault-key'

/** The setting that holds a known text, sealed with the key this database is used with. */
export const canaryKey = 'vault-canary'
const associated = 'vault-canary:settings'
const plaintext = 'toolgate'

/** `keyVersion` is that of the key it was sealed with. */
export const Canary = z.object({
  keyVersion: z.int(),
  iv: z.base64(),
  ciphertext: z.base64(),
  tag: z.base64(),
})
export type Canary = z.infer<typeof Canary>

export type VersionedKey = { key: Uint8Array; keyVersion: number }

export function newCanary({ key, keyVersion }: VersionedKey): Canary {
  const { iv, ciphertext, tag } = seal(key, associated, plaintext)
  return { keyVersion, iv: base64(iv), ciphertext: base64(ciphertext), tag: base64(tag) }
}

/** Returns the key with which a stored canary was encrypted; null when this process does not have it. */
export function openCanary(stored: unknown): VersionedKey | null {
  const { keyVersion, iv, ciphertext, tag } = Canary.parse(stored)
  const sealed = { iv: bytes(iv), ciphertext: bytes(ciphertext), tag: bytes(tag) }
  const opened = openWithAnyKey(associated, sealed)
  return opened?.plaintext === plaintext ? { key: opened.key, keyVersion } : null
}

/**
 * Checks that a stored secret can be decrypted, for a database without its canary. Throws AppError when this process
 * does not have its key.
 */
export function requireDecrypts(
  secret: Sealed & { id: string; purpose: string; keyVersion: number },
): VersionedKey {
  const opened = openWithAnyKey(`${secret.purpose}:${secret.id}`, secret)
  if (!opened) throw wrongVaultKey()
  return { key: opened.key, keyVersion: secret.keyVersion }
}

export function wrongVaultKey(): AppError {
  const file = env().TOOLGATE_VAULT_KEY_FILE
  return new AppError(
    'vault-key',
    500,
    file === undefined
      ? 'TOOLGATE_VAULT_KEY is not the key this database was set up with. Give the original key (it may be in the data folder). Nothing was changed.'
      : `The key in ${file} is not the one this database was set up with. Put back the file that belongs to the database. Nothing was changed.`,
  )
}

const bytes = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text, 'base64'))
const base64 = (value: Uint8Array): string => Buffer.from(value).toString('base64')
