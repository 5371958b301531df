type Schema = Record<string, unknown>

const deepest = 8
const formats: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  'date-time': '2026-01-31T12:00:00Z',
  time: '12:00:00Z',
  email: 'name@example.org',
  uri: 'https://example.org',
  uuid: '00000000-0000-7000-8000-000000000000',
}

/**
 * Returns an example value of a schema, so that people see what an answer looks like. Lengths and patterns are ignored.
 */
export function schemaSample(schema: Schema): unknown {
  return sample(schema, schema, 0)
}

function sample(schema: unknown, root: Schema, depth: number): unknown {
  if (!isObject(schema) || depth > deepest) return null
  const {
    $ref,
    anyOf,
    oneOf,
    allOf,
    examples,
    const: only,
    enum: values,
    default: defaultValue,
  } = schema
  if (only !== undefined) return only
  const [given] = [values, examples].filter(Array.isArray).flat()
  if (given !== undefined) return given
  if (defaultValue !== undefined) return defaultValue
  if (typeof $ref === 'string') return sample(referredBy($ref, root), root, depth + 1)
  const [choice] = [anyOf, oneOf, allOf].filter(Array.isArray).flat()
  return choice === undefined ? sampleOfType(schema, root, depth) : sample(choice, root, depth + 1)
}

function sampleOfType(schema: Schema, root: Schema, depth: number): unknown {
  const { properties, items, minimum, format } = schema
  const type: unknown = Array.isArray(schema.type) ? schema.type[0] : schema.type
  switch (type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(isObject(properties) ? properties : {}).map(([name, each]) => [
          name,
          sample(each, root, depth + 1),
        ]),
      )
    case 'array':
      return items === undefined ? [] : [sample(items, root, depth + 1)]
    case 'string':
      return (typeof format === 'string' && formats[format]) || 'text'
    case 'integer':
    case 'number':
      return typeof minimum === 'number' ? minimum : 1
    case 'boolean':
      return true
    default:
      return null
  }
}

function referredBy($ref: string, root: Schema): unknown {
  if ($ref === '#') return root
  const [, place, name] = /^#\/(\$defs|definitions)\/([^/]+)$/.exec($ref) ?? []
  const defs = place && root[place]
  return isObject(defs) && name !== undefined && Object.hasOwn(defs, name) ? defs[name] : null
}

function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
