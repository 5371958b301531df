import { z } from 'zod'
import { listToolGroups } from '../../toolset/list-tool-groups'
import { switchToolGroup } from '../../toolset/switch-tool-group'
import { AnyObject, endpoint } from './endpoint'

const Switch = z.strictObject({
  enabled: z.boolean('Give true or false.'),
  reason: z.string().trim().max(500, 'A reason has at most 500 characters.').default(''),
})

export const toolGroupEndpoints = [
  endpoint(
    'GET',
    '/tool-groups',
    {
      role: 'admin',
      scope: 'tools:read',
      summary: 'Lists the groups of tools with their switches.',
      answers: { 200: z.object({ groups: z.array(AnyObject) }) },
    },
    async ({ ctx }) => Response.json({ groups: await listToolGroups(ctx) }),
  ),
  endpoint(
    'PUT',
    '/tool-groups/{name}',
    {
      role: 'admin',
      scope: 'tools:write',
      body: Switch,
      summary: 'Switches a group of tools.',
      answers: { 200: AnyObject },
    },
    async ({ ctx, params, body }) =>
      Response.json(await switchToolGroup(ctx, { name: params.name ?? '', ...body })),
  ),
]
