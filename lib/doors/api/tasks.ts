import { z } from 'zod'
import { readTaskDocument } from '../../domains/tasks/reads'
import { TaskChoice } from '../../domains/tasks/schemas'
import { createTask } from '../../domains/tasks/verbs'
import { TaskDocument } from '../../protocol/task-form'
import { listRunnableTasks, readRunnableTask } from '../../toolset/runnable-tasks'
import { created, endpoint, serve } from './endpoint'

const { role, scope, summary } = createTask.definition

export const taskEndpoints = [
  serve('GET', '/tasks', listRunnableTasks, {
    answers: { 200: z.object({ tasks: z.array(TaskChoice) }) },
    answer: ({ output }) => Response.json({ tasks: output }),
  }),
  // By hand: a document says the configuration and the skills by their names.
  endpoint(
    'POST',
    '/tasks',
    { role, scope, summary, body: TaskDocument, answers: { 201: z.object({ id: z.string() }) } },
    async ({ ctx, body }) => {
      const { id } = await createTask(ctx, await readTaskDocument(ctx, body))
      return created(`/tasks/${id}`, { id })
    },
  ),
  serve('GET', '/tasks/{task}', readRunnableTask),
]
