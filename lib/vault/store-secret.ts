import { v7 as newId } from 'uuid'
import type { Tx } from '../db'
import { seal } from './seal'
import { vaultKey, vaultKeyVersion } from './vault-key'

/**
 * `purpose` is the field it belongs to, such as `connection-key`; with the id it is the associated data. `hidden` =
 * nothing of it is ever shown, not even its end.
 */
export type NewSecret = { purpose: string; id?: string; plaintext: string; hidden?: boolean }

/** Encrypts and stores a secret; gives its id and what may be shown of it. */
export async function storeSecret(
  tx: Tx,
  secret: NewSecret,
): Promise<{ id: string; lastFour: string }> {
  const id = secret.id ?? newId()
  const lastFour = secret.hidden ? '' : shownPart(secret.plaintext)
  await tx.vaultSecret.create({
    data: {
      id,
      purpose: secret.purpose,
      keyVersion: vaultKeyVersion,
      lastFour,
      ...seal(vaultKey(), `${secret.purpose}:${id}`, secret.plaintext),
    },
  })
  return { id, lastFour }
}

/** The last four characters of a secret long enough to spare them, else nothing. */
export function shownPart(plaintext: string): string {
  return plaintext.length >= 12 ? plaintext.slice(-4) : ''
}
