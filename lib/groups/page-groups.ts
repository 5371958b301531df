import { type Ctx, requireRole } from '../context'
import { db } from '../db'
import { Prisma } from '../generated/prisma/client'
import type { GroupFilter, GroupRow } from './schemas'

/** One page of the groups that fit, by name, and how many fit in all. Deleted accounts do not count. Admins only. */
export async function pageGroups(
  ctx: Ctx,
  { search, page, pageSize }: GroupFilter,
): Promise<{ rows: GroupRow[]; total: number }> {
  requireRole(ctx, 'admin')
  const where = search ? matches(search) : {}
  const members = { where: { user: { deletedAt: null } } }
  const [rows, total] = await Promise.all([
    db().group.findMany({
      where,
      include: { _count: { select: { members, configurations: true } } },
      orderBy: { name: 'asc' },
      skip: (page - 1) * pageSize,
      take: pageSize,
    }),
    db().group.count({ where }),
  ])
  return {
    rows: rows.map(({ id, name, description, _count }) => ({ id, name, description, ..._count })),
    total,
  }
}

function matches(search: string): Prisma.GroupWhereInput {
  const contains = {
    contains: search.replace(/[\\%_]/g, '\\$&'),
    mode: Prisma.QueryMode.insensitive,
  }
  return { OR: [{ name: contains }, { description: contains }] }
}
