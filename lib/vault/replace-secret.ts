import type { Tx } from '../db'
import { NotFoundError } from '../errors'
import { seal } from './seal'
import { shownPart } from './store-secret'
import { vaultKey, vaultKeyVersion } from './vault-key'

/** Puts a new value in an existing secret's place, under a new IV and the current key. */
export async function replaceSecret(
  tx: Tx,
  id: string,
  plaintext: string,
  { hidden = false } = {},
): Promise<{ lastFour: string }> {
  const row = await tx.vaultSecret.findUnique({ where: { id }, select: { purpose: true } })
  if (!row) throw new NotFoundError('The secret')
  const lastFour = hidden ? '' : shownPart(plaintext)
  await tx.vaultSecret.update({
    where: { id },
    data: {
      keyVersion: vaultKeyVersion,
      lastFour,
      ...seal(vaultKey(), `${row.purpose}:${id}`, plaintext),
    },
  })
  return { lastFour }
}
