import { z } from 'zod'
import { isObject } from '@/lib/json-schema/keyword'
import { formatCount } from '@/lib/words/format'
import { ValidationError } from './errors'
import { isStorableText } from './storable-text'

const unstorable = 'This text contains a NUL character or an incomplete character. Remove it.'

/** The most fields that an error names, and the longest path of one: what was sent is not sent back. */
const mostNamed = 50
const longestPath = 200
const more = 'More fields are wrong than can be named here.'

/**
 * Parses what came from outside. Throws ValidationError with one sentence a field ("" = the whole input), also for
 * fields at any depth that the schema would drop, and for text the database cannot keep, unless the schema takes that
 * out itself.
 */
export function parseInput<S extends z.ZodType>(schema: S, input: unknown): z.output<S> {
  const { result, dropped } = notTooDeep(() => ({
    result: schema.safeParse(input, { error: issueWords }),
    dropped: first(droppedFields(schema, input)),
  }))
  if (!result.success || dropped.length > 0) {
    const issues = first(issuesOf(result.error))
    // The first of several sentences about a field is the most basic one.
    throw new ValidationError(Object.fromEntries([...dropped, ...issues.toReversed()]))
  }
  const bad = first(unstorableFields(result.data))
  if (bad.length > 0) throw new ValidationError(Object.fromEntries(bad))
  return result.data
}

type Wrong = readonly [path: string, words: string]

/** Returns the first of some sentences, and one that says that there are more. */
function first(all: Iterable<Wrong>): Wrong[] {
  const found: Wrong[] = []
  for (const [path, words] of all) {
    if (found.length === mostNamed) return [...found, ['', more]]
    found.push([path.slice(0, longestPath), words])
  }
  return found
}

/** Throws ValidationError for what is nested deeper than the stack. */
function notTooDeep<T>(parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    if (error instanceof RangeError) throw new ValidationError({ '': 'This is nested too deeply.' })
    throw error
  }
}

function* issuesOf(error: z.ZodError | undefined): Generator<Wrong> {
  for (const issue of error?.issues ?? []) {
    if (issue.code !== 'unrecognized_keys') yield [issue.path.join('.'), issue.message]
    else for (const key of issue.keys) yield unknownField([...issue.path, key].join('.'))
  }
}

function unknownField(path: string): Wrong {
  return [path, `Unknown field: ${path.slice(0, longestPath)}.`]
}

/** Returns the path of a field below another one, which is not made longer than is shown: the input may be as deep as it is long. */
function below(path: string, key: string | number): string {
  if (path.length > longestPath) return path
  return path === '' ? String(key) : `${path}.${key}`
}

/** Returns the fields that a schema leaves out of an input that fits it. */
function* droppedFields(schema: z.core.$ZodType, input: unknown, path = ''): Generator<Wrong> {
  const { def } = (schema as z.core.$ZodTypes)._zod
  if (input === undefined || input === null) return
  switch (def.type) {
    case 'object':
      if (!isObject(input)) return
      for (const [key, value] of Object.entries(input)) {
        const part = Object.hasOwn(def.shape, key) ? def.shape[key] : catchallOf(def, key)
        if (value === undefined) continue
        if (part) yield* droppedFields(part, value, below(path, key))
        else yield unknownField(below(path, key))
      }
      return
    case 'record': {
      if (!isObject(input)) return
      const names = new Set<unknown>()
      for (const [key, value] of Object.entries(input)) {
        const name = z.safeParse(def.keyType, key).data ?? key
        if (name === prototypeKey) yield unknownField(below(path, key))
        else if (names.has(name)) yield [below(path, key), `Given twice: ${String(name)}.`]
        else yield* droppedFields(def.valueType, value, below(path, key))
        names.add(name)
      }
      return
    }
    case 'array':
    case 'tuple':
      if (!Array.isArray(input)) return
      for (const [place, value] of input.entries()) {
        const part = def.type === 'array' ? def.element : (def.items[place] ?? def.rest)
        if (part) yield* droppedFields(part, value, below(path, place))
      }
      return
    case 'union': {
      const taken =
        def.options.find((option) => z.safeParse(option, input).success) ??
        def.options.find((option) => isOfKind(option, def, input))
      if (taken) yield* droppedFields(taken, input, path)
      return
    }
    case 'intersection': {
      const ofRight = new Map(droppedFields(def.right, input, path))
      for (const field of droppedFields(def.left, input, path))
        if (ofRight.has(field[0])) yield field
      return
    }
    case 'pipe':
      return yield* droppedFields(def.in, input, path)
    case 'lazy':
      return yield* droppedFields(def.getter(), input, path)
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'nonoptional':
    case 'readonly':
    case 'catch':
      return yield* droppedFields(def.innerType, input, path)
    default:
      return
  }
}

/** Zod drops a field of this name from every object, also from one that keeps unknown fields. */
const prototypeKey = '__proto__'

function catchallOf(
  { catchall }: { catchall?: z.core.$ZodType | undefined },
  key: string,
): z.core.$ZodType | undefined {
  return key === prototypeKey ? undefined : catchall
}

/** Returns whether the input names this option in the discriminator of the union. False for a union without one. */
function isOfKind(option: z.core.$ZodType, union: object, input: unknown): boolean {
  const { def } = (option as z.core.$ZodTypes)._zod
  if (!('discriminator' in union) || def.type !== 'object' || !isObject(input)) return false
  const kind = def.shape[String(union.discriminator)]
  return kind !== undefined && z.safeParse(kind, input[String(union.discriminator)]).success
}

/** Returns the texts and property names that cannot be stored. Input may be nested deeper than the stack. */
function* unstorableFields(data: unknown): Generator<Wrong> {
  const pending: [path: string, value: unknown][] = [['', data]]
  for (let next = pending.pop(); next; next = pending.pop()) {
    const [path, value] = next
    if (typeof value === 'string' && !isStorableText(value)) yield [path, unstorable]
    if (typeof value !== 'object' || value === null) continue
    for (const [key, part] of Object.entries(value)) {
      if (isStorableText(key)) pending.push([below(path, key), part])
      else yield [path, unstorable]
    }
  }
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
  const figure = Number.isInteger(limit) ? formatCount(Number(limit)) : limit
  return `${words} ${figure}${units[origin] ?? ''}.`
}
