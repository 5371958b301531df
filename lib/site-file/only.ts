import type { GivenOf } from './site-file'

/** Returns an entry with only these of its fields, and its name. */
export function only<K extends 'configurations' | 'tasks'>(
  given: GivenOf<K>,
  fields: ReadonlySet<string>,
): GivenOf<K> {
  const entries = Object.entries(given).filter(
    ([field]) => field === 'identifier' || fields.has(field),
  )
  // All but the identifier may be left out; the compiler does not follow Object.fromEntries.
  return Object.fromEntries(entries) as GivenOf<K>
}
