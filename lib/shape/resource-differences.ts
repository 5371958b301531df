import { factText } from './field-codec'
import type { ResourceField } from './field-shape'
import {
  type AnyResource,
  type Definition,
  type Resource,
  untyped,
  type VersionOf,
} from './resource'

type Values = Readonly<Record<string, unknown>>

/** One field in which two versions differ, as text to compare line by line. */
export type Difference = { field: string; label: string; before: string; after: string }

/** Returns the changes that turn one version into another, in the order of the form. */
export function differencesOf<D extends Definition>(
  resource: Resource<D>,
  before: VersionOf<Resource<D>>,
  after: VersionOf<Resource<D>>,
): Difference[] {
  return findDifferences(untyped(resource), { ...before }, { ...after })
}

/** Returns the changes that turn one version into another, for code that works on any resource. */
export function findDifferences(
  { fields }: Pick<AnyResource, 'fields'>,
  before: Values,
  after: Values,
) {
  return Object.entries(fields).flatMap(([name, field]): Difference[] => {
    const called = field.kind === 'reference' ? field.as : name
    const [old, now] = [before[called], after[called]]
    if (keyOf(field, old) === keyOf(field, now)) return []
    const textOf = (value: unknown, values: Values) => linesOf(field, value, values)
    return [
      { field: called, label: field.label, before: textOf(old, before), after: textOf(now, after) },
    ]
  })
}

/** Returns what a field is compared by. Objects that it refers to are the same while their ids are, whatever their names. */
function keyOf({ kind }: ResourceField, value: unknown): string {
  if (kind !== 'reference') return JSON.stringify(value ?? null)
  return JSON.stringify([value ?? []].flat().map((each) => ({ ...Object(each), name: null })))
}

/** Returns a value as people read it, each entry of a list on a line of its own. */
function linesOf(field: ResourceField, value: unknown, values: Values): string {
  const none = 'none' in field ? (field.none ?? '') : ''
  if (field.kind === 'reference') return [value ?? []].flat().map(referredText).join('\n') || none
  if (Array.isArray(value)) return value.map((each) => factText(field, each, values)).join('\n')
  return factText(field, value, values) || none
}

/** Returns what a reference names; of those that can be off, also that it is. */
function referredText(referred: unknown): string {
  const { name, email, enabled }: Values = { ...Object(referred) }
  return enabled === false ? `${name} (off)` : String(name ?? email)
}
