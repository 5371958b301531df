import { z } from 'zod'
import { Prisma } from '../../generated/prisma/client'
import { type Ctx, requireRole } from '../../kernel/context'
import { withTransaction } from '../../kernel/db'
import { parseId } from '../../kernel/parse-id'
import { parseInput } from '../../kernel/parse-input'
import { recordAudit } from '../audit/record-audit'
import { addressOf } from '../rows/address-hash'
import { freshHealth } from './change-keys'
import { forgetKeyFailures } from './connection-failures'
import { requireFittingKey } from './fitting-key'
import { lockConnection } from './lock-connection'
import { replaceKey } from './replace-key'
import { requireSeenHost } from './require-seen-host'
import { ConnectionKey } from './schemas'

const Input = z.object({ apiKey: ConnectionKey })

/**
 * Stores or replaces a connection's key at once: runs that are going keep the key they began with, new runs use the
 * new one. `replaceConnectionKey` of lib/probes asks the provider first. ConflictError when the connection leads to
 * another host than the expected one by now. Admins only.
 */
export async function setConnectionKey(
  ctx: Ctx,
  connectionId: string,
  key: string,
  expected?: { host: string | null },
): Promise<{ lastFour: string }> {
  requireRole(ctx, 'admin')
  const id = parseId(connectionId, 'The connection')
  const { apiKey } = parseInput(Input, { apiKey: key })
  return withTransaction(async (tx) => {
    // Locked, so that two at once do not leave an orphan in the vault.
    const connection = await lockConnection(tx, id)
    requireSeenHost(connection, expected?.host)
    requireFittingKey(addressOf(connection), apiKey)
    const { secretId, before, after } = await replaceKey(tx, connection, apiKey)
    const { updatedAt } = connection
    await tx.connection.update({
      where: { id },
      data: { secretId, updatedAt, lastTest: Prisma.DbNull },
    })
    await tx.connectionKey.updateMany({
      where: { connectionId: id, secretId: null },
      data: freshHealth,
    })
    await forgetKeyFailures(tx, id)
    await recordAudit(tx, ctx, {
      action: before === null ? 'connection.set-key' : 'connection.replace-key',
      objectType: 'connection',
      objectId: id,
      before: { name: connection.name, lastFour: before },
      after: { name: connection.name, lastFour: after },
    })
    return { lastFour: after ?? '' }
  })
}
