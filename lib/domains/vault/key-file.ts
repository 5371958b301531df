import { createHash } from 'node:crypto'
import { link, readFile, rename } from 'node:fs/promises'
import { db } from '@/lib/kernel/db'
import { env } from '@/lib/kernel/env'
import { openCanary } from './canary'
import { readVaultState } from './rotation'
import { nextKeyFile, readKeyFile } from './vault-key'

/** `keyVersion` is that of the key in the file beside, which is to take the key file's place. */
export type WaitingKeyFile = { file: string; keyVersion: number }

/**
 * Returns the key file that the next one replaces: the rotation has ended in the database, and the file still has the
 * old key. Null when there is nothing to do, or the environment sets the key.
 */
export async function keyFileWaits(): Promise<WaitingKeyFile | null> {
  const file = env().TOOLGATE_VAULT_KEY_FILE
  if (file === undefined) return null
  const next = readKeyFile(nextKeyFile(file))
  const { canary, rotation } = await readVaultState(db())
  if (next === null || rotation !== null || canary === null) return null
  const current = openCanary(canary)
  if (!current || !Buffer.from(current.key).equals(next)) return null
  return { file, keyVersion: current.keyVersion }
}

/**
 * Puts the next key in the key file's place and keeps the old one beside it, for older backups of the database. The
 * file has a key at every moment, because a start without one would create a new key. Returns the path of the old key.
 */
export async function takeNextKeyFile({ file }: WaitingKeyFile): Promise<string> {
  const retired = await retireKeyFile(file)
  await rename(nextKeyFile(file), file)
  return retired
}

/** Gives a key file a second name, so that another one can take its place, and returns that name. */
export async function retireKeyFile(file: string): Promise<string> {
  // Named by what is in it, so that one that is there already is the same.
  const name = createHash('sha256')
    .update(await readFile(file))
    .digest('hex')
    .slice(0, 12)
  const retired = `${file}-retired-${name}`
  await link(file, retired).catch(ignoreExisting)
  return retired
}

function ignoreExisting(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'EEXIST') throw error
}
