import { z } from 'zod'
import { route } from '@/lib/kernel/http'
import { switchToolGroup } from '@/lib/toolset/switch-tool-group'
import { onlyMethods } from '../../only-methods'

const Switch = z.strictObject({
  enabled: z.boolean('Give true or false.'),
  reason: z.string().trim().max(500, 'A reason has at most 500 characters.').default(''),
})

const turn = route(
  { role: 'admin', scope: 'tools:write', body: Switch },
  async ({ ctx, params, body }) =>
    Response.json(await switchToolGroup(ctx, { name: params.name ?? '', ...body })),
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = onlyMethods({ PUT: turn })
