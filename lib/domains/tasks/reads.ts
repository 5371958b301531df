import { z } from 'zod'
import type { Part } from '@/lib/edge/resource-rows'
import { Prisma, type TaskVersion } from '@/lib/generated/prisma/client'
import { type Ctx, requireRole } from '@/lib/kernel/context'
import { db, type Tx } from '@/lib/kernel/db'
import { StoredSchema } from '@/lib/protocol/parameters/parameter-values'
import type { SortKeyOf } from '@/lib/shape/resource'
import { type SortDirection, sortParts } from '@/lib/shape/sort-order'
import type { tasks } from './shape'
import { TaskVariable } from './shared/task-form'
import { TaskPanel } from './shared/task-panel'

const named = { select: { id: true, name: true } } as const

/** Relations read with a task. */
const whole = {
  configuration: named,
  skills: { orderBy: { position: 'asc' }, include: { skill: named } },
} as const satisfies Prisma.TaskInclude

type Row = Prisma.TaskGetPayload<{ include: typeof whole }>

/** Returns a task as it is stored, with what it refers to; null = there is none. */
export async function readTask(client: Tx, reference: { id: string } | { identifier: string }) {
  const row = await client.task.findUnique({ where: reference, include: whole })
  return row && stored(row)
}

function stored({ skills, variables, outputSchema, panel, costCapMicroUsd, ...row }: Row) {
  return {
    ...row,
    panel: TaskPanel.nullable().parse(panel),
    variables: z.array(TaskVariable).parse(variables),
    outputSchema: StoredSchema.parse(outputSchema),
    skills: skills.map(({ skill, enabled }) => ({ ...skill, enabled })),
    costCapMicroUsd: costCapMicroUsd === null ? null : Number(costCapMicroUsd),
  }
}

type Wanted = z.output<typeof tasks.Wanted>

/** Returns one part of the tasks that are wanted, those that are off too, and how many there are. */
export async function pageTasks(client: Tx, wanted: Wanted, part: Part | null) {
  const where = whereOf(wanted)
  const { key, direction } = sortParts(wanted.sort)
  const rows = await client.task.findMany({
    where,
    orderBy: [columns[key](direction), { name: 'asc' }, { id: 'asc' }],
    ...part,
    include: whole,
  })
  return { rows: rows.map(stored), total: await client.task.count({ where }) }
}

const columns: Record<
  SortKeyOf<typeof tasks>,
  (way: SortDirection) => Prisma.TaskOrderByWithRelationInput
> = {
  name: (way) => ({ name: way }),
  configuration: (way) => ({ configuration: { name: way } }),
  version: (way) => ({ version: way }),
  changed: (way) => ({ updatedAt: way }),
  state: (way) => ({ enabled: way }),
}

function whereOf({ search, state, configuration }: Wanted): Prisma.TaskWhereInput {
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

/** Returns the newest versions of a task, at most so many. */
export async function readVersions(
  client: Tx,
  taskId: string,
  take: number,
): Promise<TaskVersion[]> {
  return client.taskVersion.findMany({ where: { taskId }, orderBy: { version: 'desc' }, take })
}

type TaskName = { id: string; identifier: string; name: string; enabled: boolean }

/** Returns every task by name, those that are off too, to pick one from. Admins only. */
export async function listTaskNames(ctx: Ctx): Promise<TaskName[]> {
  requireRole(ctx, 'admin')
  return db().task.findMany({
    select: { id: true, identifier: true, name: true, enabled: true },
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
  })
}

/** A task as a form that refers to it shows it, with the variables to fill in. */
export type TaskForm = { id: string; name: string; variables: TaskVariable[] }

/** Returns every task that is on, by name, with its variables. Admins only. */
export async function listTaskForms(ctx: Ctx): Promise<TaskForm[]> {
  requireRole(ctx, 'admin')
  const rows = await db().task.findMany({
    where: { enabled: true },
    select: { id: true, name: true, variables: true },
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
  })
  return rows.map((row) => ({ ...row, variables: z.array(TaskVariable).parse(row.variables) }))
}
