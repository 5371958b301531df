import type { policyFields } from '@/lib/domains/configurations/shape'
import { stricterAfterUntrusted } from '@/lib/protocol/flow'
import type { ConfigurationForm } from '@/lib/protocol/parameters/configuration-form'
import { DataClass } from '@/lib/protocol/tool'
import { type AllowedNames, changedNames, namesOfBoth } from '@/lib/protocol/tool-access'
import type { GivenOf } from './site-file'

type Access = AllowedNames & Pick<ConfigurationForm, 'groups' | (typeof policyFields)[number]>

/**
 * Returns the fields of a configuration's access that a file gives, each as narrow as both the file and this
 * installation: who may use it, and what its runs may be offered. `groupOf` returns the group of a tool that is here.
 */
export function narrowerAccess(
  here: Access,
  given: GivenOf<'configurations'>,
  groupOf: (tool: string) => string | undefined,
): Partial<Access> {
  const { groups, allowedToolGroups, allowedTools, ...policy } = given
  const { raisedDataClass, fourEyes, afterUntrusted, memoryInPrompt, enabled } = policy
  const isAboutTools = allowedToolGroups !== undefined || allowedTools !== undefined
  return {
    ...(groups && { groups: here.groups.filter(({ name }) => groups.includes(name)) }),
    ...(isAboutTools && namesOfBoth(here, changedNames(here, given), groupOf)),
    ...(raisedDataClass !== undefined && {
      raisedDataClass: lesser(here.raisedDataClass, raisedDataClass),
    }),
    ...(fourEyes && { fourEyes }),
    ...(afterUntrusted && {
      afterUntrusted: stricterAfterUntrusted(here.afterUntrusted, afterUntrusted),
    }),
    ...(memoryInPrompt === false && { memoryInPrompt }),
    ...(enabled === false && { enabled }),
  }
}

/** Returns the lower class. Null raises nothing. */
function lesser(here: DataClass | null, given: DataClass | null): DataClass | null {
  if (here === null || given === null) return null
  const [a, b] = [here, given].map((dataClass) => DataClass.options.indexOf(dataClass))
  return (a ?? 0) <= (b ?? 0) ? here : given
}
