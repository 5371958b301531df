import { WithReason } from '@/lib/domains/audit/audit-reason'
import { removeConnectionKey } from '@/lib/domains/connections/remove-connection-key'
import { route } from '@/lib/kernel/http'
import { ReplaceConnectionKey, replaceConnectionKey } from '@/lib/probes/replace-connection-key'
import { onlyMethods } from '../../../only-methods'
import { connectionOf } from '../../connection-of'

/** 422 with the test's finding when the provider does not take the key: the one before stays. */
const replace = route(
  { role: 'admin', scope: 'connections:write', body: ReplaceConnectionKey.strict() },
  async ({ ctx, params, body }) => {
    const answer = await replaceConnectionKey(ctx, await connectionOf(ctx, params), body)
    return Response.json(answer, { status: answer.stored ? 200 : 422 })
  },
)

const remove = route(
  { role: 'admin', scope: 'connections:write', query: WithReason },
  async ({ ctx, params, query }) => {
    await removeConnectionKey(ctx, await connectionOf(ctx, params), query)
    return new Response(null, { status: 204 })
  },
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = onlyMethods({
  PUT: replace,
  DELETE: remove,
})
