import { type Ctx, requireRole } from '../../kernel/context'
import { db } from '../../kernel/db'
import type { GroupSize } from './schemas'

/** Every group by name, with how many members it has (disabled ones too, deleted ones not). Admins only. */
export async function listGroupSizes(ctx: Ctx): Promise<GroupSize[]> {
  requireRole(ctx, 'admin')
  const rows = await db().group.findMany({
    select: {
      id: true,
      name: true,
      _count: { select: { members: { where: { user: { deletedAt: null } } } } },
    },
    orderBy: { name: 'asc' },
  })
  return rows.map(({ id, name, _count }) => ({ id, name, members: _count.members }))
}
