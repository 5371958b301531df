import { WithReason } from '@/lib/domains/audit/audit-reason'
import { changeKey, removeKey } from '@/lib/domains/connections/change-keys'
import { ChangeKey } from '@/lib/domains/connections/key-schemas'
import type { Ctx } from '@/lib/kernel/context'
import { route } from '@/lib/kernel/http'
import { RenewTestedKey, renewTestedKey } from '@/lib/probes/store-further-key'
import { onlyMethods } from '../../../../only-methods'
import { connectionOf } from '../../../connection-of'

/** A key is named by its id or its label. */
async function keyOf(ctx: Ctx, params: Record<string, string>) {
  return { connectionId: await connectionOf(ctx, params), key: params.key ?? '' }
}

const change = route(
  { role: 'admin', scope: 'connections:write', body: ChangeKey.strict() },
  async ({ ctx, params, body }) =>
    Response.json({ changed: await changeKey(ctx, await keyOf(ctx, params), body) }),
)

const renew = route(
  { role: 'admin', scope: 'connections:write', body: RenewTestedKey.strict() },
  async ({ ctx, params, body }) => {
    const answer = await renewTestedKey(ctx, await keyOf(ctx, params), body)
    return Response.json(answer, { status: answer.stored ? 200 : 422 })
  },
)

const remove = route(
  { role: 'admin', scope: 'connections:write', query: WithReason },
  async ({ ctx, params, query }) => {
    await removeKey(ctx, await keyOf(ctx, params), query)
    return new Response(null, { status: 204 })
  },
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = onlyMethods({
  PATCH: change,
  PUT: renew,
  DELETE: remove,
})
