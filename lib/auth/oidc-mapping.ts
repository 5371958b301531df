import type { Role } from '../protocol/tool'
import type { OidcSettings } from './oidc-settings'

type Mapping = Pick<OidcSettings, 'adminGroups' | 'memberGroups' | 'groupMap'>

/** The role their groups give; null = none of them may use Toolgate. Admin wins. */
export function mappedRole(groups: ReadonlySet<string>, mapping: Mapping): Role | null {
  if (mapping.adminGroups.some((name) => groups.has(name))) return 'admin'
  return mapping.memberGroups.some((name) => groups.has(name)) ? 'member' : null
}

/** Names of our groups that the provider decides about, and those it puts this person in. */
export function mappedGroups(
  groups: ReadonlySet<string>,
  { groupMap }: Mapping,
): { decided: string[]; wanted: string[] } {
  const names = (pairs: readonly { ours: string }[]) => [...new Set(pairs.map(({ ours }) => ours))]
  return {
    decided: names(groupMap),
    wanted: names(groupMap.filter(({ theirs }) => groups.has(theirs))),
  }
}
