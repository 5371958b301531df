import 'server-only'
import { visibleConfigurations } from '@/lib/domains/configurations/visible-configurations'
import { listVisibleTasks, readVisibleTask } from '@/lib/domains/tasks/list-visible-tasks'
import type { RunnableTask, TaskChoice } from '@/lib/domains/tasks/schemas'
import type { Ctx } from '@/lib/kernel/context'

/** The tasks this person may run with a configuration that is theirs, by name. */
export function listRunnableTasks(ctx: Ctx): Promise<TaskChoice[]> {
  return listVisibleTasks(ctx, visibleConfigurations(ctx))
}

/** One of them with its prompt and variables, by id or identifier. NotFoundError when it is not theirs. */
export function readRunnableTask(ctx: Ctx, task: string): Promise<RunnableTask> {
  return readVisibleTask(ctx, task, visibleConfigurations(ctx))
}
