import { z } from 'zod'
import type { Part } from '@/lib/edge/resource-rows'
import { Prisma } from '@/lib/generated/prisma/client'
import { type Ctx, requireRole } from '@/lib/kernel/context'
import { db, type Tx } from '@/lib/kernel/db'
import { NotFoundError } from '@/lib/kernel/errors'
import { ToolLimits } from '@/lib/protocol/key-limits'
import type { SortKeyOf } from '@/lib/shape/resource'
import { type SortOrder, sortParts } from '@/lib/shape/sort-order'
import { didYouMean } from '@/lib/words/nearest-name'
import type { groups } from './shape'

type Choice = { id: string; name: string }

/** A group to pick, with its number of members. */
export type GroupSize = Choice & { members: number }

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
export async function listGroupNames(ctx: Ctx): Promise<Choice[]> {
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

const noToolLimits: ToolLimits = { tools: null, toolGroups: null }

function limitsOf(limits: Prisma.JsonValue): ToolLimits {
  return limits === null ? noToolLimits : ToolLimits.parse(limits)
}

/** Returns the limits of every group, by its name. */
export async function readGroupLimits(client: Tx): Promise<ReadonlyMap<string, ToolLimits>> {
  const rows = await client.group.findMany({ select: { name: true, limits: true } })
  return new Map(rows.map(({ name, limits }) => [name, limitsOf(limits)]))
}

/** Relations read with a group: its members, without deleted accounts, and the configurations that they may use. */
const whole = {
  members: {
    where: { user: { deletedAt: null } },
    select: {
      user: { select: { id: true, email: true, name: true, disabledAt: true, suspendedFor: true } },
    },
  },
  configurations: {
    select: {
      configuration: { select: { id: true, identifier: true, name: true, enabled: true } },
    },
  },
} as const satisfies Prisma.GroupInclude

type Row = Prisma.GroupGetPayload<{ include: typeof whole }>

/** Returns a group as it is stored, with its members (disabled ones, too) and configurations; null = there is none. */
export async function readGroup(client: Tx, reference: { id: string } | { name: string }) {
  const row = await client.group.findUnique({ where: reference, include: whole })
  return row && stored(row)
}

function stored({ members, configurations, limits, ...row }: Row) {
  const people = members.map(({ user: { disabledAt, ...user } }) => ({
    ...user,
    disabled: disabledAt !== null,
  }))
  const opens = configurations.map(({ configuration }) => configuration)
  return {
    ...row,
    limits: limitsOf(limits),
    people: people.toSorted((a, b) => a.email.localeCompare(b.email)),
    opens: opens.toSorted((a, b) => a.name.localeCompare(b.name)),
  }
}

const columns: Record<SortKeyOf<typeof groups>, Prisma.Sql> = {
  name: Prisma.sql`name`,
  members: Prisma.sql`(SELECT count(*) FROM group_members JOIN users ON users.id = "userId"
    WHERE "groupId" = groups.id AND "deletedAt" IS NULL)`,
  configurations: Prisma.sql`(SELECT count(*) FROM configuration_groups WHERE "groupId" = groups.id)`,
}

type Wanted = { search?: string | undefined; sort: SortOrder<SortKeyOf<typeof groups>> }

/** Returns one part of the groups whose name or description contains the search, and how many there are. */
export async function pageGroups(client: Tx, { search = '', sort }: Wanted, part: Part | null) {
  const { key, direction } = sortParts(sort)
  const way = direction === 'desc' ? Prisma.sql`DESC` : Prisma.sql`ASC`
  const pattern = `%${search.replace(/[\\%_]/g, '\\$&')}%`
  const fits = Prisma.sql`name ILIKE ${pattern} OR description ILIKE ${pattern}`
  // In SQL, because Prisma cannot sort by the number of members that are not deleted.
  const found = await client.$queryRaw<{ id: string }[]>`
    SELECT id::text FROM groups WHERE ${fits} ORDER BY ${columns[key]} ${way}, name, id
    LIMIT ${part?.take ?? null} OFFSET ${part?.skip ?? 0}`
  const [{ total } = { total: 0 }] = await client.$queryRaw<{ total: number }[]>`
    SELECT count(*)::int AS total FROM groups WHERE ${fits}`
  const ids = found.map(({ id }) => id)
  const rows = await client.group.findMany({ where: { id: { in: ids } }, include: whole })
  const byId = new Map(rows.map((row) => [row.id, stored(row)]))
  return { rows: ids.flatMap((id) => byId.get(id) ?? []), total }
}
