import type { z } from 'zod'
import { ValidationError } from './errors'

/** Parses what came from outside. Throws ValidationError with one sentence a field ("" = the whole input). */
export function parseInput<S extends z.ZodType>(schema: S, input: unknown): z.output<S> {
  const result = schema.safeParse(input)
  if (result.success) return result.data
  const fields: Record<string, string> = {}
  for (const issue of result.error.issues) {
    const path = issue.path.join('.')
    fields[path] ??= issue.message
  }
  throw new ValidationError(fields)
}
