import { z } from 'zod'
import { createTask } from '@/lib/domains/tasks/create-task'
import { readTaskDocument } from '@/lib/domains/tasks/read-task-document'
import { route } from '@/lib/kernel/http'
import { listRunnableTasks } from '@/lib/toolset/runnable-tasks'
import { onlyMethods } from '../only-methods'

const list = route({ role: 'member', scope: 'tasks:read' }, async ({ ctx }) =>
  Response.json({ tasks: await listRunnableTasks(ctx) }),
)

const create = route(
  { role: 'admin', scope: 'tasks:write', body: z.unknown() },
  async ({ ctx, body }) => {
    const { id } = await createTask(ctx, await readTaskDocument(ctx, body))
    return Response.json({ id }, { status: 201, headers: { location: `/api/v1/tasks/${id}` } })
  },
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = onlyMethods({
  GET: list,
  POST: create,
})
