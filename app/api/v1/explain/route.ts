import { z } from 'zod'
import { findUser } from '@/lib/domains/users/find-user'
import type { Ctx } from '@/lib/kernel/context'
import { route } from '@/lib/kernel/http'
import { explainTools } from '@/lib/toolset/explain-tools'
import { toVerdictLines } from '@/lib/toolset/to-verdict-lines'
import { onlyMethods } from '../only-methods'

const Question = z.strictObject({
  user: z.string().max(300).optional(),
  configuration: z.string().min(1).max(100).optional(),
  task: z.string().min(1).max(100).optional(),
})

const explain = route(
  { role: 'member', scope: 'tools:read', query: Question },
  async ({ ctx, query }) => {
    const userId = await userIdOf(ctx, query.user)
    const { configuration = null, task = null } = query
    const tools = await explainTools(ctx, { userId, configuration, task, selected: null })
    return Response.json(toVerdictLines(tools))
  },
)

/** An id or an e-mail address; null = one's own. */
async function userIdOf(ctx: Ctx, user: string | undefined): Promise<string | null> {
  if (user === undefined || user === ctx.actor.email) return null
  return z.uuid().safeParse(user).success ? user : (await findUser(ctx, user)).id
}

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = onlyMethods({ GET: explain })
