import type { CapabilitySource } from '@/lib/domains/models/schemas'
import type { ToolCalling } from '@/lib/domains/models/shape'
import { type ModelOffer, newModelOf } from '@/lib/probes/new-model-of'
import type { Prices } from '@/lib/protocol/money'

/** A model on offer, with the facts that adding it would store. */
export type OfferRow = {
  modelId: string
  displayName: string
  contextTokens: number | null
  maxOutputTokens: number | null
  toolCalling: ToolCalling
  toolCallingSource: CapabilitySource | null
  structuredOutput: boolean | null
  vision: boolean | null
  reasoning: boolean | null
  /** null = the catalogue has none. */
  prices: Prices | null
  /** The id of the model when it is already stored. */
  hereId: string | null
}

export function toOfferRow(offer: ModelOffer): OfferRow {
  const model = newModelOf(offer)
  const { toolCalling = 'unconfirmed' } = model
  const isReported = model.reported?.includes('toolCalling') ?? false
  return {
    modelId: offer.modelId,
    displayName: model.displayName,
    contextTokens: model.contextTokens ?? null,
    maxOutputTokens: model.maxOutputTokens ?? null,
    toolCalling,
    toolCallingSource: toolCalling === 'unconfirmed' ? null : isReported ? 'reported' : 'assumed',
    structuredOutput: model.structuredOutput ?? null,
    vision: model.vision ?? null,
    reasoning: model.reasoning ?? null,
    prices: offer.catalogue?.prices ?? null,
    hereId: offer.here?.id ?? null,
  }
}
