import 'server-only'
import { z } from 'zod'
import { type OpenConnection, openConnection } from '@/lib/domains/connections/open-connection'
import { requireConnection } from '@/lib/domains/connections/reads'
import { ConnectionTest } from '@/lib/domains/connections/schemas'
import { catalogueAddress, findInCatalogue } from '@/lib/domains/models/catalogue/find-in-catalogue'
import { listModels } from '@/lib/domains/models/reads'
import { createModels } from '@/lib/domains/models/verbs'
import { verb } from '@/lib/edge/verb'
import { listProviderModels } from '@/lib/engines/providers/discovery/list-provider-models'
import type { Ctx } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { AppError } from '@/lib/kernel/errors'
import { pick } from '@/lib/protocol/parameters/parameters'
import { providerOptions } from '@/lib/runs/work/provider-options'
import { connectionTestTurn } from './connection-test-turn'
import { type ModelOffer, newModelOf, storedFields } from './new-model-of'
import { keepConnectionTest } from './test-connection'

const longestMs = 30_000

const OfConnection = z.object({ connectionId: z.string() })

/**
 * The connection may be off. Throws AppError with the sentence that a connection test would show, and RateLimitedError when
 * this person asks too often.
 */
export const discoverModels = verb({
  name: 'model.discover',
  role: 'admin',
  scope: 'models:read',
  summary: 'Asks the provider of a connection which models it offers.',
  input: OfConnection,
  output: z.array(z.custom<ModelOffer>()),
  transaction: false,
  run: async ({ ctx }, { connectionId }) => {
    const row = await requireConnection(connectionId)
    const connection = await openConnection(db(), row)
    return offersOf(ctx, { id: row.id, name: row.name, connection })
  },
})

type Asked = {
  /** Null = it is not stored. */
  id: string | null
  name: string
  connection: OpenConnection
}

/** Returns the models that a provider offers this person, with what is known and stored of each. Throws as `discoverModels`. */
export async function offersOf(ctx: Ctx, { id, name, connection }: Asked): Promise<ModelOffer[]> {
  connectionTestTurn(ctx.actor.userId, Date.now())
  const { wire } = connection
  const signal = AbortSignal.timeout(longestMs)
  const askedAt = Date.now()
  const listing = listProviderModels(wire, providerOptions(connection, name), signal)
  const offered = await listing.catch(async (error: unknown) => {
    if (id !== null) await keepRefusal(id, error, askedAt)
    throw error
  })
  const stored = id === null ? [] : await listModels(ctx, {})
  const here = new Map(
    stored
      .filter((model) => model.connectionId === id)
      .map((model) => [model.modelId, pick(model, storedFields)]),
  )
  const baseUrl = catalogueAddress(connection)
  return offered.map((model) => ({
    ...model,
    catalogue: findInCatalogue({ wire, baseUrl, modelId: model.modelId }),
    here: here.get(model.modelId) ?? null,
  }))
}

/** Keeps a refusal of the key or of the request as the last test: it says what a test would say. */
async function keepRefusal(connectionId: string, error: unknown, askedAt: number): Promise<void> {
  if (!(error instanceof AppError)) return
  const outcome = error.code.replace('provider-', '')
  if (outcome !== 'unauthorised' && outcome !== 'forbidden') return
  const { message } = error
  const at = new Date().toISOString()
  await keepConnectionTest(connectionId, ConnectionTest.parse({ outcome, message, at }), askedAt)
}

/** The catalogue supplies what the provider leaves out. `missing`: the ids that are not offered any more. */
export const addDiscoveredModels = verb({
  name: 'model.add-discovered',
  role: 'admin',
  scope: 'models:write',
  summary: 'Adds some of the models that a provider offers, as it describes them now.',
  input: OfConnection.extend({
    modelIds: z
      .array(z.string().max(200))
      .min(1, 'Pick at least one model.')
      .max(200, 'Add at most 200 models at a time.'),
  }),
  output: z.object({ ids: z.array(z.string()), missing: z.array(z.string()) }),
  transaction: false,
  run: async ({ ctx }, { connectionId, modelIds }) => {
    const offers = await discoverModels(ctx, { connectionId })
    const wanted = new Set(modelIds)
    const found = offers.filter(({ modelId }) => wanted.has(modelId))
    const missing = [...wanted].filter((id) => !found.some(({ modelId }) => modelId === id))
    if (found.length === 0) return { ids: [], missing }
    const { ids } = await createModels(ctx, { connectionId, models: found.map(newModelOf) })
    return { ids, missing }
  },
})
