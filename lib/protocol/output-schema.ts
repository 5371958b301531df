import { z } from 'zod'

type Schema = Record<string, unknown>
type Kind =
  | 'schema'
  | 'schemas'
  | 'schema-map'
  | 'text'
  | 'count'
  | 'number'
  | 'flag'
  | 'names'
  | 'any'

/** The supported keywords and their values. Others are refused, because people would expect that they are checked. */
const keywords: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ...kinds('schema', 'items', 'contains', 'propertyNames'),
  ...kinds('schemas', 'prefixItems', 'anyOf', 'oneOf', 'allOf'),
  ...kinds('schema-map', 'properties', '$defs', 'definitions', 'patternProperties'),
  ...kinds('text', '$ref', 'pattern', 'format', 'title', 'description', '$schema', '$comment'),
  ...kinds('count', 'minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties'),
  ...kinds('count', 'maxProperties', 'minContains', 'maxContains'),
  ...kinds('number', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'),
  ...kinds('flag', 'uniqueItems', 'deprecated', 'readOnly', 'writeOnly'),
  ...kinds('names', 'required'),
  ...kinds('any', 'type', 'enum', 'const', 'additionalProperties', 'default', 'examples'),
])

function kinds(kind: Kind, ...names: string[]): [string, Kind][] {
  return names.map((name) => [name, kind])
}

const types = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'])
const mostProblems = 5
const mostSchemas = 2_000
const mostExpanded = 20_000
const mostReferences = 100

/** The `type` that keywords of a single type require beside them. */
const typeOf: ReadonlyMap<string, string> = new Map([
  ...['properties', 'required', 'additionalProperties', 'patternProperties', 'propertyNames'].map(
    (name): [string, string] => [name, 'object'],
  ),
  ...['items', 'prefixItems', 'contains', 'uniqueItems', 'minItems', 'maxItems'].map(
    (name): [string, string] => [name, 'array'],
  ),
  ...['minLength', 'maxLength', 'pattern', 'format'].map((name): [string, string] => [
    name,
    'string',
  ]),
])

/**
 * Returns what is wrong with a JSON Schema (draft 2020-12) that answers are to fit, as sentences with paths; empty when
 * nothing is. Keywords that cannot be checked are refused.
 */
export function schemaProblems(schema: Schema): string[] {
  const problems: string[] = []
  const open: { schema: unknown; path: string }[] = [{ schema, path: '' }]
  const expansion: Expansion = { root: schema, left: mostExpanded }
  for (let seen = 0; open.length > 0 && problems.length < mostProblems; seen++) {
    if (seen > mostSchemas) return ['The schema is too large: it has more than 2,000 parts.']
    const next = open.pop()
    if (!next) continue
    lookAt(next.schema, next.path, { problems, open })
    if (problems.length === 0 && !ends(next.schema, expansion, 0)) {
      return [`${next.path || 'The schema'} refers to itself without an end, or too often.`]
    }
  }
  if (problems.length > 0) return problems
  const compiled = tryCompile(schema)
  return typeof compiled === 'string' ? [compiled] : []
}

type Looking = { problems: string[]; open: { schema: unknown; path: string }[] }

function lookAt(schema: unknown, path: string, { problems, open }: Looking): void {
  const here = path === '' ? 'The schema' : path
  if (typeof schema === 'boolean') return
  if (!isObject(schema)) {
    problems.push(`${here} is not a schema. Write an object, such as {"type": "string"}.`)
    return
  }
  for (const [name, value] of Object.entries(schema)) {
    const at = path === '' ? name : `${path}.${name}`
    const kind = keywords.get(name)
    if (kind === undefined)
      problems.push(`${at}: Toolgate does not check the keyword ${name}. Remove it.`)
    else if (!isOfKind(kind, value)) problems.push(`${at}: ${kindWords[kind]}`)
    else if (kind === 'schema') open.push({ schema: value, path: at })
    else if (kind === 'schemas' && Array.isArray(value)) {
      for (const [index, each] of value.entries())
        open.push({ schema: each, path: `${at}[${index}]` })
    } else if (kind === 'schema-map' && isObject(value)) {
      for (const [key, each] of Object.entries(value))
        open.push({ schema: each, path: `${at}.${key}` })
    } else if (name === 'additionalProperties') open.push({ schema: value, path: at })
    const problem = problemOf(name, value, schema)
    if (problem) problems.push(`${at}: ${problem}`)
  }
}

const kindWords: Record<Kind, string> = {
  schema: 'This must be a schema.',
  schemas: 'This must be a list of schemas.',
  'schema-map': 'This must be an object of schemas.',
  text: 'This must be text.',
  count: 'This must be a whole number, 0 or more.',
  number: 'This must be a number.',
  flag: 'This must be true or false.',
  names: 'This must be a list of names.',
  any: 'This is not valid.',
}

function isOfKind(kind: Kind, value: unknown): boolean {
  switch (kind) {
    case 'schema':
      return isObject(value) || typeof value === 'boolean'
    case 'schemas':
      return Array.isArray(value) && value.length > 0
    case 'schema-map':
      return isObject(value)
    case 'text':
      return typeof value === 'string'
    case 'count':
      return Number.isInteger(value) && Number(value) >= 0
    case 'number':
      return typeof value === 'number' && Number.isFinite(value)
    case 'flag':
      return typeof value === 'boolean'
    case 'names':
      return Array.isArray(value) && value.every((name) => typeof name === 'string')
    case 'any':
      return true
    default:
      return kind satisfies never
  }
}

