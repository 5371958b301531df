import { z } from 'zod'

/** The order of a list in its address: "name" ascending, "-name" descending. */
export type SortOrder<Key extends string = string> = Key | `-${Key}`

export type SortDirection = 'asc' | 'desc'

/** Returns the schema of a list's orders, with the default one. */
export function sortOrder<const Key extends string>(
  keys: readonly Key[],
  defaultOrder: NoInfer<SortOrder<Key>>,
): z.ZodType<SortOrder<Key>> {
  const orders: readonly unknown[] = keys.flatMap((key) => [key, `-${key}`])
  const message = `Sort by ${keys.join(', ')}; a minus in front reverses the order.`
  return z
    .custom<SortOrder<Key>>((value) => orders.includes(value), message)
    .optional()
    .transform((order) => order ?? defaultOrder)
}

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
