import 'server-only'
import { openConnection } from '@/lib/domains/connections/open-connection'
import { requireConnection } from '@/lib/domains/connections/require-connection'
import { catalogueAddress, findInCatalogue } from '@/lib/domains/models/catalogue/find-in-catalogue'
import { createModels } from '@/lib/domains/models/create-models'
import { listProviderModels } from '@/lib/engines/providers/list-provider-models'
import { type Ctx, requireRole } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { providerOptions } from '../runs/provider-options'
import { connectionTestTurn } from './connection-test-turn'
import type { ModelOffer } from './model-offer'
import { newModelOf } from './new-model-of'

const longestMs = 30_000

/**
 * Returns the models that a stored provider offers, whether its connection is enabled or not. Throws AppError with the
 * sentence that a connection test would show, and RateLimitedError when this person asks too often. Admins only.
 */
export async function discoverModels(ctx: Ctx, connectionId: string): Promise<ModelOffer[]> {
  requireRole(ctx, 'admin')
  connectionTestTurn(ctx.actor.userId, Date.now())
  const row = await requireConnection(connectionId)
  const connection = await openConnection(db(), row)
  const signal = AbortSignal.timeout(longestMs)
  const options = providerOptions(connection, row.name)
  const offered = await listProviderModels(connection.wire, options, signal)
  const stored = await db().model.findMany({
    where: { connectionId: row.id },
    select: { id: true, modelId: true, displayName: true },
  })
  const here = new Map(stored.map(({ modelId, ...model }) => [modelId, model]))
  const { wire } = connection
  const baseUrl = catalogueAddress(connection)
  return offered.map((model) => ({
    ...model,
    catalogue: findInCatalogue({ wire, baseUrl, modelId: model.modelId }),
    here: here.get(model.modelId) ?? null,
  }))
}

/**
 * Adds some of the models that a provider offers, as it describes them now; the catalogue supplies what the provider
 * leaves out. Ids that are no longer offered are skipped. Admins only.
 */
export async function addDiscoveredModels(
  ctx: Ctx,
  connectionId: string,
  modelIds: readonly string[],
): Promise<{ ids: string[]; missing: string[] }> {
  const offers = await discoverModels(ctx, connectionId)
  const wanted = new Set(modelIds)
  const found = offers.filter(({ modelId }) => wanted.has(modelId))
  const missing = [...wanted].filter((id) => !found.some(({ modelId }) => modelId === id))
  if (found.length === 0) return { ids: [], missing }
  const { ids } = await createModels(ctx, connectionId, found.map(newModelOf))
  return { ids, missing }
}
