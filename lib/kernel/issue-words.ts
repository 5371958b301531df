import type { z } from 'zod'

type Issue = Parameters<z.core.$ZodErrorMap>[0]

/** What is wrong with a value, as a sentence for people, where its schema has none of its own; undefined = zod's. */
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
