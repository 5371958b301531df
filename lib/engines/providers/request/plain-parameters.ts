import { partOf } from '@/lib/json-schema/find-schemas'
import { isObject, type JsonObject } from './json-value'

/** Keywords that OpenAI and Anthropic refuse at the root of a tool's parameters. */
const refusedAtRoot = [
  '$ref',
  '$dynamicRef',
  '$recursiveRef',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'enum',
  'const',
  'dependentSchemas',
  'dependencies',
  'discriminator',
  'unevaluatedProperties',
]
const deepest = 8

/** The parameters that parts of a schema name, with what each of them says, and which all of them require. */
type Found = { properties: Map<string, unknown[]>; required: Set<string> }

/**
 * Returns the parameters as every provider takes them: what the parts of a choice or a reference at the root name becomes
 * properties of the root. They allow more than the schema does; the arguments are checked against the schema itself.
 */
export function plainParameters(parameters: JsonObject): JsonObject {
  if (!refusedAtRoot.some((keyword) => parameters[keyword] !== undefined)) return parameters
  const found: Found = { properties: new Map(), required: new Set() }
  collect(parameters, { root: parameters, found, isAll: true, depth: 0 })
  const kept = Object.entries(parameters).filter(([keyword]) => !refusedAtRoot.includes(keyword))
  const properties = [...found.properties].map(([name, schemas]): [string, unknown] => [
    name,
    schemas.length === 1 ? schemas[0] : { anyOf: schemas },
  ])
  return {
    ...Object.fromEntries(kept),
    properties: Object.fromEntries(properties),
    ...(found.required.size > 0 && { required: [...found.required] }),
  }
}

type Collecting = { root: JsonObject; found: Found; isAll: boolean; depth: number }

/** Collects what a part names. `isAll`: it counts always, not only where a choice falls on it. */
function collect(part: unknown, { root, found, isAll, depth }: Collecting): void {
  if (!isObject(part) || depth > deepest) return
  if (isObject(part.properties)) {
    for (const [name, schema] of Object.entries(part.properties)) add(found, name, schema)
  }
  if (isAll && Array.isArray(part.required)) {
    for (const name of part.required) if (typeof name === 'string') found.required.add(name)
  }
  const next = (inner: unknown, counts: boolean) =>
    collect(inner, { root, found, isAll: isAll && counts, depth: depth + 1 })
  if (typeof part.$ref === 'string') next(referredIn(root, part.$ref), true)
  for (const each of listOf(part.allOf)) next(each, true)
  for (const each of [...listOf(part.anyOf), ...listOf(part.oneOf)]) next(each, false)
  for (const each of [part.if, part.then, part.else]) next(each, false)
  for (const each of Object.values(Object(part.dependentSchemas))) next(each, false)
}

function add({ properties }: Found, name: string, schema: unknown): void {
  const known = properties.get(name) ?? []
  const text = JSON.stringify(schema)
  if (known.some((each) => JSON.stringify(each) === text)) return
  properties.set(name, [...known, schema])
}

function referredIn(root: JsonObject, reference: string): unknown {
  return /^#\//.test(reference) ? partOf(root, reference.slice(1)) : undefined
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
