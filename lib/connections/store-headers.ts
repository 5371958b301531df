import type { Tx } from '../db'
import { replaceSecret } from '../vault/replace-secret'
import { storeSecret } from '../vault/store-secret'
import { headersPurpose } from './secret-purpose'

/** Seals all headers of a connection as one secret; gives the columns that go with it. No headers, no secret. */
export async function storeHeaders(
  tx: Tx,
  secretId: string | null,
  headers: Record<string, string>,
): Promise<{ headerNames: string[]; headersSecretId: string | null }> {
  const headerNames = Object.keys(headers)
  if (headerNames.length === 0) {
    if (secretId !== null) await tx.vaultSecret.delete({ where: { id: secretId } })
    return { headerNames, headersSecretId: null }
  }
  const plaintext = JSON.stringify(headers)
  if (secretId === null) {
    const { id } = await storeSecret(tx, { purpose: headersPurpose, plaintext, hidden: true })
    return { headerNames, headersSecretId: id }
  }
  await replaceSecret(tx, secretId, plaintext, { hidden: true })
  return { headerNames, headersSecretId: secretId }
}
