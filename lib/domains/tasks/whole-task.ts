import { z } from 'zod'
import type { Prisma } from '../../generated/prisma/client'
import type { Tx } from '../../kernel/db'
import { NotFoundError } from '../../kernel/errors'
import { parseId } from '../../kernel/parse-id'
import { StoredSchema } from '../../protocol/parameter-values'
import { type TaskForm, TaskVariable } from '../../protocol/task-form'

const named = { select: { id: true, name: true } } as const

export const wholeTask = {
  configuration: named,
  skills: { orderBy: { position: 'asc' }, include: { skill: named } },
} as const satisfies Prisma.TaskInclude

export type WholeTask = Prisma.TaskGetPayload<{ include: typeof wholeTask }>

/** NotFoundError when there is no such task. */
export async function requireTask(tx: Tx, taskId: string): Promise<WholeTask> {
  const id = parseId(taskId, 'The task')
  const task = await tx.task.findUnique({ where: { id }, include: wholeTask })
  if (!task) throw new NotFoundError('The task')
  return task
}

/** The part of a task that has versions. */
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
