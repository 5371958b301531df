import type { VaultSecret } from '../../generated/prisma/client'
import type { Tx } from '../../kernel/db'
import { AppError, NotFoundError } from '../../kernel/errors'
import { openWithAnyKey } from './vault-key'

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
