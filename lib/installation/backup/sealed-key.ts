import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { hashRaw } from '@node-rs/argon2'
import { z } from 'zod'

export const shortestPassphrase = 12

const Base64 = (bytes: number) =>
  z.base64().refine((text) => Buffer.from(text, 'base64').length === bytes)

/** The vault key, encrypted with a key made of a passphrase. */
export const SealedKey = z.strictObject({
  salt: Base64(16),
  iv: Base64(12),
  ciphertext: Base64(32),
  tag: Base64(16),
})
export type SealedKey = z.infer<typeof SealedKey>

// argon2id is the library's default. These are fixed by the format of backups: a file that named them could ask for any memory.
const cost = { memoryCost: 65_536, timeCost: 3, parallelism: 4, outputLen: 32 }
const associated = Buffer.from('toolgate backup vault key')

/** Derives a key from a passphrase. The same letters count however a keyboard composes them. */
function keyOf(passphrase: string, salt: Buffer): Promise<Buffer> {
  return hashRaw(passphrase.normalize('NFKC'), { ...cost, salt })
}

/** Encrypts the 32 bytes of a vault key. */
export async function sealKey(vaultKey: Uint8Array, passphrase: string): Promise<SealedKey> {
  const salt = randomBytes(16)
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', await keyOf(passphrase, salt), iv)
  cipher.setAAD(associated)
  const ciphertext = Buffer.concat([cipher.update(vaultKey), cipher.final()])
  const text = (bytes: Buffer) => bytes.toString('base64')
  return {
    salt: text(salt),
    iv: text(iv),
    ciphertext: text(ciphertext),
    tag: text(cipher.getAuthTag()),
  }
}

/** Returns the vault key; null when the passphrase is not the one that it was sealed with. */
export async function unsealKey(sealed: SealedKey, passphrase: string): Promise<Buffer | null> {
  const bytes = (text: string) => Buffer.from(text, 'base64')
  const key = await keyOf(passphrase, bytes(sealed.salt))
  const decipher = createDecipheriv('aes-256-gcm', key, bytes(sealed.iv), { authTagLength: 16 })
  decipher.setAAD(associated)
  decipher.setAuthTag(bytes(sealed.tag))
  try {
    return Buffer.concat([decipher.update(bytes(sealed.ciphertext)), decipher.final()])
  } catch {
    return null
  }
}
