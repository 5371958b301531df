import { z } from 'zod'
import { route } from '@/lib/http'
import { readModel } from '@/lib/models/read-model'
import { PricesInput, SetModelPrice } from '@/lib/models/schemas'
import { setModelPrice } from '@/lib/models/set-model-price'
import { onlyMethods } from '../../../only-methods'

/** Strict: a misspelt price must not become an unknown one. Prices that are left out are unknown. */
const NewPrice = z.strictObject({
  ...SetModelPrice.shape,
  prices: z.strictObject({
    input: PricesInput.shape.input.default(null),
    output: PricesInput.shape.output.default(null),
    cachedInput: PricesInput.shape.cachedInput.default(null),
    cacheWrite: PricesInput.shape.cacheWrite.default(null),
    reasoning: PricesInput.shape.reasoning.default(null),
  }),
})

const list = route({ role: 'admin', scope: 'models:read' }, async ({ ctx, params }) => {
  const { history } = await readModel(ctx, params.modelId ?? '')
  return Response.json({ prices: history })
})

const set = route(
  { role: 'admin', scope: 'models:write', body: NewPrice },
  async ({ ctx, params, body }) =>
    Response.json(await setModelPrice(ctx, params.modelId ?? '', body), { status: 201 }),
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = onlyMethods({
  GET: list,
  POST: set,
})
