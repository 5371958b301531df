type Schema = Record<string, unknown>

/** Keywords that a closed schema cannot have. */
const unknownTo = new Set([
  'patternProperties',
  'propertyNames',
  'prefixItems',
  'contains',
  'definitions',
])
const mostParts = 2_000
const kinds = ['type', 'enum', 'const', 'anyOf', 'oneOf', 'allOf', '$ref']

/**
 * Whether a provider that closes every object (no property beside those that are named) can hold answers to this schema:
 * then what fits the closed schema fits this one. Schemas that refer to themselves are not taken either.
 */
export function isClosable(schema: Schema): boolean {
  return schema.type === 'object' && closes(schema, { root: schema, left: mostParts }, 0)
}

/** `left`: how many more parts are looked at; references may name one part many times. */
type Looking = { root: Schema; left: number }

function closes(schema: unknown, looking: Looking, depth: number): boolean {
  looking.left -= 1
  // Deeper than any provider goes; also the end of a schema that refers to itself.
  if (looking.left < 0 || depth > 24 || !isObject(schema)) return false
  const names = Object.keys(schema)
  if (names.some((name) => unknownTo.has(name))) return false
  if (!kinds.some((kind) => schema[kind] !== undefined)) return false
  const { type, $ref, additionalProperties = false, properties = {}, required = [] } = schema
  if (Array.isArray(type) && (type.includes('object') || type.includes('array'))) return false
  if (additionalProperties !== false || !isObject(properties)) return false
  if (!Array.isArray(required) || !required.every((name) => Object.hasOwn(properties, name))) {
    return false
  }
  if ($ref !== undefined && !closes(referredBy($ref, looking.root), looking, depth + 1))
    return false
  const inner = [
    ...Object.values(properties),
    ...(schema.items === undefined ? [] : [schema.items]),
    ...['anyOf', 'oneOf', 'allOf'].flatMap((name) => list(schema[name])),
  ]
  return inner.every((each) => closes(each, looking, depth + 1))
}

function referredBy($ref: unknown, { $defs }: Schema): unknown {
  const name = typeof $ref === 'string' ? /^#\/\$defs\/([^/]+)$/.exec($ref)?.[1] : undefined
  return name !== undefined && isObject($defs) && Object.hasOwn($defs, name) ? $defs[name] : null
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
