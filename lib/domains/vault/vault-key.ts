import { readFileSync } from 'node:fs'
import { type Env, env } from '@/lib/kernel/env'
import { type Sealed, unseal } from './seal'

/** Version of an installation's first key; each rotation adds one. It is stored beside each sealed value. */
export const firstKeyVersion = 1

const keysOf = new WeakMap<Env, readonly Uint8Array[]>()

/** Returns the 32 bytes of TOOLGATE_VAULT_KEY. */
export function vaultKey(): Uint8Array {
  return decode(env().TOOLGATE_VAULT_KEY)
}

/** Returns the path of the next key while the key in `file` is being rotated. */
export const nextKeyFile = (file: string): string => `${file}-next`

/** Returns the key in a file; null unless it has 32 bytes in base64. */
export function readKeyFile(file: string): Uint8Array | null {
  try {
    const key = decode(readFileSync(file, 'utf8').trim())
    return key.length === 32 ? key : null
  } catch {
    return null
  }
}

/**
 * Returns a value that was encrypted with one of this process's keys, and which key; null when none decrypts it. Reads
 * the key files again before it returns null, because another process may have begun a rotation.
 */
export function openWithAnyKey(
  associated: string,
  sealed: Sealed,
): { plaintext: string; key: Uint8Array } | null {
  const opened = openWith(keysOf.get(env()) ?? readKeys(), associated, sealed)
  if (opened || env().TOOLGATE_VAULT_KEY_FILE === undefined) return opened
  return openWith(readKeys(), associated, sealed)
}

function openWith(keys: readonly Uint8Array[], associated: string, sealed: Sealed) {
  for (const key of keys) {
    const plaintext = unseal(key, associated, sealed)
    if (plaintext !== null) return { plaintext, key }
  }
  return null
}

/** Reads and keeps the keys: the environment's, then its previous one, then those of the key files. */
function readKeys(): readonly Uint8Array[] {
  const { TOOLGATE_VAULT_KEY_PREVIOUS: previous, TOOLGATE_VAULT_KEY_FILE: file } = env()
  const keys = [vaultKey()]
  if (previous !== undefined) keys.push(decode(previous))
  if (file !== undefined) {
    const files = [readKeyFile(file), readKeyFile(nextKeyFile(file))]
    keys.push(...files.filter((key) => key !== null))
  }
  keysOf.set(env(), keys)
  return keys
}

function decode(text: string): Uint8Array {
  return Buffer.from(text, 'base64')
}
