import type { Tx } from '../db'
import { AppError, NotFoundError } from '../errors'
import { openWithAnyKey } from './vault-key'

/**
 * The plaintext of a stored secret. Only code about to use it calls this; it never reaches a page, event, log or
 * audit row. Throws when the row was tampered with, moved, or sealed with another key.
 */
export async function openSecret(tx: Tx, id: string): Promise<string> {
  const row = await tx.vaultSecret.findUnique({ where: { id } })
  if (!row) throw new NotFoundError('The secret')
  const opened = openWithAnyKey(`${row.purpose}:${row.id}`, row)
  if (opened === null) {
    throw new AppError('vault', 500, 'A stored secret cannot be decrypted. Enter it again.')
  }
  return opened.plaintext
}
