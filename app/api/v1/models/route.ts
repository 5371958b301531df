import { route } from '@/lib/http'
import { listModels } from '@/lib/models/list-models'
import { onlyMethods } from '../only-methods'

const list = route({ role: 'admin', scope: 'models:read' }, async ({ ctx }) =>
  Response.json({ models: await listModels(ctx) }),
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = onlyMethods({ GET: list })
