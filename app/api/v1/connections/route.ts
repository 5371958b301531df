import { z } from 'zod'
import { createConnection } from '@/lib/domains/connections/create-connection'
import { listConnections } from '@/lib/domains/connections/list-connections'
import { readConnection } from '@/lib/domains/connections/read-connection'
import { ConnectionSort, CreateConnection } from '@/lib/domains/connections/schemas'
import { route } from '@/lib/kernel/http'
import { onlyMethods } from '../only-methods'

const list = route(
  { role: 'admin', scope: 'connections:read', query: z.object({ sort: ConnectionSort }) },
  async ({ ctx, query }) => Response.json({ connections: await listConnections(ctx, query.sort) }),
)

const create = route(
  { role: 'admin', scope: 'connections:write', body: CreateConnection.strict() },
  async ({ ctx, body }) => {
    const { id } = await createConnection(ctx, body)
    const headers = { location: `/api/v1/connections/${id}` }
    return Response.json(await readConnection(ctx, id), { status: 201, headers })
  },
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = onlyMethods({
  GET: list,
  POST: create,
})
