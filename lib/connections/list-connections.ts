import { trustZoneOf, wireOf } from '../column-names'
import { type Ctx, requireRole } from '../context'
import { db } from '../db'
import type { ConnectionListing } from './schemas'

/** Every stored provider by name, with what may be shown of its key. Admins only. */
export async function listConnections(ctx: Ctx): Promise<ConnectionListing[]> {
  requireRole(ctx, 'admin')
  const rows = await db().connection.findMany({
    include: {
      secret: { select: { lastFour: true, updatedAt: true } },
      _count: { select: { models: true } },
    },
    orderBy: { name: 'asc' },
  })
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    wire: wireOf(row.wire),
    baseUrl: row.baseUrl,
    organisation: row.organisation,
    trustZone: trustZoneOf(row.trustZone),
    enabled: row.enabled,
    key: row.secret && {
      lastFour: row.secret.lastFour,
      updatedAt: row.secret.updatedAt.toISOString(),
    },
    models: row._count.models,
  }))
}
