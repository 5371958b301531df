import 'server-only'
import { visibleConfigurations } from '@/lib/domains/configurations/visible-configurations'
import { listVisibleTasks, readVisibleTask } from '@/lib/domains/tasks/list-visible-tasks'
import type { RunnableTask, TaskChoice } from '@/lib/domains/tasks/schemas'
import type { Ctx } from '@/lib/kernel/context'

/** Returns the tasks that this person may run with a configuration that they may use, by name. */
export function listRunnableTasks(ctx: Ctx): Promise<TaskChoice[]> {
  return listVisibleTasks(ctx, visibleConfigurations(ctx))
}

/** Returns one of them with its prompt and variables, by id or identifier. NotFoundError when they may not run it. */
export function readRunnableTask(ctx: Ctx, task: string): Promise<RunnableTask> {
  return readVisibleTask(ctx, task, visibleConfigurations(ctx))
}
