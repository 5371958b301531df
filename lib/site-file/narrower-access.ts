import type { ConfigurationForm } from '../protocol/configuration-form'
import { stricterAfterUntrusted } from '../protocol/flow'
import { DataClass } from '../protocol/tool'
import type { GivenOf } from './site-file'

type Access = Pick<
  ConfigurationForm,
  'groups' | 'allowedToolGroups' | 'raisedDataClass' | 'fourEyes' | 'afterUntrusted' | 'enabled'
>

/**
 * Returns the fields of a configuration's access that a file gives, each as narrow as both the file and this
 * installation: who may use it, and what its runs may be offered.
 */
export function narrowerAccess(here: Access, given: GivenOf<'configurations'>): Partial<Access> {
  const { groups, allowedToolGroups, raisedDataClass, fourEyes, afterUntrusted, enabled } = given
  return {
    ...(groups && { groups: here.groups.filter(({ name }) => groups.includes(name)) }),
    ...(allowedToolGroups && {
      allowedToolGroups: both(here.allowedToolGroups, allowedToolGroups),
    }),
    ...(raisedDataClass !== undefined && {
      raisedDataClass: lesser(here.raisedDataClass, raisedDataClass),
    }),
    ...(fourEyes && { fourEyes }),
    ...(afterUntrusted && {
      afterUntrusted: stricterAfterUntrusted(here.afterUntrusted, afterUntrusted),
    }),
    ...(enabled === false && { enabled }),
  }
}

/** Returns what both have. `here` null = every group. */
function both(here: readonly string[] | null, given: string[]): string[] {
  return here === null ? given : given.filter((name) => here.includes(name))
}

/** Returns the lower class. Null raises nothing. */
function lesser(here: DataClass | null, given: DataClass | null): DataClass | null {
  if (here === null || given === null) return null
  const [a, b] = [here, given].map((dataClass) => DataClass.options.indexOf(dataClass))
  return (a ?? 0) <= (b ?? 0) ? here : given
}
