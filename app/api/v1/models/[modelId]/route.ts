import { z } from 'zod'
import { AuditReason, WithReason } from '@/lib/audit/audit-reason'
import { route } from '@/lib/http'
import { deleteModel } from '@/lib/models/delete-model'
import { readModel } from '@/lib/models/read-model'
import { UpdateModel } from '@/lib/models/schemas'
import { setModelEnabled } from '@/lib/models/set-model-enabled'
import { updateModel } from '@/lib/models/update-model'
import { onlyMethods } from '../../only-methods'
import { modelOf } from '../model-of'

/** `reason` is for `enabled`. */
const Changes = UpdateModel.extend({
  enabled: z.boolean('Give true or false.').optional(),
  reason: AuditReason,
}).strict()

const read = route({ role: 'admin', scope: 'models:read' }, async ({ ctx, params }) =>
  Response.json(await readModel(ctx, await modelOf(ctx, params))),
)

const change = route(
  { role: 'admin', scope: 'models:write', body: Changes },
  async ({ ctx, params, body: { enabled, reason, ...changes } }) => {
    const id = await modelOf(ctx, params)
    await updateModel(ctx, id, changes)
    if (enabled !== undefined) await setModelEnabled(ctx, id, { enabled, reason })
    return Response.json(await readModel(ctx, id))
  },
)

const remove = route(
  { role: 'admin', scope: 'models:write', query: WithReason },
  async ({ ctx, params, query }) => {
    await deleteModel(ctx, await modelOf(ctx, params), query)
    return new Response(null, { status: 204 })
  },
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = onlyMethods({
  GET: read,
  PATCH: change,
  DELETE: remove,
})
