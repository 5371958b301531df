import { WithReason } from '@/lib/domains/audit/audit-reason'
import { deleteConnection } from '@/lib/domains/connections/delete-connection'
import { readConnection } from '@/lib/domains/connections/read-connection'
import { UpdateConnection } from '@/lib/domains/connections/schemas'
import { updateConnection } from '@/lib/domains/connections/update-connection'
import { route } from '@/lib/kernel/http'
import { onlyMethods } from '../../only-methods'
import { connectionOf } from '../connection-of'

const show = route({ role: 'admin', scope: 'connections:read' }, async ({ ctx, params }) =>
  Response.json(await readConnection(ctx, await connectionOf(ctx, params))),
)

const change = route(
  { role: 'admin', scope: 'connections:write', body: UpdateConnection.strict() },
  async ({ ctx, params, body }) => {
    const id = await connectionOf(ctx, params)
    await updateConnection(ctx, id, body)
    return Response.json(await readConnection(ctx, id))
  },
)

const remove = route(
  { role: 'admin', scope: 'connections:write', query: WithReason },
  async ({ ctx, params, query }) => {
    await deleteConnection(ctx, await connectionOf(ctx, params), query)
    return new Response(null, { status: 204 })
  },
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = onlyMethods({
  GET: show,
  PATCH: change,
  DELETE: remove,
})
