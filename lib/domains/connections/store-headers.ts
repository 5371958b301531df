import type { Tx } from '../../kernel/db'
import { replaceSecret } from '../vault/replace-secret'
import { storeSecret } from '../vault/store-secret'
import { headersPurpose } from './secret-purpose'

/**
 * Seals all headers of a connection as one secret; gives the columns that go with it. No headers, no secret. `inPlace`
 * false = under an id of its own, so that what there was is gone for whoever still holds its id.
 */
export async function storeHeaders(
  tx: Tx,
  secretId: string | null,
  headers: Record<string, string>,
  { inPlace } = { inPlace: true },
): Promise<{ headerNames: string[]; headersSecretId: string | null }> {
  const headerNames = Object.keys(headers)
  const plaintext = JSON.stringify(headers)
  if (headerNames.length > 0 && secretId !== null && inPlace) {
    await replaceSecret(tx, secretId, plaintext, { hidden: true })
    return { headerNames, headersSecretId: secretId }
  }
  if (secretId !== null) await tx.vaultSecret.delete({ where: { id: secretId } })
  if (headerNames.length === 0) return { headerNames, headersSecretId: null }
  const { id } = await storeSecret(tx, { purpose: headersPurpose, plaintext, hidden: true })
  return { headerNames, headersSecretId: id }
}
