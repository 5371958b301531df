import type { z } from 'zod'
import { ValidationError } from './errors'
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
    // The first of several sentences about a field is the most basic one.
    throw new ValidationError(Object.fromEntries(issues.toReversed()))
  }
  const bad = unstorableFields(result.data)
  if (bad.length > 0) {
    throw new ValidationError(Object.fromEntries(bad.map((field) => [field, unstorable])))
  }
  return result.data
}

/** Returns the paths of texts and property names that cannot be stored. Input may be nested deeper than the stack. */
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

type Issue = Parameters<z.core.$ZodErrorMap>[0]

/**
 * Returns what is wrong with a value as a sentence for people, where its schema has no sentence; undefined = zod's own.
 */
export function issueWords(issue: Issue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return typeWords(issue)
    case 'too_small':
      return bound(
        issue.inclusive === false ? 'More than' : 'At least',
        issue.minimum,
        issue.origin,
      )
    case 'too_big':
      return bound(issue.inclusive === false ? 'Less than' : 'At most', issue.maximum, issue.origin)
    case 'invalid_format':
      return issue.format === 'uuid' ? 'This is not an id.' : undefined
    case 'invalid_value':
      return `One of: ${issue.values.map(String).join(', ')}.`
    case 'invalid_key': {
      const said = issue.issues[0]?.message
      return said && `${String(issue.input).slice(0, 100)}: ${said}`
    }
    case 'unrecognized_keys':
      return `Unknown ${issue.keys.length === 1 ? 'field' : 'fields'}: ${issue.keys.join(', ')}.`
    default:
      return undefined
  }
}

const wanted: Partial<Record<string, string>> = {
  string: 'Give text.',
  number: 'Give a number.',
  int: 'Give a whole number.',
  boolean: 'Give true or false.',
  array: 'Give a list.',
  object: 'Give an object.',
  record: 'Give an object.',
}

function typeWords(issue: Extract<Issue, { code: 'invalid_type' }>): string | undefined {
  if (issue.input === undefined) return 'This is required.'
  return wanted[issue.expected]
}

const units: Partial<Record<string, string>> = { string: ' characters', array: ' entries' }

function bound(words: string, limit: number | bigint, origin: string): string {
  if (words === 'At least' && Number(limit) === 1 && units[origin]) return 'This is required.'
  return `${words} ${limit.toLocaleString('en')}${units[origin] ?? ''}.`
}
