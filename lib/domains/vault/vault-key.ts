import { readFileSync } from 'node:fs'
import { env } from '../../kernel/env'
import { type Sealed, unseal } from './seal'

/** What the first key of an installation is called; each rotation counts one up. Stored beside what a key sealed. */
export const firstKeyVersion = 1

let known: readonly Uint8Array[] | undefined

/** The key that TOOLGATE_VAULT_KEY gives: 32 bytes. */
export function vaultKey(): Uint8Array {
  return decode(env().TOOLGATE_VAULT_KEY)
}

/** Where the next key waits while the key in `file` is being rotated. */
export const nextKeyFile = (file: string): string => `${file}-next`

/** Null unless it is a file with 32 bytes in base64. */
export function readKeyFile(file: string): Uint8Array | null {
  try {
    const key = decode(readFileSync(file, 'utf8').trim())
    return key.length === 32 ? key : null
  } catch {
    return null
  }
}

/**
 * What a value says that was sealed with one of the keys this process knows, and which; null when none opens it. The
 * key files are read again before that is said: another process may have begun to rotate the key.
 */
export function openWithAnyKey(
  associated: string,
  sealed: Sealed,
): { plaintext: string; key: Uint8Array } | null {
  known ??= readKeys()
  const opened = openWith(known, associated, sealed)
  if (opened || env().TOOLGATE_VAULT_KEY_FILE === undefined) return opened
  known = readKeys()
  return openWith(known, associated, sealed)
}

function openWith(keys: readonly Uint8Array[], associated: string, sealed: Sealed) {
  for (const key of keys) {
    const plaintext = unseal(key, associated, sealed)
    if (plaintext !== null) return { plaintext, key }
  }
  return null
}

/** The environment's key first, then the one before it, then what the key files hold. */
function readKeys(): readonly Uint8Array[] {
  const { TOOLGATE_VAULT_KEY_PREVIOUS: previous, TOOLGATE_VAULT_KEY_FILE: file } = env()
  const keys = [vaultKey()]
  if (previous !== undefined) keys.push(decode(previous))
  if (file === undefined) return keys
  const files = [readKeyFile(file), readKeyFile(nextKeyFile(file))]
  return [...keys, ...files.filter((key) => key !== null)]
}

function decode(text: string): Uint8Array {
  return Buffer.from(text, 'base64')
}
