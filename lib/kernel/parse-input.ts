import { z } from 'zod'
import { isObject } from '../protocol/json-schema/keyword'
import { ValidationError } from './errors'
import { isStorableText } from './storable-text'

const unstorable = 'This text contains a NUL character or an incomplete character. Remove it.'

/**
 * Parses what came from outside. Throws ValidationError with one sentence a field ("" = the whole input), also for
 * fields at any depth that the schema would drop, and for text the database cannot keep, unless the schema takes that
 * out itself.
 */
export function parseInput<S extends z.ZodType>(schema: S, input: unknown): z.output<S> {
  const result = schema.safeParse(input, { error: issueWords })
  const dropped = droppedFields(schema, input).map(unknownField)
  if (!result.success || dropped.length > 0) {
    const issues = result.error?.issues.flatMap((issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((key) => unknownField([...issue.path, key].join('.')))
        : [[issue.path.join('.'), issue.message] as const],
    )
    // The first of several sentences about a field is the most basic one.
    throw new ValidationError(Object.fromEntries([...dropped, ...(issues ?? []).toReversed()]))
  }
  const bad = unstorableFields(result.data)
  if (bad.length > 0) {
    throw new ValidationError(Object.fromEntries(bad.map((field) => [field, unstorable])))
  }
  return result.data
}

function unknownField(path: string): readonly [path: string, words: string] {
  return [path, `Unknown field: ${path.slice(0, 200)}.`]
}

/** Returns the paths of the fields that a schema leaves out of an input that fits it. */
function droppedFields(schema: z.core.$ZodType, input: unknown, path = ''): string[] {
  const { def } = (schema as z.core.$ZodTypes)._zod
  if (input === undefined || input === null) return []
  const below = (part: z.core.$ZodType, value: unknown, key: string | number) =>
    droppedFields(part, value, path === '' ? String(key) : `${path}.${key}`)
  switch (def.type) {
    case 'object':
      if (!isObject(input)) return []
      return Object.entries(input).flatMap(([key, value]) => {
        const part = Object.hasOwn(def.shape, key) ? def.shape[key] : def.catchall
        if (value === undefined) return []
        return part ? below(part, value, key) : [path === '' ? key : `${path}.${key}`]
      })
    case 'record':
      if (!isObject(input)) return []
      return Object.entries(input).flatMap(([key, value]) => below(def.valueType, value, key))
    case 'array':
      if (!Array.isArray(input)) return []
      return input.flatMap((value, place) => below(def.element, value, place))
    case 'tuple':
      if (!Array.isArray(input)) return []
      return input.flatMap((value, place) => {
        const part = def.items[place] ?? def.rest
        return part ? below(part, value, place) : []
      })
    case 'union': {
      const taken =
        def.options.find((option) => z.safeParse(option, input).success) ??
        def.options.find((option) => isOfKind(option, def, input))
      return taken ? droppedFields(taken, input, path) : []
    }
    case 'intersection': {
      const ofRight = new Set(droppedFields(def.right, input, path))
      return droppedFields(def.left, input, path).filter((field) => ofRight.has(field))
    }
    case 'pipe':
      return droppedFields(def.in, input, path)
    case 'lazy':
      return droppedFields(def.getter(), input, path)
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'nonoptional':
    case 'readonly':
    case 'catch':
      return input === undefined || input === null ? [] : droppedFields(def.innerType, input, path)
    default:
      return []
  }
}

/** Returns whether the field that tells the choices of a union apart has the value of this choice. */
function isOfKind(option: z.core.$ZodType, union: object, input: unknown): boolean {
  const { def } = (option as z.core.$ZodTypes)._zod
  if (!('discriminator' in union) || def.type !== 'object' || !isObject(input)) return false
  const kind = def.shape[String(union.discriminator)]
  return kind !== undefined && z.safeParse(kind, input[String(union.discriminator)]).success
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
