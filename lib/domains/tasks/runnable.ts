import { z } from 'zod'
import { groupsOfPerson } from '@/lib/domains/rows/group-access'
import { countingAttachment, skillSnapshots } from '@/lib/domains/rows/skill-snapshots'
import type { Prisma, Task } from '@/lib/generated/prisma/client'
import { type Ctx, requireRole } from '@/lib/kernel/context'
import { db, type Tx } from '@/lib/kernel/db'
import { NotFoundError } from '@/lib/kernel/errors'
import { costCapsOf } from '@/lib/protocol/cost/cost-caps'
import type { CostCap } from '@/lib/protocol/cost/money'
import { type JsonObject, StoredSchema } from '@/lib/protocol/parameters/parameter-values'
import type { RunSnapshot, SkillSnapshot } from '@/lib/protocol/run/run-snapshot'
import { namedBy } from '@/lib/shape/identifier'
import type { RunnableTask, TaskChoice } from './schemas'
import { TaskVariable } from './shared/task-form'
import { TaskPanel } from './shared/task-panel'

/**
 * Returns the condition that finds the tasks this person may run now: those that are on and have no configuration, or one
 * of `usable`, which says what they may run with; so must be all that their panel names. Admins may run every task that is on, with another configuration where
 * its own cannot be used.
 */
export function visibleTasks(
  ctx: Ctx,
  usable: Prisma.ConfigurationWhereInput,
): Prisma.TaskWhereInput {
  if (ctx.actor.role === 'admin') return { enabled: true }
  return {
    enabled: true,
    OR: [{ configurationId: null }, { configuration: usable }],
    members: { every: { configuration: usable } },
  }
}

/**
 * Returns the condition that finds the tasks which a member has run and may run again once something is switched on: the task,
 * or its configuration, model or connection. Until then their texts are not the member's to read.
 */
export function haltedTasks({ actor: { userId } }: Ctx): Prisma.TaskWhereInput {
  const audience = { groups: groupsOfPerson(userId) }
  const off = [
    { enabled: false },
    { model: { enabled: false } },
    { model: { connection: { enabled: false } } },
  ]
  return {
    runs: { some: { userId } },
    AND: [
      { OR: [{ configurationId: null }, { configuration: audience }] },
      { OR: [{ enabled: false }, { configuration: { OR: off } }] },
    ],
  }
}

const most = 500

/** Returns the tasks this person may run, by name, at most 500; see `visibleTasks`. */
export async function listVisibleTasks(
  ctx: Ctx,
  usable: Prisma.ConfigurationWhereInput,
): Promise<TaskChoice[]> {
  return db().task.findMany({
    where: visibleTasks(ctx, usable),
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
    take: most,
    select: { id: true, identifier: true, name: true, description: true, configurationId: true },
  })
}

/**
 * Returns a task that this person may run, with its prompt and variables, by id or identifier. Throws NotFoundError.
 */
export async function readVisibleTask(
  ctx: Ctx,
  idOrIdentifier: string,
  usable: Prisma.ConfigurationWhereInput,
): Promise<RunnableTask> {
  const where = { AND: [visibleTasks(ctx, usable), taskNamed(idOrIdentifier)] }
  const row = await db().task.findFirst({ where })
  if (!row) throw new NotFoundError('The task')
  return toRunnable(row)
}

function toRunnable(row: Task): RunnableTask {
  const { id, identifier, name, description, prompt, configurationId } = row
  const variables = z.array(TaskVariable).parse(row.variables)
  const outputSchema = StoredSchema.parse(row.outputSchema)
  const panel = TaskPanel.nullable().parse(row.panel)
  const texts = { id, identifier, name, description, prompt }
  return { ...texts, configurationId, variables, outputSchema, panel }
}

/** Parts of a task that a run takes over. `skills` are those in force (SPEC G-S), in the order they are sent. */
export type TaskForRun = {
  facts: NonNullable<RunSnapshot['task']>
  prompt: string
  variables: TaskVariable[]
  configurationId: string | null
  /** null = the configuration's. */
  outputSchema: JsonObject | null
  skills: SkillSnapshot[]
  /** null = one run. */
  panel: TaskPanel | null
  /** Cost caps of its run, or of its whole panel. */
  costCaps: CostCap[]
  /** Ids of people who created it, wrote its prompt or changed it since (SPEC A10). */
  authors: string[]
}

/** Returns a task that this person may run, by id or identifier. Throws NotFoundError, also when it is not theirs. */
export async function readTaskForRun(
  tx: Tx,
  ctx: Ctx,
  idOrIdentifier: string,
  usable: Prisma.ConfigurationWhereInput,
): Promise<TaskForRun> {
  return read(tx, { AND: [visibleTasks(ctx, usable), taskNamed(idOrIdentifier)] })
}

/** Returns any task, also one that is switched off. Throws NotFoundError. Admins only. */
export async function readAnyTaskForRun(
  tx: Tx,
  ctx: Ctx,
  idOrIdentifier: string,
): Promise<TaskForRun> {
  requireRole(ctx, 'admin')
  return read(tx, taskNamed(idOrIdentifier))
}

/** Returns the condition that finds the task with this id or identifier. Throws NotFoundError for what can be neither. */
function taskNamed(idOrIdentifier: string): { id: string } | { identifier: string } {
  const named = namedBy(idOrIdentifier)
  if (!named) throw new NotFoundError('The task')
  return named
}

async function read(tx: Tx, where: Prisma.TaskWhereInput): Promise<TaskForRun> {
  const row = await tx.task.findFirst({ where })
  if (!row) throw new NotFoundError('The task')
  const { id: taskId, identifier, name, version, prompt, configurationId } = row
  return {
    facts: { taskId, identifier, name, version },
    prompt,
    variables: z.array(TaskVariable).parse(row.variables),
    configurationId,
    outputSchema: StoredSchema.parse(row.outputSchema),
    skills: await readSkills(tx, taskId),
    panel: TaskPanel.nullable().parse(row.panel),
    costCaps: costCapsOf('task', row),
    authors: [...row.authors, ...(row.createdById === null ? [] : [row.createdById])],
  }
}

async function readSkills(tx: Tx, taskId: string): Promise<SkillSnapshot[]> {
  const attached = await tx.taskSkill.findMany({
    where: { taskId, ...countingAttachment },
    orderBy: { position: 'asc' },
    include: { skill: true },
  })
  const skills = attached.map(({ skill }) => skill)
  return skillSnapshots(tx, skills)
}
