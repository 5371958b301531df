import { z } from 'zod'
import type { Prisma } from '../../generated/prisma/client'
import { auditLabel, type Ctx } from '../../kernel/context'
import type { Tx } from '../../kernel/db'
import { NotFoundError, ValidationError } from '../../kernel/errors'
import { parseId } from '../../kernel/parse-id'
import { StoredSchema, storedSchema } from '../../protocol/parameter-values'
import { type TaskForm, TaskVariable } from '../../protocol/task-form'
import type { CheckedTask } from './schemas'

const named = { select: { id: true, name: true } } as const

export const wholeTask = {
  configuration: named,
  skills: { orderBy: { position: 'asc' }, include: { skill: named } },
} as const satisfies Prisma.TaskInclude

type WholeTask = Prisma.TaskGetPayload<{ include: typeof wholeTask }>

/** Returns a task with what it refers to. Throws NotFoundError. */
export async function requireTask(tx: Tx, taskId: string): Promise<WholeTask> {
  const id = parseId(taskId, 'The task')
  const task = await tx.task.findUnique({ where: { id }, include: wholeTask })
  if (!task) throw new NotFoundError('The task')
  return task
}

/** Returns the part of a task that has versions. */
export function formOf(task: WholeTask): TaskForm {
  const { identifier, name, description, prompt, configuration, costCapMode } = task
  return {
    identifier,
    name,
    description,
    prompt,
    variables: z.array(TaskVariable).parse(task.variables),
    configuration,
    outputSchema: StoredSchema.parse(task.outputSchema),
    skills: task.skills.map(({ skill, enabled }) => ({ ...skill, enabled })),
    costCapMicroUsd: task.costCapMicroUsd === null ? null : Number(task.costCapMicroUsd),
    costCapMode,
  }
}

/**
 * Returns the input as a form, with the names of the objects it refers to. Throws ValidationError when one of them does
 * not exist.
 */
export async function toForm(tx: Tx, input: CheckedTask): Promise<TaskForm> {
  const { configurationId, skills, ...facts } = input
  return {
    ...facts,
    configuration: await findConfiguration(tx, configurationId),
    skills: await findSkills(tx, skills),
  }
}

/** Returns the form as it would be sent again. */
export function toInput({ configuration, skills, ...facts }: TaskForm): CheckedTask {
  return {
    ...facts,
    configurationId: configuration?.id ?? null,
    skills: skills.map(({ id, enabled }) => ({ id, enabled })),
  }
}

async function findConfiguration(tx: Tx, id: string | null): Promise<TaskForm['configuration']> {
  if (id === null) return null
  const row = await tx.configuration.findUnique({ where: { id }, select: { id: true, name: true } })
  if (row) return row
  throw new ValidationError({
    configurationId: 'This configuration no longer exists. Pick another.',
  })
}

async function findSkills(tx: Tx, skills: CheckedTask['skills']): Promise<TaskForm['skills']> {
  const rows = await tx.skill.findMany({
    where: { id: { in: skills.map(({ id }) => id) } },
    select: { id: true, name: true },
  })
  const nameOf = new Map(rows.map(({ id, name }) => [id, name]))
  return skills.map(({ id, enabled }) => {
    const name = nameOf.get(id)
    if (name === undefined) {
      throw new ValidationError({ skills: 'A skill no longer exists. Remove it.' })
    }
    return { id, name, enabled }
  })
}

/** Returns the row of one version of a task, as whoever made it leaves it. */
export function newVersion(ctx: Ctx, version: number, form: TaskForm, note: string) {
  return { version, data: stored(form), note, createdByLabel: auditLabel(ctx) }
}

/** Returns the columns of a task; its skills are rows of their own. */
export function columnsOf({ configuration, skills: _, ...facts }: TaskForm) {
  return { ...stored(facts), configurationId: configuration?.id ?? null }
}

function stored<T extends Pick<TaskForm, 'outputSchema'>>(form: T) {
  return { ...form, outputSchema: storedSchema(form.outputSchema) }
}

/** Returns the rows of a task's skills. */
export function skillRows({ skills }: TaskForm) {
  return skills.map(({ id: skillId, enabled }, position) => ({ skillId, enabled, position }))
}
