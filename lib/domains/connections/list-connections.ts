import type { Prisma } from '../../generated/prisma/client'
import { type Ctx, requireRole } from '../../kernel/context'
import { db } from '../../kernel/db'
import { type SortDirection, sortParts } from '../../protocol/sort-order'
import {
  type ConnectionListing,
  type ConnectionSort,
  type ConnectionSortKey,
  usualConnectionSort,
} from './schemas'
import { listingInclude, toConnectionListing } from './to-connection-listing'

const columns = {
  name: (way) => ({ name: way }),
  wire: (way) => ({ wire: way }),
  trust: (way) => ({ trustZone: way }),
  models: (way) => ({ models: { _count: way } }),
  changed: (way) => ({ updatedAt: way }),
} satisfies Record<
  ConnectionSortKey,
  (way: SortDirection) => Prisma.ConnectionOrderByWithRelationInput
>

/** Every stored provider, with what may be shown of its secrets, its health and its last test. Admins only. */
export async function listConnections(
  ctx: Ctx,
  sort: ConnectionSort = usualConnectionSort,
): Promise<ConnectionListing[]> {
  requireRole(ctx, 'admin')
  const { key, direction } = sortParts(sort)
  const rows = await db().connection.findMany({
    include: listingInclude,
    orderBy: [columns[key](direction), { name: 'asc' }],
  })
  const now = new Date()
  return Promise.all(rows.map((row) => toConnectionListing(row, now)))
}
