import { z } from 'zod'
import { trustZoneOf, wireOf } from '../column-names'
import type { Ctx } from '../context'
import type { Tx } from '../db'
import { NotFoundError } from '../errors'
import type { Connection, Model } from '../generated/prisma/client'
import type { ModelTarget, RunSnapshot } from '../protocol/run-event'
import { DataClass } from '../protocol/tool'
import { pricesOf } from './prices-of'
import { ConfigurationIdentifier, ReasoningEffort } from './schemas'
import { visibleConfigurations } from './visible-configurations'

/** A configuration with all a run needs: what goes into the journal, and what only the gates ask. */
export type ReadConfiguration = {
  snapshot: RunSnapshot
  allowedToolGroups: string[] | null
  raisedDataClass: DataClass | null
}

const Groups = z.array(z.string()).nullable()

/**
 * Finds a configuration this person may use, by id or identifier. NotFoundError when there is none or it is not
 * theirs. Disabled connections drop out of the fallback chain.
 */
export async function readConfiguration(
  tx: Tx,
  ctx: Ctx,
  idOrIdentifier: string,
): Promise<ReadConfiguration> {
  const row = await tx.configuration.findFirst({
    where: { AND: [visibleConfigurations(ctx), named(idOrIdentifier)] },
    include: {
      model: { include: { connection: true } },
      fallbacks: {
        orderBy: { position: 'asc' },
        include: { model: { include: { connection: true } } },
      },
    },
  })
  if (!row) throw new NotFoundError('The configuration')
  const fallbacks = row.fallbacks.filter(({ model }) => model.connection.enabled)
  return {
    snapshot: {
      configurationId: row.id,
      configurationName: row.name,
      configurationIdentifier: row.identifier,
      systemPrompt: row.systemPrompt,
      parameters: {
        temperature: row.temperature,
        topP: row.topP,
        maxOutputTokens: row.maxOutputTokens,
        stop: row.stop,
        seed: row.seed,
        reasoningEffort: ReasoningEffort.nullable().parse(row.reasoningEffort),
      },
      targets: [toTarget(row.model), ...fallbacks.map(({ model }) => toTarget(model))],
      maxRounds: row.maxRounds,
      timeLimitMs: row.timeLimitMs,
    },
    allowedToolGroups: Groups.parse(row.allowedToolGroups),
    raisedDataClass: DataClass.nullable().parse(row.raisedDataClass),
  }
}

function named(idOrIdentifier: string): { id: string } | { identifier: string } {
  const id = z.uuid().safeParse(idOrIdentifier)
  if (id.success) return { id: id.data }
  const identifier = ConfigurationIdentifier.safeParse(idOrIdentifier)
  if (!identifier.success) throw new NotFoundError('The configuration')
  return { identifier: identifier.data }
}

function toTarget(model: Model & { connection: Connection }): ModelTarget {
  return {
    connectionId: model.connectionId,
    connectionName: model.connection.name,
    wire: wireOf(model.connection.wire),
    trustZone: trustZoneOf(model.connection.trustZone),
    modelRecordId: model.id,
    modelId: model.modelId,
    contextTokens: model.contextTokens,
    maxOutputTokens: model.maxOutputTokens,
    toolCalling: model.toolCalling,
    prices: pricesOf(model),
  }
}
