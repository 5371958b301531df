import type { z } from 'zod'
import { isStorableText } from '@/lib/kernel/storable-text'

export type Params = Record<string, string | string[] | undefined>

/** Returns the parameters of a page's address, field by field. A field that the schema refuses counts as not given. */
export function lenientQuery<S extends z.ZodObject>(schema: S, params: Params): z.output<S> {
  const known = Object.entries(schema.shape).flatMap(([key, field]) => {
    const value = params[key]
    if (typeof value !== 'string' || value === '' || !isStorableText(value)) return []
    return (field as z.ZodType).safeParse(value).success ? [[key, value]] : []
  })
  return schema.parse(Object.fromEntries(known))
}
