import type { GovernedConfiguration } from '@toolgate/server/domains/configurations/schemas'
import type { AllowedNames } from '@/lib/protocol/tool-access'
import { countOf, formatCount, listLabel } from '@/lib/words/format'

/** The options of the select for allowed tool groups. */
export const toolGroupReaches = [
  { value: 'all', label: 'All tool groups, including new ones' },
  { value: 'some', label: 'Only the groups and tools picked here' },
]

export const noTools = 'If no group and no tool is picked, runs get no tools.'
export const unknownToolGroup = 'Tool group does not exist'
export const singleToolsHint = 'Allowed beside the groups. Type a part of the name.'
export const unknownTool = 'Not on this installation'
export const everyDataClass = 'It may receive data of every class.'

/** Returns "All tool groups", "accounts, system", "No tool groups", "accounts and 2 single tools" or "1 single tool". */
export function allowedWords({ allowedToolGroups, allowedTools }: AllowedNames): string {
  const groups = listLabel('toolGroups', allowedToolGroups)
  if (allowedTools.length === 0) return groups
  const single = countOf(allowedTools.length, 'single tool')
  return allowedToolGroups?.length ? `${groups} and ${single}` : single
}

/** Returns "Admins only" or "Readers, Support". */
export function audienceWords({ groups }: GovernedConfiguration): string {
  if (groups.length === 0) return 'Admins only'
  const [first, second, ...others] = groups.map(({ name }) => name)
  const named = [first, second].filter(Boolean).join(', ')
  return others.length === 0 ? named : `${named} and ${formatCount(others.length)} more`
}
