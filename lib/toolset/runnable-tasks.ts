import 'server-only'
import { z } from 'zod'
import { visibleConfigurations } from '@/lib/domains/configurations/usable'
import { listVisibleTasks, readVisibleTask } from '@/lib/domains/tasks/runnable'
import { RunnableTask, TaskChoice } from '@/lib/domains/tasks/schemas'
import { verb } from '@/lib/edge/verb'

/** Those that have a configuration which they may use, or none, by name. */
export const listRunnableTasks = verb({
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
export const readRunnableTask = verb({
  name: 'task.read-runnable',
  role: 'member',
  scope: 'tasks:read',
  summary: 'Returns a task with its prompt, variables and answer schema.',
  input: z.object({ task: z.string() }),
  output: RunnableTask,
  transaction: false,
  run: ({ ctx }, { task }) => readVisibleTask(ctx, task, visibleConfigurations(ctx)),
})
