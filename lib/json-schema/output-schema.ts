import { isObject } from './keyword'
import { unmatchedPattern } from './pattern-syntax'
import { readSchema } from './read-schema'

type Schema = Record<string, unknown>

const known = new WeakMap<Schema, string[]>()

/**
 * Returns why answers cannot be checked with a JSON Schema, as sentences with paths; empty = they can. Patterns are only
 * parsed, so that pages do without the engine that matches them.
 */
export function schemaProblems(schema: Schema): string[] {
  const before = known.get(schema)
  if (before) return before
  const read = readSchema(schema, unmatchedPattern)
  const problems = read.type === 'refused' ? read.problems : []
  known.set(schema, problems)
  return problems
}

/** Keywords that a closed schema cannot have. */
const unknownTo = new Set([
  'patternProperties',
  'propertyNames',
  'prefixItems',
  'contains',
  'definitions',
  'not',
  'if',
  'dependentRequired',
  'dependentSchemas',
  'dependencies',
  'unevaluatedProperties',
  'unevaluatedItems',
  'additionalItems',
  '$dynamicRef',
  '$recursiveRef',
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
