import type { z } from 'zod'
import { isStorableText } from './storable-text'

type Params = Record<string, string | string[] | undefined>

/** From a page's address: what makes no sense to the schema counts as not given, field by field. */
export function lenientQuery<S extends z.ZodObject>(schema: S, params: Params): z.output<S> {
  const known = Object.entries(schema.shape).flatMap(([key, field]) => {
    const value = params[key]
    if (typeof value !== 'string' || value === '' || !isStorableText(value)) return []
    return (field as z.ZodType).safeParse(value).success ? [[key, value]] : []
  })
  return schema.parse(Object.fromEntries(known))
}
