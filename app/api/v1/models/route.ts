import { z } from 'zod'
import { findConnection } from '@/lib/domains/connections/find-connection'
import { createModel } from '@/lib/domains/models/create-model'
import { listModels } from '@/lib/domains/models/list-models'
import { readModel } from '@/lib/domains/models/read-model'
import { CreateModel } from '@/lib/domains/models/schemas'
import { route } from '@/lib/kernel/http'
import { onlyMethods } from '../only-methods'
import { GivenPrices } from './model-of'

const { connectionId: _, reported: __, ...facts } = CreateModel.shape
/** `connection` is a name or an id. */
const NewModel = z.strictObject({
  ...facts,
  displayName: facts.displayName.optional(),
  connection: z.string().min(1, 'Name the connection.'),
  prices: GivenPrices.prefault({}),
})

const list = route({ role: 'admin', scope: 'models:read' }, async ({ ctx }) =>
  Response.json({ models: await listModels(ctx) }),
)

const add = route(
  { role: 'admin', scope: 'models:write', body: NewModel },
  async ({ ctx, body: { connection, displayName, ...model } }) => {
    const { id: connectionId } = await findConnection(ctx, connection)
    const name = displayName ?? model.modelId.slice(0, 100)
    const { id } = await createModel(ctx, { ...model, displayName: name, connectionId })
    const headers = { location: `/api/v1/models/${id}` }
    return Response.json(await readModel(ctx, id), { status: 201, headers })
  },
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = onlyMethods({
  GET: list,
  POST: add,
})
