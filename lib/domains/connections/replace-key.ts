import type { Connection } from '../../generated/prisma/client'
import type { Tx } from '../../kernel/db'
import { replaceSecret } from '../vault/replace-secret'
import { storeSecret } from '../vault/store-secret'
import { secretPurpose } from './secret-purpose'

export type KeyChange = {
  secretId: string | null
  /** The last four characters before and after; null = there was, or is, no key. */
  before: string | null
  after: string | null
}

/**
 * Puts a key in the place of the one there is, or with null takes that away, in the transaction that locked the row.
 * `inPlace` false = under an id of its own, so that the one there was is gone for whoever still holds its id.
 */
export async function replaceKey(
  tx: Tx,
  { secretId }: Pick<Connection, 'secretId'>,
  key: string | null,
  { inPlace } = { inPlace: true },
): Promise<KeyChange> {
  const stored =
    secretId === null
      ? null
      : await tx.vaultSecret.findUnique({ where: { id: secretId }, select: { lastFour: true } })
  const before = stored?.lastFour ?? null
  if (key !== null && secretId !== null && inPlace) {
    const { lastFour } = await replaceSecret(tx, secretId, key)
    return { secretId, before, after: lastFour }
  }
  if (secretId !== null) await tx.vaultSecret.delete({ where: { id: secretId } })
  if (key === null) return { secretId: null, before, after: null }
  const { id, lastFour } = await storeSecret(tx, { purpose: secretPurpose, plaintext: key })
  return { secretId: id, before, after: lastFour }
}

/** Of a key that is switched on again. */
export const noFailure = { cooledUntil: null, lastCategory: '', lastAdvice: '', lastFailedAt: null }

/** Of another key nothing is known. */
export const freshHealth = {
  ...noFailure,
  windowStart: null,
  requests: 0,
  tokens: 0,
  leftRequests: null,
  leftRequestsUntil: null,
  leftTokens: null,
  leftTokensUntil: null,
}
