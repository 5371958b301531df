import 'server-only'
import { z } from 'zod'
import { verb } from '@/lib/edge/verb'
import type { Prisma } from '@/lib/generated/prisma/client'
import type { Ctx } from '@/lib/kernel/context'
import { listVisibleTasks, readVisibleTask } from './runnable'
import { RunnableTask, TaskChoice } from './schemas'

/** Returns the verbs for the tasks that an account may run, given the condition on configurations that it may use. */
export function runnableTaskVerbs(
  visibleConfigurations: (ctx: Ctx) => Prisma.ConfigurationWhereInput,
) {
  /** Those that have a configuration which they may use, or none, by name. */
  const listRunnableTasks = verb({
    name: 'task.list-runnable',
    role: 'member',
    scope: 'tasks:read',
    summary: 'Lists the tasks that the account may run.',
    input: z.object({}),
    output: z.array(TaskChoice),
    transaction: false,
    run: ({ ctx }) => listVisibleTasks(ctx, visibleConfigurations(ctx)),
  })

  /** By id or identifier. Throws NotFoundError when they may not run it. */
  const readRunnableTask = verb({
    name: 'task.read-runnable',
    role: 'member',
    scope: 'tasks:read',
    summary: 'Returns a task with its prompt, variables and answer schema.',
    input: z.object({ task: z.string() }),
    output: RunnableTask,
    transaction: false,
    run: ({ ctx }, { task }) => readVisibleTask(ctx, task, visibleConfigurations(ctx)),
  })
  return { listRunnableTasks, readRunnableTask }
}
