import { z } from 'zod'
import { listTools } from '../../toolset/list-tools'
import { resetTool, switchTool } from '../../toolset/switch-tool'
import { AnyObject, endpoint } from './endpoint'

const Switch = z.strictObject({
  enabled: z.boolean('Give true or false.'),
  reason: z.string().trim().max(500, 'A reason has at most 500 characters.').default(''),
})

export const toolEndpoints = [
  endpoint(
    'GET',
    '/tools',
    {
      role: 'admin',
      scope: 'tools:read',
      summary: 'Lists the tools of this installation with their switches.',
      answers: { 200: z.object({ tools: z.array(AnyObject) }) },
    },
    async ({ ctx }) => Response.json({ tools: await listTools(ctx) }),
  ),
  endpoint(
    'PUT',
    '/tools/{name}',
    {
      role: 'admin',
      scope: 'tools:write',
      body: Switch,
      summary: 'Switches a tool.',
      answers: { 200: AnyObject },
    },
    async ({ ctx, params, body }) =>
      Response.json(await switchTool(ctx, { name: params.name ?? '', ...body })),
  ),
  endpoint(
    'DELETE',
    '/tools/{name}',
    {
      role: 'admin',
      scope: 'tools:write',
      summary: 'Sets a tool back on its own default.',
      answers: { 200: AnyObject },
    },
    async ({ ctx, params }) => Response.json(await resetTool(ctx, params.name ?? '')),
  ),
]
