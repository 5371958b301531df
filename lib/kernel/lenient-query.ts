import { z } from 'zod'
import type { SortOrder } from '../protocol/sort-order'
import { isStorableText } from './storable-text'

type Params = Record<string, string | string[] | undefined>

/** Returns the parameters of a page's address, field by field. A field that the schema refuses counts as not given. */
export function lenientQuery<S extends z.ZodObject>(schema: S, params: Params): z.output<S> {
  const known = Object.entries(schema.shape).flatMap(([key, field]) => {
    const value = params[key]
    if (typeof value !== 'string' || value === '' || !isStorableText(value)) return []
    return (field as z.ZodType).safeParse(value).success ? [[key, value]] : []
  })
  return schema.parse(Object.fromEntries(known))
}

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
