import type { z } from 'zod'
import { ValidationError } from './errors'
import { issueWords } from './issue-words'
import { isStorableText } from './storable-text'

const unstorable = 'This text contains a NUL character or an incomplete character. Remove it.'

/**
 * Parses what came from outside. Throws ValidationError with one sentence a field ("" = the whole input), also for
 * text the database cannot keep, unless the schema takes that out itself.
 */
export function parseInput<S extends z.ZodType>(schema: S, input: unknown): z.output<S> {
  const result = schema.safeParse(input, { error: issueWords })
  if (!result.success) {
    const issues = result.error.issues.map(
      ({ path, message }) => [path.join('.'), message] as const,
    )
    // Of several sentences about a field the first is the most basic one.
    throw new ValidationError(Object.fromEntries(issues.toReversed()))
  }
  const bad = unstorableFields(result.data)
  if (bad.length > 0) {
    throw new ValidationError(Object.fromEntries(bad.map((field) => [field, unstorable])))
  }
  return result.data
}

/** The paths of texts, and of objects with names, that cannot be kept. Input may be nested deeper than a stack. */
function unstorableFields(data: unknown): string[] {
  const found: string[] = []
  const pending: [path: string, value: unknown][] = [['', data]]
  for (let next = pending.pop(); next; next = pending.pop()) {
    const [path, value] = next
    if (typeof value === 'string' && !isStorableText(value)) found.push(path)
    if (typeof value !== 'object' || value === null) continue
    for (const [key, part] of Object.entries(value)) {
      if (isStorableText(key)) pending.push([path === '' ? key : `${path}.${key}`, part])
      else found.push(path)
    }
  }
  return found
}
