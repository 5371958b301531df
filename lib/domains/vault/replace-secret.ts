import type { Tx } from '../../kernel/db'
import { NotFoundError } from '../../kernel/errors'
import { sealForRow } from './seal-for-row'
import { shownPart } from './store-secret'

/** Puts a new value in an existing secret's place, under a new IV and the key that seals now. */
export async function replaceSecret(
  tx: Tx,
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