function problemOf(name: string, value: unknown, schema: Schema): string | null {
  if (name === 'type') {
    const named: unknown[] = Array.isArray(value) ? value : [value]
    const isKnown =
      named.length > 0 && named.every((each) => typeof each === 'string' && types.has(each))
    return isKnown ? null : `Write one of ${[...types].join(', ')}.`
  }
  if (name === 'enum' || name === 'const') {
    const values = name === 'enum' ? value : [value]
    if (!Array.isArray(values) || values.length === 0) return 'This must be a list of values.'
    return values.some((each) => typeof each === 'object' && each !== null)
      ? 'Only text, numbers, true, false and null can be checked here.'
      : null
  }
  if (name === '$ref' && typeof value === 'string' && !/^#(\/|$)/.test(value)) {
    return 'Only references within the schema are followed, such as "#/$defs/item".'
  }
  if (name === 'multipleOf' && Number(value) <= 0) return 'This must be more than 0.'
  const type = typeOf.get(name)
  const said: unknown[] = Array.isArray(schema.type) ? schema.type : [schema.type]
  return type !== undefined && !said.includes(type) ? `Say "type": "${type}" beside it.` : null
}

/** `left`: how many more parts are looked at, where references name one part many times. */
type Expansion = { root: Schema; left: number }

/** Returns whether the references and choices about one value end, without a step into the value. */
function ends(schema: unknown, expansion: Expansion, depth: number): boolean {
  expansion.left -= 1
  if (expansion.left < 0 || depth > mostReferences) return false
  if (!isObject(schema)) return true
  const choices = ['anyOf', 'oneOf', 'allOf'].map((name) => schema[name])
  const same = [...choices.filter(Array.isArray).flat(), referredBy(schema.$ref, expansion.root)]
  return same.every((each) => ends(each, expansion, depth + 1))
}

/**
 * Returns the schema that a reference names; undefined = none. A missing target is reported when the schema is
 * compiled.
 */
function referredBy($ref: unknown, root: Schema): unknown {
  if (typeof $ref !== 'string') return undefined
  let part: unknown = root
  for (const step of $ref.split('/').slice(1)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
    part =
      typeof part === 'object' && part !== null && Object.hasOwn(part, name)
        ? Reflect.get(part, name)
        : undefined
  }
  return part
}

/** Returns a check of values, or the sentence that says why there is none. */
export function tryCompile(schema: Schema): z.ZodType | string {
  try {
    return z.fromJSONSchema(withoutDefaults(schema))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return `The schema cannot be checked: ${reason.slice(0, 300)}`
  }
}

/** Returns the schema without defaults, which would add what an answer lacks. */
function withoutDefaults(schema: Schema): Schema {
  const { default: _, ...rest } = schema
  for (const [name, value] of Object.entries(rest)) {
    const kind = keywords.get(name)
    if ((kind === 'schema' || name === 'additionalProperties') && isObject(value)) {
      rest[name] = withoutDefaults(value)
    } else if (kind === 'schemas' && Array.isArray(value)) {
      rest[name] = value.map((each) => (isObject(each) ? withoutDefaults(each) : each))
    } else if (kind === 'schema-map' && isObject(value)) {
      const entries = Object.entries(value)
      rest[name] = Object.fromEntries(
        entries.map(([key, each]) => [key, isObject(each) ? withoutDefaults(each) : each]),
      )
    }
  }
  return rest
}

function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Keywords that a closed schema cannot have. */
const unknownTo = new Set([
  'patternProperties',
  'propertyNames',
  'prefixItems',
  'contains',
  'definitions',
])
const mostParts = 2_000
const closedKinds = ['type', 'enum', 'const', 'anyOf', 'oneOf', 'allOf', '$ref']

/**
 * Returns whether a provider that closes every object (no other properties than the named ones) can enforce this
 * schema: what fits the closed schema also fits this one. Schemas that refer to themselves are not accepted either.
 */
export function isClosable(schema: Schema): boolean {
  return schema.type === 'object' && closes(schema, { root: schema, left: mostParts }, 0)
}

/** `left`: how many more parts are looked at; references may name one part many times. */
type Closing = { root: Schema; left: number }

function closes(schema: unknown, looking: Closing, depth: number): boolean {
  looking.left -= 1
  // Deeper than any provider goes; also the end of a schema that refers to itself.
  if (looking.left < 0 || depth > 24 || !isObject(schema)) return false
  const names = Object.keys(schema)
  if (names.some((name) => unknownTo.has(name))) return false
  if (!closedKinds.some((kind) => schema[kind] !== undefined)) return false
  const { type, $ref, additionalProperties = false, properties = {}, required = [] } = schema
  if (Array.isArray(type) && (type.includes('object') || type.includes('array'))) return false
  if (additionalProperties !== false || !isObject(properties)) return false
  if (!Array.isArray(required) || !required.every((name) => Object.hasOwn(properties, name))) {
    return false
  }
  if ($ref !== undefined && !closes(referredIn($ref, looking.root), looking, depth + 1))
    return false
  const inner = [
    ...Object.values(properties),
    ...(schema.items === undefined ? [] : [schema.items]),
    ...['anyOf', 'oneOf', 'allOf'].flatMap((name) => list(schema[name])),
  ]
  return inner.every((each) => closes(each, looking, depth + 1))
}

function referredIn($ref: unknown, { $defs }: Schema): unknown {
  const name = typeof $ref === 'string' ? /^#\/\$defs\/([^/]+)$/.exec($ref)?.[1] : undefined
  return name !== undefined && isObject($defs) && Object.hasOwn($defs, name) ? $defs[name] : null
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
