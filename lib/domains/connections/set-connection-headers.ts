import { z } from 'zod'
import { Prisma } from '../../generated/prisma/client'
import { type Ctx, requireRole } from '../../kernel/context'
import { withTransaction } from '../../kernel/db'
import { ValidationError } from '../../kernel/errors'
import { parseId } from '../../kernel/parse-id'
import { parseInput } from '../../kernel/parse-input'
import { WithReason } from '../audit/audit-reason'
import { recordAudit } from '../audit/record-audit'
import { forgetKeyFailures } from './connection-failures'
import { changedHeaders, HeaderChanges, tooManyHeaders } from './header-changes'
import { lockConnection } from './lock-connection'
import { openHeaders } from './open-connection'
import { requireSeenHost } from './require-seen-host'
import { SeenHost } from './schemas'
import { storeHeaders } from './store-headers'

export const SetConnectionHeaders = z.object({
  headers: HeaderChanges,
  host: SeenHost,
  ...WithReason.shape,
})
export type SetConnectionHeaders = z.input<typeof SetConnectionHeaders>

/**
 * Sets headers that go with each request of a connection, and takes away those given as null; the others stay. Values
 * are sealed and never shown again. Gives the names there are now. ConflictError when the connection leads to another
 * host than `host`. Admins only.
 */
export async function setConnectionHeaders(
  ctx: Ctx,
  connectionId: string,
  input: SetConnectionHeaders,
): Promise<{ headerNames: string[] }> {
  requireRole(ctx, 'admin')
  const id = parseId(connectionId, 'The connection')
  const { headers: changes, host, reason } = parseInput(SetConnectionHeaders, input)
  return withTransaction(async (tx) => {
    const connection = await lockConnection(tx, id)
    requireSeenHost(connection, host)
    const headers = changedHeaders(await openHeaders(tx, connection), changes)
    if (tooManyHeaders(headers)) throw new ValidationError({ headers: 'At most 20 headers.' })
    const stored = await storeHeaders(tx, connection.headersSecretId, headers)
    const { updatedAt } = connection
    await tx.connection.update({
      where: { id },
      data: { ...stored, updatedAt, lastTest: Prisma.DbNull },
    })
    await forgetKeyFailures(tx, id)
    await recordAudit(tx, ctx, {
      action: 'connection.set-headers',
      objectType: 'connection',
      objectId: id,
      before: { name: connection.name, headerNames: connection.headerNames },
      after: {
        name: connection.name,
        headerNames: stored.headerNames,
        valuesSet: Object.keys(changes).filter((name) => changes[name] !== null),
      },
      reason,
    })
    return { headerNames: stored.headerNames }
  })
}
