import { wordsOf } from '@/lib/protocol/nouns'
import type { ResourceField } from './field-shape'
import type { AnyResource, ResourceFields } from './resource'
import { misfits } from './resource-schemas'

type Values = Readonly<Record<string, unknown>>

/** Returns whether an object with these values has a field, which may be for some kinds only. */
export function hasField({ only }: ResourceField, values: Values): boolean {
  return isOneOf(only, values)
}

function isOneOf(those: ResourceField['only'] = {}, values: Values): boolean {
  return Object.entries(those).every(([name, some]) => some.some((each) => each === values[name]))
}

/** Returns whether nothing is given in a field. */
export function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}

/** Returns the field that a name stands for: its own, or what its reference is called; null = none. */
export function fieldCalled(fields: ResourceFields, called: string): ResourceField | null {
  const reference = Object.values(fields).find(
    (field) => field.kind === 'reference' && field.as === called,
  )
  return fields[called] ?? reference ?? null
}

type Named = [name: string, field: ResourceField]

/** Returns the fields that objects with these values cannot do without, and that are empty. `kept`: stored secrets. */
export function missingFields(
  fields: ResourceFields,
  values: Values,
  kept: ReadonlySet<string>,
): Named[] {
  const isGiven = (name: string) => kept.has(name) || !isEmpty(values[name])
  return Object.entries(fields).filter(([name, field]) => {
    if (requiredWords(field) === null || isGiven(name) || !hasField(field, values)) return false
    if (!isOneOf(field.requiredOf, values)) return false
    return field.requiredBeside === undefined || isGiven(field.requiredBeside)
  })
}

/** Returns what is said when a field that is required is empty; null = it may be. */
function requiredWords(field: ResourceField): string | null {
  return 'required' in field && field.required !== undefined ? field.required : null
}

/**
 * Returns the errors of fields that do not fit one another, by their names. What is switched off may lack secrets. Of what
 * is stored, whatever is not given with a change may be from before a rule.
 */
export function unfitFields(
  resource: Pick<AnyResource, 'noun' | 'nouns' | 'words' | 'shown' | 'fields' | 'together'>,
  { before, given }: { before: Values | null; given: Values },
  kept: ReadonlySet<string>,
): Record<string, string> {
  const { fields, together } = resource
  const values = { ...before, ...given }
  const foreign = Object.entries(fields).filter(
    ([name, field]) =>
      !hasField(field, values) &&
      !isEmpty(values[name]) &&
      JSON.stringify(values[name]) !== JSON.stringify(field.defaultValue),
  )
  const missing = missingFields(fields, values, kept).filter(
    ([, { isSecret }]) => !isSecret || values.enabled !== false,
  )
  const isAsked = Object.keys(together?.shape ?? {}).some((name) => name in given)
  const notHere = `A ${wordsOf(resource).one} of this kind does not have this field. Leave it out.`
  return Object.fromEntries([
    ...foreign.map(([name]) => [name, notHere]),
    ...missing.map(([name, field]) => [name, requiredWords(field)]),
    ...(isAsked ? misfits(values, together) : []),
  ])
}
