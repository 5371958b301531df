import type { GivenOf } from './site-file'

/** An entry with these of its fields alone, beside what it is called by. */
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
