import { z } from 'zod'
import type { Prisma } from '../../generated/prisma/client'
import { ReasoningEffort } from '../../protocol/parameter-values'
import { ModelParameter } from '../../protocol/parameters'
import { addressOf } from '../rows/address-hash'
import { pricesOf, validPrice } from '../rows/model-prices'
import { catalogueAddress } from './catalogue/find-in-catalogue'
import { stalePrice } from './catalogue/stale-price'
import { usesOf, withUses } from './read-model-uses'
import { CapabilitySources, type ModelListing } from './schemas'

/** For `include` of a model: what a listing needs, with the price that holds at `at`. */
export function asListing(at: Date) {
  return {
    connection: {
      select: { name: true, enabled: true, wire: true, baseUrl: true, settings: true },
    },
    prices: validPrice(at),
    ...withUses,
  } as const satisfies Prisma.ModelInclude
}

type Row = Prisma.ModelGetPayload<{ include: ReturnType<typeof asListing> }>

/** The other half of `asListing`, at the same moment. */
export function toModelListing(row: Row, at: Date): ModelListing {
  const { connection } = row
  const { wire } = addressOf(connection)
  const address = { wire, baseUrl: catalogueAddress(addressOf(connection)) }
  const prices = pricesOf(row)
  return {
    id: row.id,
    connectionId: row.connectionId,
    connectionName: connection.name,
    connectionEnabled: connection.enabled,
    ...address,
    modelId: row.modelId,
    displayName: row.displayName,
    contextTokens: row.contextTokens,
    maxOutputTokens: row.maxOutputTokens,
    toolCalling: row.toolCalling,
    toolCallingSource: row.toolCallingSource,
    toolCallingTestedAt: row.toolCallingTestedAt?.toISOString() ?? null,
    structuredOutput: row.structuredOutput,
    vision: row.vision,
    reasoning: row.reasoning,
    capabilitySources: CapabilitySources.parse(row.capabilitySources),
    reasoningEfforts: z.array(ReasoningEffort).parse(row.reasoningEfforts),
    unsupportedParameters: z.array(ModelParameter).parse(row.unsupportedParameters),
    enabled: row.enabled,
    prices,
    stalePrice: stalePrice({ ...address, modelId: row.modelId, prices }, row.prices[0], at),
    usedBy: usesOf(row),
  }
}
