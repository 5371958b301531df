import { guessPrice } from '@/lib/domains/models/catalogue/find-in-catalogue'
import type { CapabilitySource, ToolCalling } from '@/lib/domains/models/shape'
import { type ModelOffer, newModelOf } from '@/lib/probes/new-model-of'
import { hasPrice } from '@/lib/protocol/cost/cost'
import type { Prices } from '@/lib/protocol/cost/money'

/** A model on offer: with the facts that are stored when it was added, otherwise with those that adding it would store. */
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
  /** null = none is known. */
  prices: Prices | null
  /** The price of the model's own provider, where no price of this one is known; null = none. */
  guess: { prices: Prices; from: string } | null
  /** The id of the model when it is already stored. */
  hereId: string | null
}

export function toOfferRow(offer: ModelOffer): OfferRow {
  return offer.here ? toStoredRow(offer.here) : toNewRow(offer)
}

function toStoredRow({ id, prices, ...model }: NonNullable<ModelOffer['here']>): OfferRow {
  return { ...model, prices: hasPrice(prices) ? prices : null, guess: null, hereId: id }
}

function toNewRow(offer: ModelOffer): OfferRow {
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
    guess: offer.catalogue?.prices ? null : guessPrice(offer.modelId),
    hereId: null,
  }
}
