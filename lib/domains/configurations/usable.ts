import { addressOf } from '@/lib/domains/rows/address-hash'
import { providerOf } from '@/lib/domains/rows/column-names'
import { groupsOfPerson } from '@/lib/domains/rows/group-access'
import { pricesOf, validPrice } from '@/lib/domains/rows/model-prices'
import type { Connection, Prisma } from '@/lib/generated/prisma/client'
import type { Ctx } from '@/lib/kernel/context'
import { db, type Tx } from '@/lib/kernel/db'
import { NotFoundError } from '@/lib/kernel/errors'
import { lacksKey, leastTrusted } from '@/lib/protocol/model/model-target'
import type { Actor, DenialPart } from '@/lib/protocol/tool'
import { namedBy } from '@/lib/shape/identifier'
import { findConfiguration, storedFault, unknownConfiguration, withinKey } from './reads'
import type { ConfigurationListing } from './schemas'

/** Returns the condition on configurations that the caller may use now: their own, and of them those of their API key. */
export function visibleConfigurations(ctx: Ctx): Prisma.ConfigurationWhereInput {
  return { AND: [usableBy(ctx.actor), withinKey(ctx)] }
}

/** Returns the condition on configurations that a person may use now: members those of their groups (SPEC A1). */
export function usableBy({ userId, role }: Actor): Prisma.ConfigurationWhereInput {
  const usable: Prisma.ConfigurationWhereInput = {
    enabled: true,
    model: { enabled: true, connection: { enabled: true } },
  }
  if (role === 'admin') return usable
  return { ...usable, groups: groupsOfPerson(userId) }
}

/** Returns a configuration that the caller may use, by id or identifier. Throws NotFoundError that names the nearest one. */
export async function findUsableConfiguration(
  tx: Tx,
  ctx: Ctx,
  named: string,
): Promise<{ id: string; name: string }> {
  const where = namedBy(named)
  const visible = visibleConfigurations(ctx)
  const select = { id: true, name: true }
  const row =
    where && (await tx.configuration.findFirst({ where: { AND: [where, visible] }, select }))
  if (!row) throw await unknownConfiguration(tx, named, visible)
  return row
}

/** Returns the configurations that this person may run, by name. */
export async function listConfigurations(ctx: Ctx): Promise<ConfigurationListing[]> {
  const rows = await db().configuration.findMany({
    where: visibleConfigurations(ctx),
    include: {
      model: { include: { connection: true, prices: validPrice(new Date()) } },
      // Like runs, this skips a fallback that is switched off.
      fallbacks: {
        where: { model: { enabled: true, connection: { enabled: true } } },
        orderBy: { position: 'asc' },
        include: { model: { include: { connection: true } } },
      },
    },
    orderBy: { name: 'asc' },
  })
  return rows.map(({ model, fallbacks: rowsOfFallbacks, ...row }) => {
    const provider = providerOf(model.connection)
    const fallbacks = rowsOfFallbacks.map((each) => each.model)
    const others = fallbacks.map(({ connection }) => providerOf(connection))
    return {
      id: row.id,
      identifier: row.identifier,
      name: row.name,
      description: row.description,
      maxRounds: row.maxRounds,
      connectionName: provider.connectionName,
      wire: provider.wire,
      lacksKey: lacksKey({ ...provider, hasSecret: hasSecret(model.connection) }),
      leastTrusted: leastTrusted([provider, ...others]),
      modelId: model.modelId,
      modelName: model.displayName,
      fallbacks: fallbacks.map(({ displayName, connection }) => ({
        modelName: displayName,
        connectionName: connection.name,
      })),
      contextTokens: model.contextTokens,
      toolCalling: model.toolCalling,
      prices: pricesOf(model),
      fault: storedFault(row.parameters, [model, ...fallbacks]),
    }
  })
}

function hasSecret(connection: Connection): boolean {
  const { secretId, headersSecretId } = connection
  const isRole = addressOf(connection).settings.authentication === 'environment'
  return secretId !== null || headersSecretId !== null || isRole
}

const link = {
  select: {
    displayName: true,
    enabled: true,
    connection: { select: { name: true, enabled: true, wire: true } },
  },
} as const satisfies Prisma.ModelDefaultArgs

/**
 * Returns why this person cannot start a run with a configuration, as a sentence, and which part of it is the cause;
 * null = they can (SPEC A1). It agrees with `usableBy` and with what `startRun` refuses.
 */
export async function configurationObstacle(
  tx: Tx,
  { userId, email, role }: Actor,
  configurationId: string,
): Promise<{ part?: DenialPart; reason: string } | null> {
  const row = await tx.configuration.findUnique({
    where: { id: configurationId },
    select: {
      name: true,
      enabled: true,
      parameters: true,
      model: link,
      fallbacks: {
        where: { model: { enabled: true, connection: { enabled: true } } },
        select: { model: link },
      },
      groups: { where: { group: { members: { some: { userId } } } }, take: 1 },
    },
  })
  if (!row) throw new NotFoundError('The configuration')
  const { connection, displayName } = row.model
  if (!row.enabled) {
    return { part: 'switch', reason: `The configuration ${row.name} is switched off.` }
  }
  if (!connection.enabled) {
    return {
      part: 'switch',
      reason: `${connection.name}, which ${row.name} uses, is switched off.`,
    }
  }
  if (!row.model.enabled) {
    return { part: 'switch', reason: `${displayName}, which ${row.name} uses, is switched off.` }
  }
  const fault = storedFault(row.parameters, [row.model, ...row.fallbacks.map(({ model }) => model)])
  if (fault !== null) return { reason: `The configuration ${row.name} cannot run. ${fault}` }
  if (role === 'admin' || row.groups.length > 0) return null
  const reason = `${email} is not in a group that may use the configuration ${row.name}.`
  return { part: 'audience', reason }
}

const unknown = 'It does not exist, or you may not use it.'

/**
 * Returns why this person may not run with the configuration of this id or identifier. Admins learn which switch is
 * off; people who may not see the configuration learn nothing about it.
 */
export async function unusableReason(ctx: Ctx, idOrIdentifier: string): Promise<string> {
  if (ctx.actor.role !== 'admin') return unknown
  try {
    const { id } = await findConfiguration(ctx, idOrIdentifier)
    return (await configurationObstacle(db(), ctx.actor, id))?.reason ?? unknown
  } catch (error) {
    if (error instanceof NotFoundError) return unknown
    throw error
  }
}
