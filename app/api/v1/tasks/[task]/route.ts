import { route } from '@/lib/kernel/http'
import { readRunnableTask } from '@/lib/toolset/runnable-tasks'
import { onlyMethods } from '../../only-methods'

const read = route({ role: 'member', scope: 'tasks:read' }, async ({ ctx, params }) =>
  Response.json(await readRunnableTask(ctx, params.task ?? '')),
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = onlyMethods({ GET: read })
