import { type Ctx, requireRole } from '../context'
import { db } from '../db'
import type { GroupListing } from './schemas'

/** Every group by name, with its members (disabled ones too, deleted ones not) and configurations. Admins only. */
export async function listGroups(ctx: Ctx): Promise<GroupListing[]> {
  requireRole(ctx, 'admin')
  const rows = await db().group.findMany({
    include: {
      members: {
        where: { user: { deletedAt: null } },
        select: { user: { select: { email: true } } },
      },
      configurations: { select: { configuration: { select: { identifier: true } } } },
    },
    orderBy: { name: 'asc' },
  })
  return rows.map(({ id, name, description, members, configurations }) => ({
    id,
    name,
    description,
    members: members.map(({ user }) => user.email).toSorted(),
    configurations: configurations.map(({ configuration }) => configuration.identifier).toSorted(),
  }))
}
