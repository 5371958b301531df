import { z } from 'zod'
import type { Prisma, Task } from '../../generated/prisma/client'
import type { Ctx } from '../../kernel/context'
import { db } from '../../kernel/db'
import { NotFoundError } from '../../kernel/errors'
import { StoredSchema } from '../../protocol/parameter-values'
import { TaskVariable } from '../../protocol/task-form'
import { taskNamed } from './read-task-for-run'
import type { RunnableTask, TaskChoice } from './schemas'
import { visibleTasks } from './visible-tasks'

const most = 500

/** The tasks this person may run, by name, at most 500; see `visibleTasks`. */
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

/** Returns one of them with its prompt and variables, by id or identifier. NotFoundError when they may not run it. */
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
  return { id, identifier, name, description, prompt, configurationId, variables, outputSchema }
}
