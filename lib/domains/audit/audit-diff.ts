import type { JsonValue } from '@/lib/protocol/tool'
import { shownCharacters } from '@/lib/words/clean-text'

/** One field of a change: its path ("limits.rounds"), and both sides; undefined = it was not there. */
export type FieldChange = {
  field: string
  before: JsonValue | undefined
  after: JsonValue | undefined
  changed: boolean
}

type Fields = Map<string, JsonValue>

/**
 * Returns what a change did, field by field: differing fields first, each group in the order it was written. Objects
 * are compared by field, lists as a whole. A side that is no object is one field named "value".
 */
export function auditDiff(before: JsonValue, after: JsonValue): FieldChange[] {
  const [old, now] = [fieldsOf(before), fieldsOf(after)]
  const names = [...new Set([...old.keys(), ...now.keys()])]
  const changes = names.map((field) => {
    const [before, after] = [old.get(field), now.get(field)]
    const changed = JSON.stringify(before) !== JSON.stringify(after)
    return { field, before: begun(before), after: begun(after), changed }
  })
  return [...changes.filter(({ changed }) => changed), ...changes.filter(({ changed }) => !changed)]
}

/** Returns the beginning of a long text: one character more than a page shows, so that it says that there is more. */
function begun(value: JsonValue | undefined): JsonValue | undefined {
  return typeof value === 'string' ? value.slice(0, shownCharacters + 1) : value
}

function fieldsOf(value: JsonValue): Fields {
  if (value === null) return new Map()
  const fields: Fields = new Map()
  const pending: [path: string, value: JsonValue][] = [['', value]]
  for (let next = pending.shift(); next; next = pending.shift()) {
    const [path, part] = next
    const entries = isObject(part) ? Object.entries(part) : []
    if (entries.length === 0) fields.set(path || 'value', part)
    else
      pending.unshift(
        ...entries.map(([key, each]) => [join(path, key), each] as [string, JsonValue]),
      )
  }
  return fields
}

function isObject(value: JsonValue): value is { [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function join(path: string, key: string): string {
  return path ? `${path}.${key}` : key
}
