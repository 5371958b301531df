import { parseArguments } from '@/components/trace/short-arguments'
import { escapeInvisible } from '@/lib/words/clean-text'
import { type FieldValues, jsonOf, type SchemaField, schemaFields, valuesOf } from './schema-fields'

/** null = nobody knows the schema, and the arguments are typed as JSON alone. */
export type Schema = Readonly<Record<string, unknown>> | null

/** Typed values, in fields or as JSON. `others`: values of the JSON without a field. */
export type SchemaDraft =
  | { mode: 'fields'; values: FieldValues; others: Readonly<Record<string, unknown>> }
  | { mode: 'json'; text: string }

/** Returns an empty form; JSON alone for a schema that has no fields. */
export function emptyDraft(schema: Schema): SchemaDraft {
  return fieldsOf(schema) === null
    ? { mode: 'json', text: '{}' }
    : { mode: 'fields', values: {}, others: {} }
}

/** Returns a form filled with JSON, which is shown as JSON where there are no fields for it. */
export function filledDraft(schema: Schema, text: string): SchemaDraft {
  const fields = fieldsOf(schema)
  const read = fields && valuesOf(fields, text)
  return read ? { mode: 'fields', ...read } : { mode: 'json', text: editable(text) }
}

/** Returns the fields of a schema; null = it has none that can be shown. */
export function fieldsOf(schema: Schema): readonly SchemaField[] | null {
  return schema && schemaFields(schema)
}

/** Returns JSON as text to edit: indented, with invisible characters as escapes, which mean the same in JSON. */
function editable(text: string): string {
  const parsed = parseArguments(text)
  return parsed ? escapeInvisible(JSON.stringify(parsed, null, 2)) : text
}

/** Returns the JSON of what was typed. */
export function draftText(schema: Schema, draft: SchemaDraft): string {
  if (draft.mode === 'json') return draft.text
  return jsonOf(fieldsOf(schema) ?? [], draft.values, draft.others)
}
