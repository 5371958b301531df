import { z } from 'zod'
import { Prisma } from '../../generated/prisma/client'
import { type Ctx, requireRole } from '../../kernel/context'
import { db } from '../../kernel/db'
import { type SortDirection, sortParts } from '../../protocol/sort-order'
import type { TaskFilter, TaskListing, TaskSortKey } from './schemas'

const listed = {
  configuration: { select: { id: true, name: true, identifier: true } },
  _count: { select: { skills: true } },
} as const satisfies Prisma.TaskInclude

/** One page of all tasks, those that are off too, and how many match in all. Admins only. */
export async function listTasks(
  ctx: Ctx,
  filter: TaskFilter,
): Promise<{ rows: TaskListing[]; total: number }> {
  requireRole(ctx, 'admin')
  const where = whereOf(filter)
  const { key, direction } = sortParts(filter.sort)
  const [rows, total] = await Promise.all([
    db().task.findMany({
      where,
      orderBy: [...columns[key](direction), { name: 'asc' }, { id: 'asc' }],
      skip: (filter.page - 1) * filter.pageSize,
      take: filter.pageSize,
      include: listed,
    }),
    db().task.count({ where }),
  ])
  return { rows: rows.map(toListing), total }
}

const columns = {
  name: (way) => [{ name: way }],
  configuration: (way) => [{ configuration: { name: way } }],
  version: (way) => [{ version: way }],
  changed: (way) => [{ updatedAt: way }],
} satisfies Record<TaskSortKey, (way: SortDirection) => Prisma.TaskOrderByWithRelationInput[]>

function whereOf({ search, state, configuration }: TaskFilter): Prisma.TaskWhereInput {
  const conditions: Prisma.TaskWhereInput[] = []
  if (state) conditions.push({ enabled: state === 'on' })
  if (configuration) conditions.push({ configurationId: configuration })
  if (search) conditions.push(matches(search))
  return { AND: conditions }
}

function matches(search: string): Prisma.TaskWhereInput {
  const contains = {
    contains: search.replace(/[\\%_]/g, '\\$&'),
    mode: Prisma.QueryMode.insensitive,
  }
  return {
    OR: [
      { name: contains },
      { identifier: contains },
      { description: contains },
      { prompt: contains },
    ],
  }
}

type Row = Prisma.TaskGetPayload<{ include: typeof listed }>

function toListing(row: Row): TaskListing {
  return {
    id: row.id,
    identifier: row.identifier,
    name: row.name,
    description: row.description,
    enabled: row.enabled,
    version: row.version,
    variables: z.array(z.unknown()).parse(row.variables).length,
    skills: row._count.skills,
    configuration: row.configuration,
    updatedAt: row.updatedAt.toISOString(),
  }
}

type TaskName = { id: string; identifier: string; name: string; enabled: boolean }

/** Every task by name, those that are off too, to pick one from. Admins only. */
export async function listTaskNames(ctx: Ctx): Promise<TaskName[]> {
  requireRole(ctx, 'admin')
  return db().task.findMany({
    select: { id: true, identifier: true, name: true, enabled: true },
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
  })
}
