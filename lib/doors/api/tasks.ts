import { z } from 'zod'
import { createTask } from '../../domains/tasks/create-task'
import { readTaskDocument } from '../../domains/tasks/read-task-document'
import { listRunnableTasks, readRunnableTask } from '../../toolset/runnable-tasks'
import { AnyObject, endpoint } from './endpoint'

export const taskEndpoints = [
  endpoint(
    'GET',
    '/tasks',
    {
      role: 'member',
      scope: 'tasks:read',
      summary: 'Lists the tasks that the account may run.',
      answers: { 200: z.object({ tasks: z.array(AnyObject) }) },
    },
    async ({ ctx }) => Response.json({ tasks: await listRunnableTasks(ctx) }),
  ),
  endpoint(
    'POST',
    '/tasks',
    {
      role: 'admin',
      scope: 'tasks:write',
      body: z.unknown(),
      summary: 'Adds a task.',
      answers: { 201: z.object({ id: z.string() }) },
    },
    async ({ ctx, body }) => {
      const { id } = await createTask(ctx, await readTaskDocument(ctx, body))
      return Response.json({ id }, { status: 201, headers: { location: `/api/v1/tasks/${id}` } })
    },
  ),
  endpoint(
    'GET',
    '/tasks/{task}',
    {
      role: 'member',
      scope: 'tasks:read',
      summary: 'Returns a task with its prompt, variables and answer schema.',
      answers: { 200: AnyObject },
    },
    async ({ ctx, params }) => Response.json(await readRunnableTask(ctx, params.task ?? '')),
  ),
]
