import { z } from 'zod'
import { TaskChoice } from '../../domains/tasks/schemas'
import { tasks } from '../../domains/tasks/shape'
import { taskVerbs } from '../../domains/tasks/verbs'
import { untyped } from '../../protocol/resource'
import { listRunnableTasks, readRunnableTask } from '../../toolset/runnable-tasks'
import { created, serve } from './endpoint'
import { namedBody } from './resource-endpoints'

/** What members may run, too, is listed and read; the rest of a task is for admins, on its page and in a terminal. */
export const taskEndpoints = [
  serve('GET', '/tasks', listRunnableTasks, {
    answers: { 200: z.object({ tasks: z.array(TaskChoice) }) },
    answer: ({ output }) => Response.json({ tasks: output }),
  }),
  serve('POST', '/tasks', taskVerbs.create, {
    ...namedBody(tasks.fields, untyped(tasks).Create),
    answers: { 201: z.object({ id: z.string() }) },
    answer: ({ output: { id } }) => created(`/tasks/${id}`, { id }),
  }),
  serve('GET', '/tasks/{task}', readRunnableTask),
]
