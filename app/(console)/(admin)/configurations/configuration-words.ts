import type { GovernedConfiguration } from '@toolgate/server/domains/configurations/schemas'
import type { AllowedNames } from '@/lib/protocol/tool-access'
import { countOf, formatCount, listLabel } from '@/lib/words/format'

/** The options of the select for allowed tool groups. */
export const toolGroupReaches = [
  { value: 'all', label: 'All, including new groups' },
  { value: 'some', label: 'Only these' },
]

export const noTools = 'Nothing picked: runs get no tools.'
export const unknownToolGroup = 'Does not exist'
export const unknownTool = 'Not installed'

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
