import type { ToolSpec } from '@/lib/protocol/tool'
import { exactText, type ParsedJson, parseExact } from '@/lib/words/json-text'
import { isObject, type JsonObject, parseObject } from './json-value'
import { plainParameters } from './plain-parameters'

/**
 * Returns a tool's schema as the APIs take it: an object with `properties`, without choices at its root and without
 * `$schema`, which some servers refuse. Arguments are checked against the schema of the tool itself.
 */
export function toolParameters(tool: ToolSpec): { type: 'object'; [key: string]: unknown } {
  const { $schema: _dialect, ...schema } = plainParameters(tool.parameters)
  return { properties: {}, ...schema, type: 'object' }
}

/**
 * Returns the JSON text of the arguments in `event`; '' = none. Servers send it as text, or as an object, whose numbers
 * have all their digits only in the text of the event.
 */
export function argumentsIn(event: ParsedJson, args: unknown): string {
  if (args === undefined || args === null) return ''
  return typeof args === 'string' ? args : exactText(args, event)
}

/**
 * Returns a past call's arguments for APIs that take an object; `exactJson` writes them as the model did. Arguments
 * that were never a JSON object become `{}`: the result tells the model what was wrong with them (SPEC R11).
 */
export function argumentsObject(argumentsText: string): JsonObject {
  try {
    const value = parseExact(argumentsText)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

/**
 * Returns a past call's arguments for APIs that take JSON text: unchanged when it is an object, else `{}`, never `[]`.
 */
export function argumentsJson(argumentsText: string): string {
  return parseObject(argumentsText) ? argumentsText : '{}'
}

/** Keywords that strict schemas may have, as OpenAI's guide on structured outputs lists them. */
const allowed = new Set([
  'type',
  'title',
  'description',
  'enum',
  'const',
  'anyOf',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'minItems',
  'maxItems',
  'pattern',
  'format',
  'multipleOf',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  '$ref',
  '$defs',
])
/** These say nothing about which values are valid, so they can be left out. */
const droppable = new Set(['$schema', '$comment', 'default', 'examples', 'deprecated'])
const types = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'])
const formats = new Set([
  'date-time',
  'time',
  'date',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uuid',
])

const most = { properties: 5_000, depth: 10, enumValues: 1_000, characters: 15_000 }

/** Counts of the schema so far. */
type Counts = { properties: number; enumValues: number; characters: number }

/** Means: this schema cannot be strict. Never leaves this file. */
class NotStrict extends Error {}

/**
 * Returns the same schema in the form for strict function calling, or null when none allows exactly the same values:
 * every object closed, every property required, and only the keywords that the guide lists.
 */
export function strictSchema(schema: JsonObject): JsonObject | null {
  if (schema.type !== 'object' || schema.anyOf !== undefined || schema.$ref !== undefined)
    return null
  try {
    return strict(schema, 0, { properties: 0, enumValues: 0, characters: 0 })
  } catch (error) {
    if (error instanceof NotStrict) return null
    throw error
  }
}

function strict(schema: unknown, depth: number, counts: Counts): JsonObject {
  if (!isObject(schema)) throw new NotStrict()
  const kept: JsonObject = {}
  for (const [keyword, value] of Object.entries(schema)) {
    if (droppable.has(keyword)) continue
    if (!allowed.has(keyword)) throw new NotStrict()
    kept[keyword] = strictKeyword(keyword, value, depth, counts)
  }
  if (!saysWhatItIs(kept)) throw new NotStrict()
  if (isObjectSchema(kept)) requireClosed(kept, depth, counts)
  return kept
}

function strictKeyword(keyword: string, value: unknown, depth: number, counts: Counts): unknown {
  switch (keyword) {
    case 'properties':
    case '$defs':
      return strictMap(value, keyword === '$defs' ? depth : depth + 1, counts)
    case 'items':
      return strict(value, depth + 1, counts)
    case 'anyOf':
      if (!Array.isArray(value) || value.length === 0) throw new NotStrict()
      return value.map((branch) => strict(branch, depth, counts))
    case 'enum':
    case 'const':
      countValues(keyword === 'enum' ? value : [value], counts)
      return value
    case 'pattern':
      // Looking around and back is more than a grammar can do.
      if (typeof value !== 'string' || /\(\?|\\[1-9k]/.test(value)) throw new NotStrict()
      return value
    case 'format':
      if (typeof value !== 'string' || !formats.has(value)) throw new NotStrict()
      return value
    case '$ref':
      if (typeof value !== 'string' || !/^#(?:\/\$defs\/[^/]+)?$/.test(value)) throw new NotStrict()
      return value
    default:
      return value
  }
}

function strictMap(value: unknown, depth: number, counts: Counts): JsonObject {
  if (!isObject(value)) throw new NotStrict()
  const entries = Object.entries(value)
  counts.properties += entries.length
  for (const [name] of entries) counts.characters += name.length
  return Object.fromEntries(entries.map(([name, schema]) => [name, strict(schema, depth, counts)]))
}

function countValues(values: unknown, counts: Counts): void {
  if (!Array.isArray(values) || values.length === 0) throw new NotStrict()
  counts.enumValues += values.length
  for (const value of values) counts.characters += JSON.stringify(value)?.length ?? 0
}

/**
 * Returns whether a schema says anything. An empty one allows everything, which strict function calling does not
 * support.
 */
function saysWhatItIs(schema: JsonObject): boolean {
  const { type } = schema
  if (Array.isArray(type)) return type.length > 0 && type.every((name) => types.has(name))
  if (type !== undefined) return typeof type === 'string' && types.has(type) && hasItems(schema)
  return ['anyOf', '$ref', 'enum', 'const'].some((keyword) => schema[keyword] !== undefined)
}

function hasItems({ type, items }: JsonObject): boolean {
  return type !== 'array' || items !== undefined
}

function isObjectSchema({ type, properties }: JsonObject): boolean {
  if (properties !== undefined || type === 'object') return true
  return Array.isArray(type) && type.includes('object')
}

function requireClosed(schema: JsonObject, depth: number, counts: Counts): void {
  const names = isObject(schema.properties) ? Object.keys(schema.properties) : []
  const required = new Set(Array.isArray(schema.required) ? schema.required : [])
  const isClosed = schema.additionalProperties === false
  if (!isClosed || required.size !== names.length || !names.every((name) => required.has(name)))
    throw new NotStrict()
  // The guide asks for both, also where there are none.
  schema.properties ??= {}
  schema.required ??= []
  const { properties, enumValues, characters } = counts
  if (depth >= most.depth || properties > most.properties) throw new NotStrict()
  if (enumValues > most.enumValues || characters > most.characters) throw new NotStrict()
}
