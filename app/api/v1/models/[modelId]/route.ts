import { WithReason } from '@/lib/domains/audit/audit-reason'
import { deleteModel } from '@/lib/domains/models/delete-model'
import { readModel } from '@/lib/domains/models/read-model'
import { ChangeModel } from '@/lib/domains/models/schemas'
import { changeModel } from '@/lib/domains/models/update-model'
import { route } from '@/lib/kernel/http'
import { onlyMethods } from '../../only-methods'
import { modelOf } from '../model-of'

const read = route({ role: 'admin', scope: 'models:read' }, async ({ ctx, params }) =>
  Response.json(await readModel(ctx, await modelOf(ctx, params))),
)

const change = route(
  { role: 'admin', scope: 'models:write', body: ChangeModel },
  async ({ ctx, params, body }) => {
    const id = await modelOf(ctx, params)
    await changeModel(ctx, id, body)
    return Response.json(await readModel(ctx, id))
  },
)

const remove = route(
  { role: 'admin', scope: 'models:write', query: WithReason },
  async ({ ctx, params, query }) => {
    await deleteModel(ctx, await modelOf(ctx, params), query)
    return new Response(null, { status: 204 })
  },
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = onlyMethods({
  GET: read,
  PATCH: change,
  DELETE: remove,
})
