import { z } from 'zod'
import { NotFoundError } from './errors'

const Id = z.uuid()

/** Lets only ids of our own shape through; anything else cannot exist here (SPEC A3). */
export function parseId(text: unknown, what = 'This'): string {
  const result = Id.safeParse(text)
  if (!result.success) throw new NotFoundError(what)
  return result.data.toLowerCase()
}
