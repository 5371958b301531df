import { route } from '@/lib/kernel/http'
import { listTools } from '@/lib/toolset/list-tools'
import { onlyMethods } from '../only-methods'

const list = route({ role: 'admin', scope: 'tools:read' }, async ({ ctx }) =>
  Response.json({ tools: await listTools(ctx) }),
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = onlyMethods({ GET: list })
