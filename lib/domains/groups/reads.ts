import { z } from 'zod'
import { Prisma } from '../../generated/prisma/client'
import { type Ctx, requireRole } from '../../kernel/context'
import { db } from '../../kernel/db'
import { NotFoundError } from '../../kernel/errors'
import { parseId } from '../../kernel/parse-id'
import { didYouMean } from '../../protocol/nearest-name'
import { sortParts } from '../../protocol/sort-order'
import type {
  GroupChoice,
  GroupDetails,
  GroupFilter,
  GroupListing,
  GroupRow,
  GroupSize,
  GroupSortKey,
} from './schemas'

/** Returns the id of the group with this id or exact name. NotFoundError when there is none. Admins only. */
export async function findGroup(ctx: Ctx, idOrName: string): Promise<{ id: string }> {
  requireRole(ctx, 'admin')
  const id = z.uuid().safeParse(idOrName)
  const row = await db().group.findFirst({
    where: id.success ? { id: id.data } : { name: idOrName.trim() },
    select: { id: true },
  })
  if (row) return row
  const names = (await db().group.findMany({ select: { name: true } })).map(({ name }) => name)
  throw new NotFoundError(`The group ${idOrName.slice(0, 100)}`, didYouMean(idOrName, names))
}

/** Returns every group by name, for choices, without reading its members. Admins only. */
export async function listGroupNames(ctx: Ctx): Promise<GroupChoice[]> {
  requireRole(ctx, 'admin')
  return db().group.findMany({ select: { id: true, name: true }, orderBy: { name: 'asc' } })
}

/** Returns every group by name, with its number of members (disabled ones too, deleted ones not). Admins only. */
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

/**
 * Returns one page of the matching groups in the requested order, and the number of all matches. Deleted accounts do
 * not count as members. Admins only.
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

/** Reads the page in SQL, because Prisma cannot sort by the number of members that are not deleted. */
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

/**
 * Returns every group by name, with its members (disabled ones too, deleted ones not) and configurations. Admins only.
 */
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

/** Returns one group with its members (disabled ones too, deleted ones not) and configurations. Admins only. */
export async function readGroup(ctx: Ctx, groupId: string): Promise<GroupDetails> {
  requireRole(ctx, 'admin')
  const row = await db().group.findUnique({
    where: { id: parseId(groupId, 'The group') },
    include: {
      members: { where: { user: { deletedAt: null } }, include: { user: true } },
      configurations: { include: { configuration: true } },
    },
  })
  if (!row) throw new NotFoundError('The group')
  const { id, name, description } = row
  return {
    id,
    name,
    description,
    members: row.members
      .map(({ user }) => ({
        id: user.id,
        email: user.email,
        name: user.name,
        disabled: user.disabledAt !== null,
      }))
      .toSorted((a, b) => a.email.localeCompare(b.email)),
    configurations: row.configurations
      .map(({ configuration }) => ({
        id: configuration.id,
        identifier: configuration.identifier,
        name: configuration.name,
        enabled: configuration.enabled,
      }))
      .toSorted((a, b) => a.name.localeCompare(b.name)),
  }
}
