/** The order of a list in its address: "name" ascending, "-name" descending. */
export type SortOrder<Key extends string = string> = Key | `-${Key}`

export type SortDirection = 'asc' | 'desc'

export function sortParts<Key extends string>(
  order: SortOrder<Key>,
): { key: Key; direction: SortDirection } {
  const falls = order.startsWith('-')
  // An order without its sign is a key, which the compiler cannot see.
  return { key: (falls ? order.slice(1) : order) as Key, direction: falls ? 'desc' : 'asc' }
}

export function sortBy<Key extends string>(key: Key, direction: SortDirection): SortOrder<Key> {
  return direction === 'desc' ? `-${key}` : key
}
