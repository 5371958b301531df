import { trustZoneOf, wireOf } from '../column-names'
import type { Ctx } from '../context'
import { db } from '../db'
import { pricesOf, validPrice } from '../model-prices'
import type { ConfigurationListing } from './schemas'
import { visibleConfigurations } from './visible-configurations'

/** What this person may run with, by name; see `visibleConfigurations`. */
export async function listConfigurations(ctx: Ctx): Promise<ConfigurationListing[]> {
  const rows = await db().configuration.findMany({
    where: visibleConfigurations(ctx),
    include: { model: { include: { connection: true, prices: validPrice(new Date()) } } },
    orderBy: { name: 'asc' },
  })
  return rows.map(({ model, ...row }) => ({
    id: row.id,
    identifier: row.identifier,
    name: row.name,
    description: row.description,
    maxRounds: row.maxRounds,
    connectionName: model.connection.name,
    wire: wireOf(model.connection.wire),
    trustZone: trustZoneOf(model.connection.trustZone),
    modelId: model.modelId,
    modelName: model.displayName,
    contextTokens: model.contextTokens,
    toolCalling: model.toolCalling,
    prices: pricesOf(model),
  }))
}
