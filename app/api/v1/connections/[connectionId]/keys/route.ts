import { listKeys } from '@/lib/domains/connections/list-keys'
import { route } from '@/lib/kernel/http'
import { AddTestedKey, addTestedKey } from '@/lib/probes/store-further-key'
import { onlyMethods } from '../../../only-methods'
import { connectionOf } from '../../connection-of'

const list = route({ role: 'admin', scope: 'connections:read' }, async ({ ctx, params }) =>
  Response.json({ keys: await listKeys(ctx, await connectionOf(ctx, params)) }),
)

/** 422 with the test's finding when the provider does not take the key: nothing is stored. */
const add = route(
  { role: 'admin', scope: 'connections:write', body: AddTestedKey.strict() },
  async ({ ctx, params, body }) => {
    const answer = await addTestedKey(ctx, await connectionOf(ctx, params), body)
    return Response.json(answer, { status: answer.stored ? 201 : 422 })
  },
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = onlyMethods({
  GET: list,
  POST: add,
})
