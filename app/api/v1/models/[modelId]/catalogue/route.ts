import { z } from 'zod'
import { catalogueSays } from '@/lib/domains/models/catalogue/catalogue-says'
import { readModel } from '@/lib/domains/models/read-model'
import { takeFromCatalogue } from '@/lib/domains/models/take-from-catalogue'
import { route } from '@/lib/kernel/http'
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
