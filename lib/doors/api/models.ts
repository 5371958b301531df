import { z } from 'zod'
import { WithReason } from '../../domains/audit/audit-reason'
import { findConnection } from '../../domains/connections/find-connection'
import { catalogueSays } from '../../domains/models/catalogue/catalogue-says'
import { createModel } from '../../domains/models/create-model'
import { deleteModel } from '../../domains/models/delete-model'
import { findModel } from '../../domains/models/find-model'
import { listModels } from '../../domains/models/list-models'
import { readModel } from '../../domains/models/read-model'
import { ChangeModel, CreateModel, PricesInput, SetModelPrice } from '../../domains/models/schemas'
import { setModelPrice } from '../../domains/models/set-model-price'
import { takeFromCatalogue } from '../../domains/models/take-from-catalogue'
import { changeModel } from '../../domains/models/update-model'
import type { Ctx } from '../../kernel/context'
import { AnyObject, endpoint } from './endpoint'

/** Returns the id of the model that an address names by its id, or by the provider's id when one connection has it. */
async function modelOf(ctx: Ctx, { modelId = '' }: Record<string, string>): Promise<string> {
  return (await findModel(ctx, modelId)).id
}

/** Strict: a misspelt price must not become an unknown one. Prices that are left out are unknown. */
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

export const modelEndpoints = [
  endpoint(
    'GET',
    '/models',
    {
      role: 'admin',
      scope: 'models:read',
      summary: 'Lists models with the prices that are valid now.',
      answers: { 200: z.object({ models: z.array(AnyObject) }) },
    },
    async ({ ctx }) => Response.json({ models: await listModels(ctx) }),
  ),
  endpoint(
    'POST',
    '/models',
    {
      role: 'admin',
      scope: 'models:write',
      body: NewModel,
      summary: 'Adds a model of a connection.',
      answers: { 201: AnyObject },
    },
    async ({ ctx, body: { connection, displayName, ...model } }) => {
      const { id: connectionId } = await findConnection(ctx, connection)
      const name = displayName ?? model.modelId.slice(0, 100)
      const { id } = await createModel(ctx, { ...model, displayName: name, connectionId })
      const headers = { location: `/api/v1/models/${id}` }
      return Response.json(await readModel(ctx, id), { status: 201, headers })
    },
  ),
  endpoint(
    'GET',
    '/models/{modelId}',
    {
      role: 'admin',
      scope: 'models:read',
      summary: 'Returns a model with the history of its prices and what uses it.',
      answers: { 200: AnyObject },
    },
    async ({ ctx, params }) => Response.json(await readModel(ctx, await modelOf(ctx, params))),
  ),
  endpoint(
    'PATCH',
    '/models/{modelId}',
    {
      role: 'admin',
      scope: 'models:write',
      body: ChangeModel,
      summary: 'Changes a model or switches it; fields that are left out stay.',
      answers: { 200: AnyObject },
    },
    async ({ ctx, params, body }) => {
      const id = await modelOf(ctx, params)
      await changeModel(ctx, id, body)
      return Response.json(await readModel(ctx, id))
    },
  ),
  endpoint(
    'DELETE',
    '/models/{modelId}',
    {
      role: 'admin',
      scope: 'models:write',
      query: WithReason,
      summary: 'Deletes a model that no configuration uses.',
      answers: { 204: null },
    },
    async ({ ctx, params, query }) => {
      await deleteModel(ctx, await modelOf(ctx, params), query)
      return new Response(null, { status: 204 })
    },
  ),
  endpoint(
    'GET',
    '/models/{modelId}/catalogue',
    {
      role: 'admin',
      scope: 'models:read',
      summary: 'Returns what the catalogue says of a model.',
      answers: { 200: z.object({ catalogue: AnyObject.nullable() }) },
    },
    async ({ ctx, params }) => {
      const model = await readModel(ctx, await modelOf(ctx, params))
      return Response.json({ catalogue: catalogueSays(model) })
    },
  ),
  endpoint(
    'POST',
    '/models/{modelId}/catalogue',
    {
      role: 'admin',
      scope: 'models:write',
      body: z.strictObject({ part: z.enum(['facts', 'prices']) }),
      summary: 'Takes the facts or the prices of the catalogue over.',
      answers: { 200: z.object({ changed: z.boolean(), model: AnyObject }) },
    },
    async ({ ctx, params, body: { part } }) => {
      const id = await modelOf(ctx, params)
      const changed = await takeFromCatalogue(ctx, id, part)
      return Response.json({ changed, model: await readModel(ctx, id) })
    },
  ),
  endpoint(
    'GET',
    '/models/{modelId}/prices',
    {
      role: 'admin',
      scope: 'models:read',
      summary: 'Lists the prices of a model, newest first.',
      answers: { 200: z.object({ prices: z.array(AnyObject) }) },
    },
    async ({ ctx, params }) => {
      const { history } = await readModel(ctx, await modelOf(ctx, params))
      return Response.json({ prices: history })
    },
  ),
  endpoint(
    'POST',
    '/models/{modelId}/prices',
    {
      role: 'admin',
      scope: 'models:write',
      body: NewPrice,
      summary: 'Sets the prices of a model from now on or from a time.',
      answers: { 201: z.object({ id: z.string(), validFrom: z.string() }) },
    },
    async ({ ctx, params, body }) =>
      Response.json(await setModelPrice(ctx, await modelOf(ctx, params), body), { status: 201 }),
  ),
]
