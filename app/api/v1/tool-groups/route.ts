import { route } from '@/lib/kernel/http'
import { listToolGroups } from '@/lib/toolset/list-tool-groups'
import { onlyMethods } from '../only-methods'

const list = route({ role: 'admin', scope: 'tools:read' }, async ({ ctx }) =>
  Response.json({ groups: await listToolGroups(ctx) }),
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = onlyMethods({ GET: list })
