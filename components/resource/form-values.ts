import type { Values } from '@toolgate/server/edge/resource-values'
import { readTyped, typedOf } from '@/lib/shape/field-codec'
import type { Reference, ResourceField } from '@/lib/shape/field-shape'
import type { ResourceFields } from '@/lib/shape/resource'

type Person = { id: string; email: string }

/** Returns what the form of an object holds at first; `start`: of a new one, where that is not the default values. */
export function firstValues(
  fields: ResourceFields,
  stored: Values | null,
  { me }: { me: Person },
  start: (() => Values) | undefined,
): Values {
  const values = Object.entries(fields).map(([name, field]) => {
    if (field.kind === 'reference') return [name, firstReference(field, stored, me)]
    if (field.isSecret) return [name, '']
    return [name, stored && !field.isConfirmation ? stored[name] : emptyValue(field)]
  })
  const typed = typedOf(fields, Object.fromEntries(values))
  return stored ? typed : { ...typed, ...start?.() }
}

function firstReference(field: Reference, stored: Values | null, me: Person) {
  if (!stored) return field.isMany ? [] : field.isCallerByDefault ? me.id : null
  const ids = [stored[field.as] ?? []].flat().map(idOf)
  return field.isMany ? ids : (ids[0] ?? null)
}

/** Returns the id of what a list, an answer or a reference has. */
export function idOf(given: unknown): string {
  return String({ ...Object(given) }.id)
}

/** Returns what a new object has in a field at first. */
function emptyValue(field: ResourceField): unknown {
  if (field.defaultValue !== undefined) return field.defaultValue
  if (field.kind === 'checkbox') return false
  if (field.kind === 'checkboxes') return []
  return field.kind === 'select' || 'codec' in field ? null : ''
}

/** Returns the values of the fields. Nothing picked is sent as "", which is refused beside a field that needs something. */
export function valuesToSend(fields: ResourceFields, typed: Values, isEdit: boolean): Values {
  const values = Object.entries(readTyped(fields, typed)).flatMap(([name, value]) => {
    const field = fields[name]
    // A secret that nothing was typed for stays as it is.
    if (field?.isSecret && value === '') return isEdit ? [] : [[name, null]]
    return [[name, field?.kind === 'reference' ? (value ?? nothingPicked(field)) : value]]
  })
  return Object.fromEntries(values)
}

function nothingPicked({ schema }: ResourceField): '' | null {
  return schema.safeParse(null).success ? null : ''
}
