import { z } from 'zod'
import { readModel } from '@/lib/domains/models/read-model'
import { SetModelPrice } from '@/lib/domains/models/schemas'
import { setModelPrice } from '@/lib/domains/models/set-model-price'
import { route } from '@/lib/kernel/http'
import { onlyMethods } from '../../../only-methods'
import { GivenPrices, modelOf } from '../../model-of'

const NewPrice = z.strictObject({ ...SetModelPrice.shape, prices: GivenPrices })

const list = route({ role: 'admin', scope: 'models:read' }, async ({ ctx, params }) => {
  const { history } = await readModel(ctx, await modelOf(ctx, params))
  return Response.json({ prices: history })
})

const set = route(
  { role: 'admin', scope: 'models:write', body: NewPrice },
  async ({ ctx, params, body }) =>
    Response.json(await setModelPrice(ctx, await modelOf(ctx, params), body), { status: 201 }),
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = onlyMethods({
  GET: list,
  POST: set,
})
