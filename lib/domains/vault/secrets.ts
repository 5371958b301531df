import type { VaultSecret } from '@/lib/generated/prisma/client'
import type { ChangeTx, Tx } from '@/lib/kernel/db'
import { AppError, NotFoundError } from '@/lib/kernel/errors'
import { newId } from '@/lib/kernel/new-id'
import { openCanary, type VersionedKey } from './canary'
import { lockVaultShared, readVaultState } from './rotation'
import { type Sealed, seal } from './seal'
import { firstKeyVersion, openWithAnyKey, vaultKey } from './vault-key'

/**
 * `purpose` is the field it belongs to, such as `connection-key`; with the id it is the associated data. `hidden` =
 * nothing of it is ever shown, not even its end.
 */
export type NewSecret = { purpose: string; id?: string; plaintext: string; hidden?: boolean }

/** Encrypts and stores a secret. Returns its id and what may be shown of it. */
export async function storeSecret(
  tx: ChangeTx,
  { purpose, id = newId(), plaintext, hidden = false }: NewSecret,
): Promise<{ id: string; lastFour: string }> {
  const lastFour = hidden ? '' : shownPart(plaintext)
  const sealed = await sealForRow(tx, { id, purpose }, plaintext)
  await tx.vaultSecret.create({ data: { id, purpose, lastFour, ...sealed } })
  return { id, lastFour }
}

/** Returns the last four characters of a secret that is long enough, else nothing. Of JSON, those of its last text. */
export function shownPart(plaintext: string): string {
  return plaintext.length >= 12 ? plaintext.replace(/"\}$/, '').slice(-4) : ''
}

/** Puts a new value in an existing secret's place, under a new IV and the key that seals now. */
export async function replaceSecret(
  tx: ChangeTx,
  id: string,
  plaintext: string,
  { hidden = false } = {},
): Promise<{ lastFour: string }> {
  const row = await tx.vaultSecret.findUnique({ where: { id }, select: { purpose: true } })
  if (!row) throw new NotFoundError('The secret')
  const lastFour = hidden ? '' : shownPart(plaintext)
  const sealed = await sealForRow(tx, { id, purpose: row.purpose }, plaintext)
  await tx.vaultSecret.update({ where: { id }, data: { lastFour, ...sealed } })
  return { lastFour }
}

/**
 * Returns the plaintext of a stored secret. Only code that is about to use it calls this; it never reaches a page,
 * event, log or audit row. Throws when the row was changed, moved, or encrypted with another key.
 */
export async function openSecret(tx: Tx, id: string): Promise<string> {
  const row = await tx.vaultSecret.findUnique({ where: { id } })
  if (!row) throw new NotFoundError('The secret')
  return opened(row)
}

/** Returns the plaintexts of several secrets by their ids, without deleted ones. */
export async function openSecrets(tx: Tx, ids: string[]): Promise<Map<string, string>> {
  const rows = await tx.vaultSecret.findMany({ where: { id: { in: ids } } })
  return new Map(rows.map((row) => [row.id, opened(row)]))
}

function opened(row: VaultSecret): string {
  const found = openWithAnyKey(`${row.purpose}:${row.id}`, row)
  if (found === null) {
    throw new AppError('vault', 500, 'A stored secret cannot be decrypted. Enter it again.')
  }
  return found.plaintext
}

/** Seals a secret for its row, with the key that seals at this moment and stays it until the transaction ends. */
async function sealForRow(
  tx: Tx,
  row: { id: string; purpose: string },
  plaintext: string,
): Promise<Sealed & { keyVersion: number }> {
  const { key, keyVersion } = await sealingKey(tx)
  return { keyVersion, ...seal(key, `${row.purpose}:${row.id}`, plaintext) }
}

async function sealingKey(tx: Tx): Promise<VersionedKey> {
  await lockVaultShared(tx)
  const { canary, rotation } = await readVaultState(tx)
  const stored = rotation?.next ?? canary
  if (stored === null) return { key: vaultKey(), keyVersion: firstKeyVersion }
  const opened = openCanary(stored)
  if (opened) return opened
  throw new AppError(
    'vault-key',
    503,
    'The vault key was rotated, and this process has the old key only; nothing was stored. Restart it with the new key: docs/vault.md explains how.',
  )
}
