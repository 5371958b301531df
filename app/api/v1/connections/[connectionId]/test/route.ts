import { route } from '@/lib/kernel/http'
import { testConnection } from '@/lib/probes/test-connection'
import { onlyMethods } from '../../../only-methods'
import { connectionOf } from '../../connection-of'

const test = route({ role: 'admin', scope: 'connections:write' }, async ({ ctx, params }) =>
  Response.json(await testConnection(ctx, await connectionOf(ctx, params))),
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = onlyMethods({ POST: test })
