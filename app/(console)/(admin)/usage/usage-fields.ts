import type { listUsageNames } from '@toolgate/server/domains/usage/reads'
import { UsagePeriod } from '@toolgate/server/domains/usage/usage-filter'
import type { FilterField } from '@/components/forms/address-filter'
import { periodWords } from './usage-words'

type Names = Awaited<ReturnType<typeof listUsageNames>>

/** The default period, which the address leaves out. */
export const usualPeriod: UsagePeriod = '30d'

/** Returns the fields that filter usage. `person` is the name of the picked person; null = nobody is picked. */
export function usageFields(names: Names, person: string | null): FilterField[] {
  const choice = (
    name: string,
    label: string,
    any: string,
    options: Names['models'],
  ): FilterField => ({
    type: 'choice',
    name,
    label,
    any,
    options: options.map((each) => ({ value: each.id, label: each.name })),
  })
  return [
    {
      type: 'choice',
      name: 'period',
      label: 'Period',
      any: periodWords[usualPeriod],
      options: UsagePeriod.options
        .filter((period) => period !== usualPeriod)
        .map((period) => ({ value: period, label: periodWords[period] })),
    },
    choice('configuration', 'Configuration', 'All configurations', names.configurations),
    choice('model', 'Model', 'All models', names.models),
    choice('connection', 'Connection', 'All connections', names.connections),
    choice('apiKey', 'API key', 'Any key', names.apiKeys),
    { type: 'person', name: 'user', label: 'User', any: 'Everybody', chosen: person },
  ]
}
