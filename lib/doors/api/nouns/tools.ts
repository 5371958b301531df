import { z } from 'zod'
import { findUser } from '@/lib/domains/users/reads'
import { endpoint, serve } from '@/lib/doors/api/endpoint'
import type { Ctx } from '@/lib/kernel/context'
import { PolicyTrial } from '@/lib/runs/replay/trial-shape'
import { runTrial, TrialInput } from '@/lib/runs/replay/try-policy'
import { tryTool } from '@/lib/runs/start/try-tool'
import { explainTools, toVerdictLines, VerdictLine } from '@/lib/toolset/policy/explain-tools'
import { ToolGroupListing, ToolListing } from '@/lib/toolset/tools/tool-listing'
import {
  limitTool,
  listToolGroups,
  listTools,
  resetTool,
  setApproval,
  showTool,
  switchTool,
  switchToolGroup,
} from '@/lib/toolset/tools/tool-verbs'

export const toolEndpoints = [
  serve('GET', '/tools', listTools, {
    answers: { 200: z.object({ tools: z.array(ToolListing) }) },
    answer: ({ output }) => Response.json({ tools: output }),
  }),
  serve('GET', '/tools/{name}', showTool),
  serve('PUT', '/tools/{name}', switchTool),
  serve('DELETE', '/tools/{name}', resetTool),
  serve('PUT', '/tools/{name}/approval', setApproval),
  serve('PUT', '/tools/{name}/limit', limitTool),
  serve('POST', '/tools/{name}/call', tryTool, { bodyIsOptional: true }),
  serve('GET', '/tool-groups', listToolGroups, {
    answers: { 200: z.object({ groups: z.array(ToolGroupListing) }) },
    answer: ({ output }) => Response.json({ groups: output }),
  }),
  serve('PUT', '/tool-groups/{name}', switchToolGroup),
]

const Question = z.object({
  user: z.string().max(300).optional(),
  key: z
    .uuid()
    .optional()
    .meta({ description: 'The API key that starts the run, whose owner it runs as.' }),
  configuration: z.string().min(1).max(100).optional(),
  task: z.string().min(1).max(100).optional(),
})

/** Returns the user of an id or an e-mail address; null = oneself. */
async function userIdOf(ctx: Ctx, user: string | undefined): Promise<string | null> {
  if (user === undefined || user === ctx.actor.email) return null
  return z.uuid().safeParse(user).success ? user : (await findUser(ctx, user)).id
}

export const explainEndpoints = [
  endpoint(
    'POST',
    '/policy/try',
    {
      role: 'admin',
      scope: 'runs:read',
      moreScopes: ['tools:read', 'approval-rules:read', 'configurations:read'],
      summary:
        'Replays the runs of some days with the policy of today and with a draft of it, and returns which the draft would change. Nothing is called or stored.',
      body: TrialInput,
      answers: { 200: PolicyTrial },
    },
    async ({ ctx, body, request }) =>
      Response.json(await runTrial(ctx, body, { signal: request.signal })),
  ),
  endpoint(
    'GET',
    '/explain',
    {
      role: 'member',
      scope: 'tools:read',
      query: Question,
      summary:
        'Explains for each tool whether a person, or a run of an API key, may call it with a configuration or a task, gate by gate.',
      answers: { 200: z.array(VerdictLine) },
    },
    async ({ ctx, query }) => {
      const userId = await userIdOf(ctx, query.user)
      const { key: apiKeyId = null, configuration = null, task = null } = query
      const place = { configuration, task, selected: null }
      const tools = await explainTools(ctx, { userId, apiKeyId, ...place })
      return Response.json(toVerdictLines(tools))
    },
  ),
]
