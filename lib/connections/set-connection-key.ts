import { recordAudit } from '../audit/record-audit'
import { type Ctx, requireRole } from '../context'
import { withTransaction } from '../db'
import { NotFoundError } from '../errors'
import { parseId } from '../parse-id'
import { parseInput } from '../parse-input'
import { replaceSecret } from '../vault/replace-secret'
import { storeSecret } from '../vault/store-secret'
import { ConnectionKey } from './schemas'
import { secretPurpose } from './secret-purpose'

/**
 * Stores or replaces a connection's key: runs that are going keep the key they began with, new runs use the new one.
 * Admins only.
 */
export async function setConnectionKey(
  ctx: Ctx,
  connectionId: string,
  key: string,
): Promise<{ lastFour: string }> {
  requireRole(ctx, 'admin')
  const id = parseId(connectionId, 'The connection')
  const plaintext = parseInput(ConnectionKey, key)
  return withTransaction(async (tx) => {
    // Locked, so that two at once do not leave an orphan in the vault.
    await tx.$executeRaw`SELECT 1 FROM connections WHERE id = ${id}::uuid FOR UPDATE`
    const connection = await tx.connection.findUnique({ where: { id } })
    if (!connection) throw new NotFoundError('The connection')
    const { secretId } = connection
    const stored = secretId
      ? { id: secretId, ...(await replaceSecret(tx, secretId, plaintext)) }
      : await storeSecret(tx, { purpose: secretPurpose, plaintext })
    await tx.connection.update({ where: { id }, data: { secretId: stored.id } })
    await recordAudit(tx, ctx, {
      action: secretId ? 'connection.replace-key' : 'connection.set-key',
      objectType: 'connection',
      objectId: id,
      after: { name: connection.name, lastFour: stored.lastFour },
    })
    return { lastFour: stored.lastFour }
  })
}
