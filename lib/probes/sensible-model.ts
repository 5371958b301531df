import { catalogue } from '@/lib/domains/models/catalogue/find-in-catalogue'
import { type ModelOffer, newModelOf } from './new-model-of'

/** Number of a provider's newest models that are compared. */
const newest = 4

/** The catalogue lists the models of each provider from the newest on. */
const places = new Map(catalogue.flatMap(({ models }) => models.map(({ id }, at) => [id, at])))

/**
 * Returns the id of the model to begin with: of the newest that call tools and have a price, the one in the middle by
 * what its output costs. Where the catalogue knows none, the first that calls tools, else the first. Null = none is offered.
 */
export function sensibleModel(offers: readonly ModelOffer[]): string | null {
  const calling = offers.filter((offer) => newModelOf(offer).toolCalling === 'confirmed')
  const compared = calling
    .flatMap(({ modelId, catalogue: entry }) =>
      entry?.prices?.output == null
        ? []
        : [{ modelId, output: entry.prices.output, place: places.get(entry.id) ?? places.size }],
    )
    .toSorted((one, other) => one.place - other.place)
    .slice(0, newest)
    .toSorted((one, other) => one.output - other.output)
  const middle = compared[Math.floor((compared.length - 1) / 2)]
  return (middle ?? calling[0] ?? offers[0])?.modelId ?? null
}
