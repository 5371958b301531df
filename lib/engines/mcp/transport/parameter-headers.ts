import { z } from 'zod'

const keyword = 'x-mcp-header'
/** Valid header names (RFC 9110, section 5.1). */
const headerName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const sentTypes = new Set<unknown>(['string', 'integer', 'boolean'])
/** Words of a schema whose value is not one, and those whose value has a schema under each name. */
const dataWords = new Set(['default', 'examples', 'example', 'enum', 'const'])
const namedWords = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
])

const Schema = z.record(z.string(), z.unknown())
type Schema = z.output<typeof Schema>
/** A schema within another. A parameter is reached through `properties` alone. */
type Place = { schema: Schema; isParameter: boolean }

/**
 * Returns why a tool cannot be called over HTTP: its schema asks for a parameter in a header of the request, in a way that the
 * protocol forbids (revision 2026-07-28, Streamable HTTP: such tools must be left out). A clause; null = it can be called.
 */
export function headerFault(inputSchema: Schema): string | null {
  const taken = new Set<string>()
  const places: Place[] = partsOf({ schema: inputSchema, isParameter: true })
  if (keyword in inputSchema) return 'all parameters together cannot be a header'
  for (let place = places.pop(); place; place = places.pop()) {
    const fault = keyword in place.schema ? faultOf(place, taken) : null
    if (fault !== null) return fault
    for (const part of partsOf(place)) places.push(part)
  }
  return null
}

function faultOf({ schema, isParameter }: Place, taken: Set<string>): string | null {
  const name = schema[keyword]
  if (typeof name !== 'string' || !headerName.test(name)) {
    return `${JSON.stringify(name).slice(0, 80)} is no name of a header`
  }
  if (!isParameter) return `the header ${name} is not that of a parameter`
  if (!sentTypes.has(schema.type)) {
    return `the header ${name} is that of a parameter that is no string, integer or boolean`
  }
  const known = name.toLowerCase()
  if (taken.has(known)) return `two parameters have the header ${name}`
  taken.add(known)
  return null
}

function partsOf({ schema, isParameter }: Place): Place[] {
  return Object.entries(schema).flatMap(([word, value]) => {
    if (dataWords.has(word) || typeof value !== 'object' || value === null) return []
    const parts = namedWords.has(word) || Array.isArray(value) ? Object.values(value) : [value]
    return parts.flatMap((part) => {
      const { success, data } = Schema.safeParse(part)
      return success ? [{ schema: data, isParameter: isParameter && word === 'properties' }] : []
    })
  })
}
