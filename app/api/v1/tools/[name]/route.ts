import { z } from 'zod'
import { route } from '@/lib/kernel/http'
import { resetTool, switchTool } from '@/lib/toolset/switch-tool'
import { onlyMethods } from '../../only-methods'

const Switch = z.strictObject({
  enabled: z.boolean('Give true or false.'),
  reason: z.string().trim().max(500, 'A reason has at most 500 characters.').default(''),
})

const turn = route(
  { role: 'admin', scope: 'tools:write', body: Switch },
  async ({ ctx, params, body }) =>
    Response.json(await switchTool(ctx, { name: params.name ?? '', ...body })),
)

const reset = route({ role: 'admin', scope: 'tools:write' }, async ({ ctx, params }) =>
  Response.json(await resetTool(ctx, params.name ?? '')),
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = onlyMethods({
  PUT: turn,
  DELETE: reset,
})
