import { isObject } from './keyword'

/**
 * Mapping of an OpenAPI `discriminator`: the index of each named schema in the choice. `isWhole`: the mapping names all
 * of them, so other names are errors.
 */
type AlternativeNames = { property: string; places: ReadonlyMap<string, number>; isWhole: boolean }

/** Returns what a discriminator names among these schemas; null = it says nothing that can be followed. */
export function alternativeNames(
  discriminator: unknown,
  schemas: readonly unknown[],
): AlternativeNames | null {
  if (!isObject(discriminator) || typeof discriminator.propertyName !== 'string') return null
  const references = schemas.map((schema) => (isObject(schema) ? schema.$ref : undefined))
  const mapping = isObject(discriminator.mapping) ? Object.entries(discriminator.mapping) : []
  const places = new Map<string, number>()
  // A schema that no mapping names has the last part of its address as its name.
  for (const [place, reference] of references.entries()) {
    const name = typeof reference === 'string' ? reference.split('/').at(-1) : undefined
    if (name !== undefined) places.set(name, place)
  }
  const mapped = new Set<number>()
  for (const [name, reference] of mapping) {
    const place = references.findIndex((each) => isSame(each, reference))
    if (place === -1) continue
    places.set(name, place)
    mapped.add(place)
  }
  if (places.size === 0) return null
  return { property: discriminator.propertyName, places, isWhole: mapped.size === schemas.length }
}

/** Returns whether a mapping names a reference: by its address, or by the name of its schema. */
function isSame(reference: unknown, mapped: unknown): boolean {
  if (typeof reference !== 'string' || typeof mapped !== 'string') return false
  return reference === mapped || reference.split('/').at(-1) === mapped
}
