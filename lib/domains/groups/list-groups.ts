import { Prisma } from '../../generated/prisma/client'
import { type Ctx, requireRole } from '../../kernel/context'
import { db } from '../../kernel/db'
import { sortParts } from '../../protocol/sort-order'
import type { GroupFilter, GroupListing, GroupRow, GroupSortKey } from './schemas'

/**
 * One page of the groups that fit, in the order asked for, and how many fit in all. Deleted accounts do not count.
 * Admins only.
 */
export async function pageGroups(
  ctx: Ctx,
  filter: GroupFilter,
): Promise<{ rows: GroupRow[]; total: number }> {
  requireRole(ctx, 'admin')
  const [rows, total] = await Promise.all([
    readPage(filter),
    db().group.count({ where: filter.search ? matches(filter.search) : {} }),
  ])
  return { rows, total }
}

const columns: Record<GroupSortKey, Prisma.Sql> = {
  name: Prisma.sql`name`,
  members: Prisma.sql`members`,
  configurations: Prisma.sql`configurations`,
}

/** In SQL, because only there the members that count can be sorted by. */
function readPage({ search, page, pageSize, sort }: GroupFilter): Promise<GroupRow[]> {
  const { key, direction } = sortParts(sort)
  const way = direction === 'desc' ? Prisma.sql`DESC` : Prisma.sql`ASC`
  const pattern = `%${escaped(search ?? '')}%`
  return db().$queryRaw<GroupRow[]>`
    SELECT id::text, name, description,
      (SELECT count(*)::int FROM group_members JOIN users ON users.id = "userId"
        WHERE "groupId" = groups.id AND "deletedAt" IS NULL) AS members,
      (SELECT count(*)::int FROM configuration_groups WHERE "groupId" = groups.id) AS configurations
    FROM groups
    WHERE name ILIKE ${pattern} OR description ILIKE ${pattern}
    ORDER BY ${columns[key]} ${way}, name, id
    LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}`
}

function matches(search: string): Prisma.GroupWhereInput {
  const contains = { contains: escaped(search), mode: Prisma.QueryMode.insensitive }
  return { OR: [{ name: contains }, { description: contains }] }
}

function escaped(search: string): string {
  return search.replace(/[\\%_]/g, '\\$&')
}

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
