import { partOf } from './find-schemas'
import { isObject, type JsonObject } from './keyword'

/** Way of copying the value of a keyword. */
type Kind = 'schema' | 'list' | 'map' | 'value'

/** The keywords that providers know, or that say nothing about values. */
const kinds: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ...named('schema', ['items', 'contains', 'propertyNames', 'additionalProperties']),
  ...named('list', ['anyOf', 'oneOf', 'allOf', 'prefixItems']),
  ...named('map', ['properties', 'patternProperties', '$defs', 'definitions']),
  ...named('value', ['type', 'enum', 'const', 'required', '$ref', 'pattern', 'format', 'title']),
  ...named('value', ['minLength', 'maxLength', 'minItems', 'maxItems', 'uniqueItems']),
  ...named('value', ['minContains', 'maxContains', 'minProperties', 'maxProperties']),
  ...named('value', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']),
  ...named('value', ['description', 'default', 'examples', 'deprecated', 'readOnly', 'writeOnly']),
  ...named('value', ['$schema', '$comment']),
])

function named(kind: Kind, names: readonly string[]): [string, Kind][] {
  return names.map((name) => [name, kind])
}

const written = new WeakMap<object, JsonObject | null>()

/**
 * Returns the schema of an answer as a request may carry it, the same object each time: without the keywords that providers
 * do not know, so that it allows more. Answers are checked with the schema itself. Null = its references need what would be
 * left out.
 */
export function wireSchema<T extends JsonObject>(schema: T): T | null
export function wireSchema(schema: JsonObject): JsonObject | null {
  const known = written.get(schema)
  if (known !== undefined) return known
  const references: string[] = []
  const plain = copied(schema, references)
  const { $id: _, ...unnamed } = schema
  const leads = (reference: string) =>
    reference === '#' || (/^#\//.test(reference) && partOf(plain, reference.slice(1)) !== undefined)
  const isWhole = references.every(leads) && !JSON.stringify(unnamed).includes('"$id":')
  const result = isWhole ? plain : null
  written.set(schema, result)
  return result
}

function copied(schema: JsonObject, references: string[]): JsonObject {
  const entries = Object.entries(schema).flatMap(([keyword, value]): [string, unknown][] => {
    const kind = kinds.get(keyword)
    if (kind === undefined) return []
    if (keyword === '$ref' && typeof value === 'string') references.push(value)
    if (keyword === 'type' && schema.nullable === true) return [[keyword, withNull(value)]]
    // Draft 4 wrote true here.
    if (keyword.startsWith('exclusive') && typeof value !== 'number') return []
    return kind === 'schema' && Array.isArray(value)
      ? []
      : [[keyword, part(kind, value, references)]]
  })
  return Object.fromEntries(entries)
}

function part(kind: Kind, value: unknown, references: string[]): unknown {
  const inner = (each: unknown) => (isObject(each) ? copied(each, references) : each)
  if (kind === 'schema') return inner(value)
  if (kind === 'list' && Array.isArray(value)) return value.map(inner)
  if (kind !== 'map' || !isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, inner(each)]))
}

function withNull(type: unknown): unknown {
  return Array.isArray(type) ? [...type, 'null'] : [type, 'null']
}
