import { newId } from '@/lib/kernel/new-id'
import type { Tx } from '../../kernel/db'
import { sealForRow } from './seal-for-row'

/**
 * `purpose` is the field it belongs to, such as `connection-key`; with the id it is the associated data. `hidden` =
 * nothing of it is ever shown, not even its end.
 */
export type NewSecret = { purpose: string; id?: string; plaintext: string; hidden?: boolean }

/** Encrypts and stores a secret; gives its id and what may be shown of it. */
export async function storeSecret(
  tx: Tx,
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
