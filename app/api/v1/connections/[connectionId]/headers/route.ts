import {
  SetConnectionHeaders,
  setConnectionHeaders,
} from '@/lib/domains/connections/set-connection-headers'
import { route } from '@/lib/kernel/http'
import { onlyMethods } from '../../../only-methods'
import { connectionOf } from '../../connection-of'

const change = route(
  {
    role: 'admin',
    scope: 'connections:write',
    body: SetConnectionHeaders.strict(),
  },
  async ({ ctx, params, body }) =>
    Response.json(await setConnectionHeaders(ctx, await connectionOf(ctx, params), body)),
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = onlyMethods({ PATCH: change })
