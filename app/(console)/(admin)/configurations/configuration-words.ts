import type { GovernedConfiguration } from '@/lib/domains/configurations/schemas'
import { formatCount, listLabel } from '@/lib/protocol/format'
import type { DataClass } from '@/lib/protocol/tool'

/** Each data class with examples, for the person who raises the data class of a configuration. */
export const dataClassMeaning: Record<DataClass, string> = {
  public: 'Public: information anybody may know',
  content: 'Content: text written for readers',
  'source-code': 'Source code: code and build files',
  'internal-config': 'Internal configuration: names, settings, structure',
  diagnostics: 'Diagnostics: logs, accounts, state of this installation',
  'secret-adjacent': 'Secret-adjacent: data that may contain or lead to secrets',
}

/** The options of the select for allowed tool groups. */
export const toolGroupReaches = [
  { value: 'all', label: 'All tool groups, including new ones' },
  { value: 'some', label: 'Only the groups picked here' },
]

export const noToolGroup = 'If no group is picked, runs get no tools.'
export const unknownToolGroup = 'Tool group does not exist'
export const everyDataClass = 'It may receive data of every class.'

/** Returns "All tool groups", "accounts, system" or "No tool groups". */
export function toolGroupWords({ allowedToolGroups }: GovernedConfiguration): string {
  return listLabel('toolGroups', allowedToolGroups)
}

/** Returns "Admins only" or "Readers, Support". */
export function audienceWords({ groups }: GovernedConfiguration): string {
  if (groups.length === 0) return 'Admins only'
  const [first, second, ...others] = groups.map(({ name }) => name)
  const named = [first, second].filter(Boolean).join(', ')
  return others.length === 0 ? named : `${named} and ${formatCount(others.length)} more`
}
