type Group = { id: string; name: string }

/** Includes the groups of an object. */
export const groupLinks = {
  groups: { select: { group: { select: { id: true, name: true } } } },
} as const

/** Returns the groups of an object, by name. */
export function groupsOf(links: readonly { group: Group }[]): Group[] {
  return links.map(({ group }) => group).sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** Returns an object with its groups, by name, and their ids in place of the links to them. */
export function withGroups<T extends { groups: readonly { group: Group }[] }>({
  groups: links,
  ...row
}: T) {
  const groups = groupsOf(links)
  return { ...row, groups, groupIds: groups.map(({ id }) => id) }
}

/** Returns the columns of a new object, linked with its groups. */
export function linked<T extends { groupIds: readonly string[] }>({ groupIds, ...columns }: T) {
  return { ...columns, groups: { create: linksTo(groupIds) } }
}

/** Returns the columns of a change, which replaces the groups of the object unless it leaves them out. */
export function relinked<T extends { groupIds?: readonly string[] }>({ groupIds, ...columns }: T) {
  return { ...columns, ...(groupIds && { groups: { deleteMany: {}, create: linksTo(groupIds) } }) }
}

function linksTo(groupIds: readonly string[]) {
  return [...new Set(groupIds)].map((groupId) => ({ groupId }))
}

/** Returns the condition on links to the groups of a person. */
export function groupsOfPerson(userId: string) {
  return { some: { group: { members: { some: { userId } } } } }
}

/** Returns the condition on objects that a person may use now: members those of their groups, admins all (SPEC A2a). */
export function usableBy({ userId, role }: { userId: string; role: string }) {
  return { enabled: true, ...(role !== 'admin' && { groups: groupsOfPerson(userId) }) }
}
