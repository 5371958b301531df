import type { CatalogueEntry } from '@/lib/domains/models/catalogue/entry'
import type { CreateModel, ModelListing } from '@/lib/domains/models/schemas'
import type { DiscoveredModel } from '@/lib/engines/providers/discovery/discovered-model'

/** Stored facts of a model that was added, for a list of offers. */
type Stored = Pick<ModelListing, (typeof storedFields)[number]>
export const storedFields = [
  'id',
  'modelId',
  'displayName',
  'contextTokens',
  'maxOutputTokens',
  'toolCalling',
  'toolCallingSource',
  'structuredOutput',
  'vision',
  'reasoning',
  'prices',
] as const satisfies (keyof ModelListing)[]

/**
 * A model that a provider offers: what the provider reports, what the catalogue adds, and what is stored of it when it was
 * added before.
 */
export type ModelOffer = DiscoveredModel & {
  catalogue: CatalogueEntry | null
  here: Stored | null
}

type NewModel = Omit<CreateModel, 'connectionId'>

/**
 * Returns the model record to create for an offered model. What the provider reports comes first and is marked as
 * reported, then the catalogue, with the source and date of its prices.
 */
export function newModelOf(offer: Omit<ModelOffer, 'here'>): NewModel {
  const { catalogue } = offer
  const capabilities = ['structuredOutput', 'vision', 'reasoning'] as const
  const saysTools = offer.toolCalling !== 'unconfirmed'
  const [source] = catalogue?.sources ?? []
  const isBareId = offer.displayName === offer.modelId
  return {
    modelId: offer.modelId,
    displayName: ((isBareId && catalogue?.name) || offer.displayName).slice(0, 100).toWellFormed(),
    contextTokens: offer.contextTokens ?? catalogue?.contextTokens ?? null,
    maxOutputTokens: offer.maxOutputTokens ?? catalogue?.maxOutputTokens ?? null,
    toolCalling: saysTools ? offer.toolCalling : (catalogue?.toolCalling ?? 'unconfirmed'),
    structuredOutput: offer.structuredOutput ?? catalogue?.structuredOutput ?? null,
    vision: offer.vision ?? catalogue?.vision ?? null,
    reasoning: offer.reasoning ?? catalogue?.reasoning ?? null,
    reasoningEfforts: catalogue?.reasoningEfforts ?? [],
    unsupportedParameters: catalogue?.unsupportedParameters ?? [],
    reported: [
      ...(saysTools ? (['toolCalling'] as const) : []),
      ...capabilities.filter((name) => offer[name] !== null),
    ],
    ...(catalogue?.prices && {
      prices: catalogue.prices,
      priceSource: `${source} (read ${catalogue.readOn})`,
    }),
  }
}
