import { z } from 'zod'
import { HeaderChanges } from '@/lib/connections/header-changes'
import { setConnectionHeaders } from '@/lib/connections/set-connection-headers'
import { route } from '@/lib/http'
import { onlyMethods } from '../../../only-methods'
import { connectionOf } from '../../connection-of'

const change = route(
  {
    role: 'admin',
    scope: 'connections:write',
    body: z.strictObject({ headers: HeaderChanges }),
  },
  async ({ ctx, params, body }) =>
    Response.json(await setConnectionHeaders(ctx, await connectionOf(ctx, params), body)),
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = onlyMethods({ PATCH: change })
