import { randomUUID } from 'node:crypto'
import { open, rename } from 'node:fs/promises'
import type pg from 'pg'
import { env } from '@/lib/kernel/env'
import { AppError } from '@/lib/kernel/errors'
import { canaryKey, openCanary, wrongVaultKey } from './canary'
import { retireKeyFile } from './key-file'
import { requireKeys, rotationKey, vaultState } from './rotation'
import { vaultKey } from './vault-key'

/** A connection to a database that may not be migrated. */
type Client = Pick<pg.Client, 'query'>

/**
 * Returns the vault key of the database that a connection sees. Throws AppError when this process does not have it, and during a
 * rotation, when there are two.
 */
export async function keyOfDatabase(client: Client): Promise<Uint8Array> {
  const { canary, rotation } = await readState(client)
  if (rotation) {
    throw new AppError(
      'vault-key',
      409,
      'The vault key is being rotated, so there are two of them. Finish that with `toolgate vault rotate`, or leave the key out of the backup.',
    )
  }
  if (canary === null) return vaultKey()
  const opened = openCanary(canary)
  if (!opened) throw wrongVaultKey()
  return opened.key
}

/** Returns whether the keys of this process open everything in the database. */
export async function opensDatabase(client: Client): Promise<boolean> {
  try {
    requireKeys(await readState(client))
    return true
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}

async function readState(client: Client) {
  const { rows } = await client.query<{ key: string; value: unknown }>(
    'SELECT key, value FROM settings WHERE key = ANY($1)',
    [[canaryKey, rotationKey]],
  )
  return vaultState(rows)
}

/**
 * Makes this the vault key of an installation without secrets, by replacing its key file. Returns where the former key is kept, which
 * may be of another database that is used with the same folder; null where it is the same key. Throws AppError where the
 * environment sets another key.
 */
export async function takeKey(key: Uint8Array): Promise<string | null> {
  const file = env().TOOLGATE_VAULT_KEY_FILE
  if (Buffer.from(vaultKey()).equals(key)) return null
  if (file === undefined) {
    throw new AppError(
      'vault-key',
      409,
      'TOOLGATE_VAULT_KEY is not the key in the backup. Unset it, or set it to the original one. Nothing was changed.',
    )
  }
  const draft = `${file}.${randomUUID()}`
  const handle = await open(draft, 'wx', 0o600)
  try {
    await handle.writeFile(`${Buffer.from(key).toString('base64')}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
  const retired = await retireKeyFile(file)
  await rename(draft, file)
  return retired
}
