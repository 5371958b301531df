import { z } from 'zod'
import { route } from '@/lib/http'
import { catalogueSays } from '@/lib/models/catalogue/catalogue-says'
import { readModel } from '@/lib/models/read-model'
import { takeFromCatalogue } from '@/lib/models/take-from-catalogue'
import { onlyMethods } from '../../../only-methods'
import { modelOf } from '../../model-of'

const show = route({ role: 'admin', scope: 'models:read' }, async ({ ctx, params }) => {
  const model = await readModel(ctx, await modelOf(ctx, params))
  return Response.json({ catalogue: catalogueSays(model) })
})

const take = route(
  {
    role: 'admin',
    scope: 'models:write',
    body: z.strictObject({ part: z.enum(['facts', 'prices']) }),
  },
  async ({ ctx, params, body: { part } }) => {
    const id = await modelOf(ctx, params)
    const changed = await takeFromCatalogue(ctx, id, part)
    return Response.json({ changed, model: await readModel(ctx, id) })
  },
)

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = onlyMethods({
  GET: show,
  POST: take,
})
