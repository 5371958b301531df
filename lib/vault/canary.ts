import { z } from 'zod'
import { AppError } from '../errors'
import { type Sealed, seal, unseal } from './seal'
import { vaultKey, vaultKeyVersion } from './vault-key'

/** The setting that holds a known text, sealed with the key this database was first used with. */
export const canaryKey = 'vault-canary'
const associated = 'vault-canary:settings'
const plaintext = 'toolgate'

const Canary = z.object({
  keyVersion: z.int(),
  iv: z.base64(),
  ciphertext: z.base64(),
  tag: z.base64(),
})
type Canary = z.infer<typeof Canary>

export function newCanary(): Canary {
  const { iv, ciphertext, tag } = seal(vaultKey(), associated, plaintext)
  return {
    keyVersion: vaultKeyVersion,
    iv: base64(iv),
    ciphertext: base64(ciphertext),
    tag: base64(tag),
  }
}

/** Throws AppError unless our key opens the stored canary. */
export function requireCanary(stored: unknown): void {
  const { iv, ciphertext, tag } = Canary.parse(stored)
  const sealed = { iv: bytes(iv), ciphertext: bytes(ciphertext), tag: bytes(tag) }
  if (unseal(vaultKey(), associated, sealed) !== plaintext) throw wrongVaultKey()
}

/** The same with a stored secret, for a database whose canary is gone. */
export function requireOpens(secret: Sealed & { id: string; purpose: string }): void {
  if (unseal(vaultKey(), `${secret.purpose}:${secret.id}`, secret) === null) throw wrongVaultKey()
}

function wrongVaultKey(): AppError {
  return new AppError(
    'vault-key',
    500,
    'TOOLGATE_VAULT_KEY is not the key this database was set up with. Give the original key (it may be in the data folder); nothing was changed.',
  )
}

const bytes = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text, 'base64'))
const base64 = (value: Uint8Array): string => Buffer.from(value).toString('base64')
