import type { Connection } from '../../generated/prisma/client'
import type { Ctx } from '../../kernel/context'
import { db } from '../../kernel/db'
import { lacksKey, lessTrustedLink } from '../../protocol/model-target'
import { addressOf } from '../rows/address-hash'
import { trustZoneOf, wireOf } from '../rows/column-names'
import { pricesOf, validPrice } from '../rows/model-prices'
import { storedFault } from './require-chain'
import type { ConfigurationListing } from './schemas'
import { visibleConfigurations } from './visible-configurations'

/** What this person may run with, by name; see `visibleConfigurations`. */
export async function listConfigurations(ctx: Ctx): Promise<ConfigurationListing[]> {
  const rows = await db().configuration.findMany({
    where: visibleConfigurations(ctx),
    include: {
      model: { include: { connection: true, prices: validPrice(new Date()) } },
      // As runs: a fallback that is switched off is passed over.
      fallbacks: {
        where: { model: { enabled: true, connection: { enabled: true } } },
        orderBy: { position: 'asc' },
        include: { model: { include: { connection: true } } },
      },
    },
    orderBy: { name: 'asc' },
  })
  return rows.map(({ model, fallbacks, ...row }) => ({
    id: row.id,
    identifier: row.identifier,
    name: row.name,
    description: row.description,
    maxRounds: row.maxRounds,
    connectionName: model.connection.name,
    wire: wireOf(model.connection.wire),
    lacksKey: isWithoutKey(model.connection),
    leastTrusted: fallbacks
      .map((each) => toLink(each.model))
      .reduce(lessTrustedLink, toLink(model)),
    modelId: model.modelId,
    modelName: model.displayName,
    fallbacks: fallbacks.map((fallback) => ({
      modelName: fallback.model.displayName,
      connectionName: fallback.model.connection.name,
    })),
    contextTokens: model.contextTokens,
    toolCalling: model.toolCalling,
    prices: pricesOf(model),
    fault: storedFault(row.parameters, [model, ...fallbacks.map((each) => each.model)]),
  }))
}

function isWithoutKey(connection: Connection): boolean {
  const { trustZone, secretId, headersSecretId } = connection
  const { wire, settings } = addressOf(connection)
  const isRole = settings.authentication === 'environment'
  const hasSecret = secretId !== null || headersSecretId !== null || isRole
  return lacksKey({ wire, trustZone: trustZoneOf(trustZone), hasSecret })
}

function toLink({ connection }: { connection: Pick<Connection, 'name' | 'trustZone'> }) {
  return { connectionName: connection.name, zone: trustZoneOf(connection.trustZone) }
}
