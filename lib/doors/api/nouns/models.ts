import { z } from 'zod'
import { findConnection } from '@/lib/domains/connections/reads'
import { CatalogueWord, catalogueSays } from '@/lib/domains/models/catalogue/catalogue-says'
import { setModelPrice, takeFromCatalogue } from '@/lib/domains/models/price-verbs'
import { listModels, readModel } from '@/lib/domains/models/reads'
import {
  CreateModel,
  ModelDetails,
  ModelListing,
  PriceListing,
  PricesInput,
  SetModelPrice,
} from '@/lib/domains/models/schemas'
import { createModel, deleteModel, updateModel } from '@/lib/domains/models/verbs'
import { created, endpoint, factsOf, serve } from '@/lib/doors/api/endpoint'

/** Strict, because a misspelt price must not become an unknown one. Prices that are left out are unknown. */
const GivenPrices = z.strictObject({
  input: PricesInput.shape.input.default(null),
  output: PricesInput.shape.output.default(null),
  cachedInput: PricesInput.shape.cachedInput.default(null),
  cacheWrite: PricesInput.shape.cacheWrite.default(null),
  reasoning: PricesInput.shape.reasoning.default(null),
  longPrompt: PricesInput.shape.longPrompt,
})

const { connectionId: _, reported: __, ...facts } = CreateModel.shape
/** `connection` is a name or an id. */
const NewModel = z.strictObject({
  ...facts,
  displayName: facts.displayName.optional(),
  connection: z.string().min(1, 'Name the connection.'),
  prices: GivenPrices.prefault({}),
})

const NewPrice = z.strictObject({ ...SetModelPrice.shape, prices: GivenPrices })

/** A model is named by its id, or by the provider's id when one connection has it. */
export const modelEndpoints = [
  serve('GET', '/models', listModels, {
    answers: { 200: z.object({ models: z.array(ModelListing) }) },
    answer: ({ output }) => Response.json({ models: output }),
  }),
  endpoint(
    'POST',
    '/models',
    { ...factsOf(createModel), body: NewModel, answers: { 201: ModelDetails } },
    async ({ ctx, body: { connection, displayName, ...model } }) => {
      const { id: connectionId } = await findConnection(ctx, connection)
      const name = displayName ?? model.modelId.slice(0, 100)
      const { id } = await createModel(ctx, { ...model, displayName: name, connectionId })
      return created(`/models/${id}`, await readModel(ctx, { id }))
    },
  ),
  serve('GET', '/models/{id}', readModel),
  serve('PATCH', '/models/{id}', updateModel, {
    answers: { 200: ModelDetails },
    answer: async ({ ctx, params: { id = '' } }) => Response.json(await readModel(ctx, { id })),
  }),
  serve('DELETE', '/models/{id}', deleteModel),
  endpoint(
    'GET',
    '/models/{id}/catalogue',
    {
      role: 'admin',
      scope: 'models:read',
      summary: 'Returns what the catalogue says of a model.',
      answers: { 200: z.object({ catalogue: CatalogueWord.nullable() }) },
    },
    async ({ ctx, params: { id = '' } }) =>
      Response.json({ catalogue: catalogueSays(await readModel(ctx, { id })) }),
  ),
  serve('POST', '/models/{id}/catalogue', takeFromCatalogue, {
    answers: { 200: z.object({ changed: z.boolean(), model: ModelDetails }) },
    answer: async ({ ctx, params: { id = '' }, output }) =>
      Response.json({ changed: output, model: await readModel(ctx, { id }) }),
  }),
  endpoint(
    'GET',
    '/models/{id}/prices',
    {
      role: 'admin',
      scope: 'models:read',
      summary: 'Lists the prices of a model, newest first.',
      answers: { 200: z.object({ prices: z.array(PriceListing) }) },
    },
    async ({ ctx, params: { id = '' } }) =>
      Response.json({ prices: (await readModel(ctx, { id })).history }),
  ),
  endpoint(
    'POST',
    '/models/{id}/prices',
    {
      ...factsOf(setModelPrice),
      body: NewPrice,
      answers: { 201: z.object({ id: z.string(), validFrom: z.string() }) },
    },
    async ({ ctx, params: { id = '' }, body }) =>
      Response.json(await setModelPrice(ctx, { id, ...body }), { status: 201 }),
  ),
]
