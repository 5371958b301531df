import { escapeInvisible, visibleText } from '@/lib/words/clean-text'
import { nestedTooDeeply } from '@/lib/words/json-text'

type Schema = Readonly<Record<string, unknown>>

type Facts = {
  name: string
  /** Title in the schema; "": none. */
  title: string
  required: boolean
  /** Description in the schema; "": none. */
  description: string
  /** The same, and its default. */
  hint: string
}
/** One option: what people read, and the JSON that is sent. */
type Option = { label: string; json: string }

/** Control for a property of an object schema. `json`: a property without a control of its own. */
export type SchemaField = Facts &
  (
    | { kind: 'text' | 'number' | 'checkbox' | 'json' }
    | { kind: 'choice'; options: readonly Option[] }
    /** A list of simple values, one a line. */
    | { kind: 'list'; items: 'text' | 'number' }
    | { kind: 'object'; fields: readonly SchemaField[] }
  )

/**
 * Typed or picked values, by the name of the field. A text is that of the field, or the JSON of a choice; a missing one
 * was not given.
 */
export type FieldValues = { readonly [name: string]: string | boolean | FieldValues }

/** A schema may come from a server that nobody trusts. */
const mostFields = 100
const deepest = 4

/** Returns the fields of an object schema; null = it is typed as JSON alone. */
export function schemaFields(schema: Schema, depth = 0): readonly SchemaField[] | null {
  const properties = Object.entries(asSchema(schema.properties))
  const isRead = !('$ref' in schema || 'anyOf' in schema || 'oneOf' in schema || 'allOf' in schema)
  if (!isRead || properties.length > mostFields || depth > deepest) return null
  const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : []
  return properties.map(([name, value]) =>
    fieldOf(name, asSchema(value), required.includes(name), depth),
  )
}

function fieldOf(name: string, schema: Schema, required: boolean, depth: number): SchemaField {
  const description = wordsOf(schema.description, 1_000)
  const facts = {
    name,
    required,
    description,
    title: wordsOf(schema.title, 100),
    hint: [description, defaultOf(schema)].filter(Boolean).join(' '),
  }
  if (Array.isArray(schema.enum))
    return { ...facts, kind: 'choice', options: optionsOf(schema.enum) }
  const { items, type } = schema
  const of = simpleKind(asSchema(items))
  if (type === 'array' && of) return { ...facts, kind: 'list', items: of }
  const fields = type === 'object' && schema.properties ? schemaFields(schema, depth + 1) : null
  if (fields) return { ...facts, kind: 'object', fields }
  if (type === 'boolean') return { ...facts, kind: 'checkbox' }
  return { ...facts, kind: simpleKind(schema) ?? 'json' }
}

function simpleKind({ type, enum: choices }: Schema): 'text' | 'number' | null {
  if (choices !== undefined) return null
  if (type === 'string') return 'text'
  return type === 'number' || type === 'integer' ? 'number' : null
}

function optionsOf(values: readonly unknown[]): Option[] {
  return values.slice(0, 500).map((value) => {
    const json = JSON.stringify(value) ?? 'null'
    return { json, label: visibleText(typeof value === 'string' ? value : json) }
  })
}

function wordsOf(said: unknown, most: number): string {
  return typeof said === 'string' ? visibleText(said).slice(0, most) : ''
}

function defaultOf({ default: usual }: Schema): string {
  return usual === undefined ? '' : `Default: ${visibleText(JSON.stringify(usual))}`
}

