import type { GovernedConfiguration } from '@toolgate/server/domains/configurations/schemas'
import { z } from 'zod'
import { TrustZone } from '@/lib/protocol/model/model-target'
import { DataClass } from '@/lib/protocol/tool'
import { sortOrder } from '@/lib/shape/resource'
import { type SortOrder, sortParts } from '@/lib/shape/sort-order'
import { matchesSearch } from '@/lib/words/matches-search'

const sortKeys = ['name', 'model', 'zone', 'limit', 'state'] as const
export type ConfigurationSortKey = (typeof sortKeys)[number]
export const defaultConfigurationSort = 'name' as const

/** A configuration with the trust zone and the highest data class that follow from its chain of models. */
export type ConfigurationRow = GovernedConfiguration & { zone: TrustZone; limit: DataClass }

/** Parses the search, filter and order in the address of the list. */
export const ConfigurationQuery = z.object({
  search: z.string().max(200).optional(),
  state: z.enum(['on', 'off']).optional(),
  zone: TrustZone.optional(),
  page: z.coerce.number().int().min(1).max(100_000).default(1),
  sort: sortOrder(sortKeys, defaultConfigurationSort),
})
export type ConfigurationFilter = z.infer<typeof ConfigurationQuery>

/** Returns the configurations whose name, identifier, model, connection or groups have every word of the search. */
export function filterConfigurations<T extends GovernedConfiguration & { zone: TrustZone }>(
  configurations: readonly T[],
  { search, state, zone }: Omit<ConfigurationFilter, 'page' | 'sort'>,
): T[] {
  return configurations.filter((each) => {
    if (state !== undefined && each.enabled !== (state === 'on')) return false
    if (zone !== undefined && each.zone !== zone) return false
    return matchesSearch(search, textsOf(each))
  })
}

/**
 * Sorts by what the list shows, in memory, because most of it follows from the models and is no column of the database.
 */
export function sortConfigurations(
  rows: readonly ConfigurationRow[],
  order: SortOrder<ConfigurationSortKey>,
): ConfigurationRow[] {
  const { key, direction } = sortParts(order)
  const sign = direction === 'asc' ? 1 : -1
  return rows.toSorted((a, b) => sign * comparisons[key](a, b) || byName(a, b))
}

type Compare = (a: ConfigurationRow, b: ConfigurationRow) => number

const byName: Compare = (a, b) => a.name.localeCompare(b.name, 'en')

const comparisons: Record<ConfigurationSortKey, Compare> = {
  name: byName,
  model: (a, b) => modelOf(a).localeCompare(modelOf(b), 'en'),
  zone: (a, b) => TrustZone.options.indexOf(a.zone) - TrustZone.options.indexOf(b.zone),
  limit: (a, b) => DataClass.options.indexOf(a.limit) - DataClass.options.indexOf(b.limit),
  state: (a, b) => Number(a.enabled) - Number(b.enabled),
}

const modelOf = ({ chain }: ConfigurationRow) => chain[0]?.modelName ?? ''

function textsOf({ name, identifier, description, chain, groups }: GovernedConfiguration) {
  const models = chain.map(({ connectionName, modelId, modelName }) =>
    [connectionName, modelId, modelName].join(' '),
  )
  return [name, identifier, description, ...models, ...groups.map((group) => group.name)]
}
