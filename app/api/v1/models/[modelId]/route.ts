import { route } from '@/lib/http'
import { readModel } from '@/lib/models/read-model'
import { onlyMethods } from '../../only-methods'

const read = route({ role: 'admin', scope: 'models:read' }, async ({ ctx, params }) =>
  Response.json(await readModel(ctx, params.modelId ?? '')),
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = onlyMethods({ GET: read })
