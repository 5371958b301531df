import { z } from 'zod'
import type { GovernedConfiguration } from '@/lib/configurations/governed-configuration'
import { lenientQuery } from '@/lib/lenient-query'
import { TrustZone } from '@/lib/protocol/run-event'

const Query = z.object({
  search: z.string().max(200).optional(),
  state: z.enum(['on', 'off']).optional(),
  zone: TrustZone.optional(),
  page: z.coerce.number().int().min(1).max(100_000).default(1),
})
export type ConfigurationFilter = z.infer<typeof Query>

/** From the page's address; what makes no sense counts as not given. */
export function readConfigurationFilter(
  params: Record<string, string | string[] | undefined>,
): ConfigurationFilter {
  return lenientQuery(Query, params)
}

/** Every word of the search must be found in name, identifier, model, connection or a group that may use it. */
export function filterConfigurations<T extends GovernedConfiguration & { zone: TrustZone }>(
  configurations: readonly T[],
  { search = '', state, zone }: Omit<ConfigurationFilter, 'page'>,
): T[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  return configurations.filter((each) => {
    if (state !== undefined && each.enabled !== (state === 'on')) return false
    if (zone !== undefined && each.zone !== zone) return false
    const text = textOf(each)
    return words.every((word) => text.includes(word))
  })
}

function textOf({ name, identifier, description, chain, groups }: GovernedConfiguration): string {
  const models = chain.map(({ connectionName, modelId, modelName }) =>
    [connectionName, modelId, modelName].join(' '),
  )
  return [name, identifier, description, ...models, ...groups.map((group) => group.name)]
    .join(' ')
    .toLowerCase()
}
