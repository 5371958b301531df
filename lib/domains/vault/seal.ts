import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/** AES-256-GCM output as it is stored. */
export type Sealed = {
  iv: Uint8Array<ArrayBuffer>
  ciphertext: Uint8Array<ArrayBuffer>
  tag: Uint8Array<ArrayBuffer>
}

/** Encrypts `plaintext` so that it opens only with the same 32-byte key and the same associated data. */
export function seal(key: Uint8Array, associated: string, plaintext: string): Sealed {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, iv)
  cipher.setAAD(Buffer.from(associated, 'utf8'))
  const ciphertext = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()])
  return { iv: own(iv), ciphertext: own(ciphertext), tag: own(cipher.getAuthTag()) }
}

/** Returns the plaintext; null when key, associated data or a stored byte differ. */
export function unseal(key: Uint8Array, associated: string, sealed: Sealed): string | null {
  if (sealed.tag.length !== 16) return null
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.iv, { authTagLength: 16 })
  decipher.setAAD(Buffer.from(associated, 'utf8'))
  decipher.setAuthTag(sealed.tag)
  try {
    return Buffer.concat([decipher.update(sealed.ciphertext), decipher.final()]).toString('utf8')
  } catch {
    return null
  }
}

// Buffers may share a pool; the database client wants an array that owns its memory.
const own = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes)
