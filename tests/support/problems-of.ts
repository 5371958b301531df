import { expect } from 'vitest'
import { linearPattern } from '@/lib/json-schema/linear-pattern'
import { readSchema } from '@/lib/json-schema/read-schema'

/** Returns what is wrong with a value, as sentences with paths. */
export function problemsOf(schema: unknown, value: unknown): string[] {
  const read = readSchema(schema, linearPattern)
  if (read.type === 'refused') return expect.fail(read.problems.join(' '))
  return read
    .check(value)
    .map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`))
}