function asSchema(value: unknown): Schema {
  return isObject(value) ? value : {}
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Returns the JSON of what was typed. Numbers keep all their digits, and JSON that is typed stays as it is: whether it is
 * right, the tool says. What was left empty is left out. `others`: members that no field has.
 */
export function jsonOf(
  fields: readonly SchemaField[],
  values: FieldValues,
  others: Readonly<Record<string, unknown>> = {},
): string {
  const members = fields.flatMap((field) => {
    const given = Object.hasOwn(values, field.name) ? values[field.name] : undefined
    const isKept = given === undefined && Object.hasOwn(others, field.name)
    const json = isKept ? null : memberOf(field, given)
    return json === null ? [] : [[field.name, json] as const]
  })
  const typed = new Set(members.map(([name]) => name))
  const rest = Object.entries(others).flatMap(([name, value]) =>
    typed.has(name) ? [] : [[name, JSON.stringify(value)] as const],
  )
  return `{${[...members, ...rest].map(([name, json]) => `${JSON.stringify(name)}: ${json}`).join(', ')}}`
}

function memberOf(field: SchemaField, value: FieldValues[string] | undefined): string | null {
  if (field.kind === 'object') {
    const json = jsonOf(field.fields, typeof value === 'object' ? value : {})
    return json === '{}' && !field.required ? null : json
  }
  if (typeof value === 'boolean') return String(value)
  if (typeof value !== 'string' || value.trim() === '') return null
  switch (field.kind) {
    case 'text':
      return JSON.stringify(value)
    case 'number':
      return numberText(value)
    case 'list': {
      const lines = value.split('\n').filter((line) => line.trim() !== '')
      return `[${lines.map(field.items === 'text' ? (line) => JSON.stringify(line) : numberText).join(', ')}]`
    }
    case 'checkbox':
    case 'choice':
    case 'json':
      return value.trim()
    default:
      return field satisfies never
  }
}

/** Returns a number as it was typed, and anything else as a text, which the tool then refuses by name. */
function numberText(typed: string): string {
  const text = typed.trim()
  return /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text) ? text : JSON.stringify(text)
}

/** Values of JSON for the fields of a form; `others`: those that no field shows. */
export type FieldsOfJson = { values: FieldValues; others: Record<string, unknown> }

/** Returns what a JSON object puts into the fields; null = the text is no object. */
export function valuesOf(fields: readonly SchemaField[], text: string): FieldsOfJson | null {
  if (nestedTooDeeply(text)) return null
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? split(fields, value) : null
  } catch {
    return null
  }
}

function split(fields: readonly SchemaField[], object: Record<string, unknown>): FieldsOfJson {
  const byName = new Map(fields.map((field) => [field.name, field]))
  const values: [string, FieldValues[string]][] = []
  const others: [string, unknown][] = []
  for (const [name, value] of Object.entries(object)) {
    const field = byName.get(name)
    const shown = field && shownIn(field, value)
    if (shown === undefined) others.push([name, value])
    else values.push([name, shown])
  }
  return { values: Object.fromEntries(values), others: Object.fromEntries(others) }
}

/** Returns a value as its field shows it; undefined = the field cannot show it. */
function shownIn(field: SchemaField, value: unknown): FieldValues[string] | undefined {
  const json = JSON.stringify(value)
  switch (field.kind) {
    case 'text':
      return isReadable(value) && value !== '' ? value : undefined
    case 'number':
      return typeof value === 'number' ? json : undefined
    case 'checkbox':
      return typeof value === 'boolean' ? value : undefined
    case 'choice':
      return field.options.some((option) => option.json === json) ? json : undefined
    case 'list':
      return isLines(value, field.items) ? value.join('\n') : undefined
    case 'object': {
      if (!isObject(value)) return undefined
      const inner = split(field.fields, value)
      return Object.keys(inner.others).length === 0 ? inner.values : undefined
    }
    case 'json':
      return escapeInvisible(json)
    default:
      return field satisfies never
  }
}

/** Returns whether a field shows all characters of a text; in JSON, those that are invisible are escaped. */
function isReadable(value: unknown): value is string {
  return typeof value === 'string' && visibleText(value) === value
}

function isLines(value: unknown, items: 'text' | 'number'): value is (string | number)[] {
  if (!Array.isArray(value) || value.length === 0) return false
  return value.every((item) =>
    items === 'number'
      ? typeof item === 'number'
      : isReadable(item) && item.trim() !== '' && !item.includes('\n'),
  )
}
