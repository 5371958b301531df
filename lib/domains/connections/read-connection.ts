import { type Ctx, requireRole } from '../../kernel/context'
import { db } from '../../kernel/db'
import { NotFoundError } from '../../kernel/errors'
import { parseId } from '../../kernel/parse-id'
import { type ConnectionUsers, connectionUsers } from './connection-users'
import type { ConnectionListing } from './schemas'
import { listingInclude, toConnectionListing } from './to-connection-listing'

export type ConnectionDetails = ConnectionListing & { createdAt: string; users: ConnectionUsers }

/** One stored provider, with its models and what uses them. NotFoundError when it is gone. Admins only. */
export async function readConnection(ctx: Ctx, connectionId: string): Promise<ConnectionDetails> {
  requireRole(ctx, 'admin')
  const id = parseId(connectionId, 'The connection')
  const row = await db().connection.findUnique({ where: { id }, include: listingInclude })
  if (!row) throw new NotFoundError('The connection')
  return {
    ...(await toConnectionListing(row)),
    createdAt: row.createdAt.toISOString(),
    users: await connectionUsers(db(), id),
  }
}
