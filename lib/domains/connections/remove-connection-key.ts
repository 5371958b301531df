import { Prisma } from '../../generated/prisma/client'
import { type Ctx, requireRole } from '../../kernel/context'
import { withTransaction } from '../../kernel/db'
import { ConflictError } from '../../kernel/errors'
import { parseId } from '../../kernel/parse-id'
import { parseInput } from '../../kernel/parse-input'
import { WithReason } from '../audit/audit-reason'
import { recordAudit } from '../audit/record-audit'
import { settlePool } from './change-keys'
import { forgetKeyFailures } from './connection-failures'
import { lockConnection } from './lock-connection'
import { replaceKey } from './replace-key'

/** Deletes a connection's key from the vault; false when it had none. Runs that are going keep theirs. Admins only. */
export async function removeConnectionKey(
  ctx: Ctx,
  connectionId: string,
  input: WithReason = {},
): Promise<boolean> {
  requireRole(ctx, 'admin')
  const id = parseId(connectionId, 'The connection')
  const { reason } = parseInput(WithReason, input)
  return withTransaction(async (tx) => {
    const connection = await lockConnection(tx, id)
    if (connection.secretId === null) return false
    if (await tx.connectionKey.count({ where: { connectionId: id, NOT: { secretId: null } } })) {
      throw new ConflictError(
        'Remove the further keys of this connection first, or replace this key.',
      )
    }
    const { before } = await replaceKey(tx, connection, null)
    const { updatedAt } = connection
    await tx.connection.update({
      where: { id },
      data: { secretId: null, updatedAt, lastTest: Prisma.DbNull },
    })
    await tx.connectionKey.deleteMany({ where: { connectionId: id } })
    await settlePool(tx, connection)
    await forgetKeyFailures(tx, id)
    await recordAudit(tx, ctx, {
      action: 'connection.remove-key',
      objectType: 'connection',
      objectId: id,
      before: { name: connection.name, lastFour: before },
      after: { name: connection.name, lastFour: null },
      reason,
    })
    return true
  })
}
