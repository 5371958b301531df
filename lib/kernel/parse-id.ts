import { z } from 'zod'
import { NotFoundError } from './errors'

const Id = z.uuid()

/** Returns the id. Throws NotFoundError for text that is no id, because no object can have it (SPEC A3). */
export function parseId(text: unknown, what = 'This'): string {
  const result = Id.safeParse(text)
  if (!result.success) throw new NotFoundError(what)
  return result.data.toLowerCase()
}
