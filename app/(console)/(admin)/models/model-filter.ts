import {
  lacksPrice,
  type ModelListing,
  ModelSort,
  type ModelSortKey,
} from '@toolgate/server/domains/models/schemas'
import { z } from 'zod'
import { ToolCalling } from '@/lib/domains/models/shape'
import { isPriced } from '@/lib/protocol/cost/cost'
import { type SortOrder, sortParts } from '@/lib/shape/sort-order'
import { matchesSearch } from '@/lib/words/matches-search'

/** Parses the search, filter and order in the address of the list. */
export const ModelQuery = z.object({
  search: z.string().max(200).optional(),
  connection: z.uuid().optional(),
  price: z.enum(['priced', 'unpriced', 'missing', 'stale']).optional(),
  tools: ToolCalling.optional(),
  state: z.enum(['on', 'off']).optional(),
  page: z.coerce.number().int().min(1).max(99_999).default(1),
  sort: ModelSort,
})
export type ModelFilter = Omit<z.output<typeof ModelQuery>, 'page' | 'sort'>

/** Returns the models whose name, id, connection or configurations have every word of the search. */
export function filterModels(
  models: readonly ModelListing[],
  { search, connection, price, tools, state }: ModelFilter,
): ModelListing[] {
  return models.filter((model) => {
    const users = model.usedBy.map(({ name }) => name)
    const texts = [model.displayName, model.modelId, model.connectionName, ...users]
    return (
      matchesSearch(search, texts) &&
      (connection === undefined || model.connectionId === connection) &&
      (price === undefined || hasPrice[price](model)) &&
      (tools === undefined || model.toolCalling === tools) &&
      (state === undefined || isOn(model) === (state === 'on'))
    )
  })
}

const hasPrice: Record<NonNullable<ModelFilter['price']>, (model: ModelListing) => boolean> = {
  priced: ({ prices }) => isPriced(prices),
  unpriced: ({ prices }) => !isPriced(prices),
  missing: lacksPrice,
  stale: ({ stalePrice }) => stalePrice !== null,
}

/** Returns whether runs can use a model. */
const isOn = (model: Pick<ModelListing, 'enabled' | 'connectionEnabled'>): boolean =>
  model.enabled && model.connectionEnabled

/** Sorts the models. Unknown values are last in both directions. */
export function sortModels(
  models: readonly ModelListing[],
  order: SortOrder<ModelSortKey>,
): ModelListing[] {
  const { key, direction } = sortParts(order)
  const sign = direction === 'asc' ? 1 : -1
  const figureOf = figures[key]
  return models.toSorted((a, b) => {
    const [one, other] = [figureOf(a), figureOf(b)]
    if (one === null || other === null) {
      return Number(one === null) - Number(other === null) || byName(a, b)
    }
    return sign * compare(one, other) || byName(a, b)
  })
}

const figures: Record<ModelSortKey, (model: ModelListing) => string | number | null> = {
  name: (model) => model.displayName,
  connection: (model) => model.connectionName,
  context: (model) => model.contextTokens,
  tools: (model) => ToolCalling.options.indexOf(model.toolCalling),
  input: (model) => model.prices.input,
  output: (model) => model.prices.output,
  used: (model) => model.usedBy.length,
  state: (model) => Number(isOn(model)),
}

function compare(a: string | number, b: string | number): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return String(a).localeCompare(String(b), 'en')
}

const byName = (a: ModelListing, b: ModelListing) =>
  a.displayName.localeCompare(b.displayName, 'en') || (a.id < b.id ? -1 : 1)
