import { z } from 'zod'
import { Prisma } from '../../generated/prisma/client'
import { type Ctx, requireRole } from '../../kernel/context'
import { db } from '../../kernel/db'
import { NotFoundError, ValidationError } from '../../kernel/errors'
import { parseId } from '../../kernel/parse-id'
import { parseInput } from '../../kernel/parse-input'
import { type SortDirection, sortParts } from '../../protocol/sort-order'
import { TaskDocument, TaskForm } from '../../protocol/task-form'
import { taskNamed } from './runnable'
import type { TaskFilter, TaskInput, TaskListing, TaskSortKey, TaskVersionView } from './schemas'
import { formOf, requireTask } from './task-rows'

/** Returns the task with this id or identifier, one that is off too. Throws NotFoundError. Admins only. */
export async function findTask(
  ctx: Ctx,
  idOrIdentifier: string,
): Promise<{ id: string; identifier: string }> {
  requireRole(ctx, 'admin')
  const row = await db().task.findFirst({
    where: taskNamed(idOrIdentifier),
    select: { id: true, identifier: true },
  })
  if (!row) throw new NotFoundError('The task')
  return row
}

const listed = {
  configuration: { select: { id: true, name: true, identifier: true } },
  _count: { select: { skills: true } },
} as const satisfies Prisma.TaskInclude

/** Returns one page of all tasks, those that are off too, and how many match in all. Admins only. */
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

/** Returns every task by name, those that are off too, to pick one from. Admins only. */
export async function listTaskNames(ctx: Ctx): Promise<TaskName[]> {
  requireRole(ctx, 'admin')
  return db().task.findMany({
    select: { id: true, identifier: true, name: true, enabled: true },
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
  })
}

/** `runs`: how many there are of it, whoever started them. Times are ISO text in UTC. */
export type TaskDetail = {
  id: string
  enabled: boolean
  version: number
  form: TaskForm
  runs: number
  createdAt: string
  updatedAt: string
}

/** Returns a task with everything of it but its history. Throws NotFoundError. Admins only. */
export async function readTask(ctx: Ctx, taskId: string): Promise<TaskDetail> {
  requireRole(ctx, 'admin')
  const task = await requireTask(db(), taskId)
  return {
    id: task.id,
    enabled: task.enabled,
    version: task.version,
    form: formOf(task),
    runs: await db().run.count({ where: { taskId: task.id } }),
    createdAt: task.createdAt.toISOString(),
    updatedAt: task.updatedAt.toISOString(),
  }
}

/** Older versions stay in the database; a page of them is enough to compare with. */
const shownVersions = 50

/** Returns the last 50 versions of a task, newest first; none for one that does not exist. Admins only. */
export async function listTaskVersions(ctx: Ctx, taskId: string): Promise<TaskVersionView[]> {
  requireRole(ctx, 'admin')
  const rows = await db().taskVersion.findMany({
    where: { taskId: parseId(taskId, 'The task') },
    orderBy: { version: 'desc' },
    take: shownVersions,
  })
  return rows.map(({ version, data, note, createdByLabel, createdAt }) => ({
    version,
    form: TaskForm.parse(data),
    note,
    createdByLabel,
    createdAt: createdAt.toISOString(),
  }))
}

/**
 * Returns the task in a file or request as the input of the verbs. Throws ValidationError for names that nothing has.
 * Admins only.
 */
export async function readTaskDocument(ctx: Ctx, input: unknown): Promise<TaskInput> {
  requireRole(ctx, 'admin')
  const { configuration, skills, ...facts } = parseInput(TaskDocument, input)
  return {
    ...facts,
    configurationId: await configurationNamed(configuration),
    skills: await skillsNamed(skills),
  }
}

async function configurationNamed(name: string | null): Promise<string | null> {
  if (name === null) return null
  const id = z.uuid().safeParse(name)
  const row = await db().configuration.findFirst({
    where: id.success ? { id: id.data } : { identifier: name },
    select: { id: true },
  })
  if (row) return row.id
  throw new ValidationError({
    configuration: `There is no configuration ${JSON.stringify(name)}. Give its identifier.`,
  })
}

async function skillsNamed(skills: TaskDocument['skills']) {
  const rows = await db().skill.findMany({
    where: { name: { in: skills.map(({ name }) => name) } },
    select: { id: true, name: true },
  })
  const idOf = new Map(rows.map(({ id, name }) => [name, id]))
  return skills.map(({ name, enabled }) => {
    const id = idOf.get(name)
    if (id !== undefined) return { id, enabled }
    throw new ValidationError({
      skills: `There is no skill ${JSON.stringify(name.slice(0, 100))}. Give the name of an existing skill.`,
    })
  })
}
