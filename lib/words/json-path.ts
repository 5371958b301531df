import type { PathStep } from './json-text'

/** The most values that are looked at, because a model can make arguments of any size. */
const maxVisits = 20_000

/** Thrown when more would be looked at than a decision may take time for. */
export class TooMuchError extends Error {}

/**
 * Returns the values at a path in JSON-like arguments. Own properties only, so that neither `constructor` nor the
 * length of an array is found. Throws TooMuchError for paths to too many places.
 */
export function valuesAt(root: unknown, steps: readonly PathStep[]): unknown[] {
  let found: unknown[] = [root]
  let visits = 0
  for (const step of steps) {
    const next: unknown[] = []
    for (const value of found) {
      for (const inner of innerValues(value, step)) {
        if (++visits > maxVisits) throw new TooMuchError()
        next.push(inner)
      }
    }
    found = next
  }
  return found
}

function innerValues(value: unknown, step: PathStep): unknown[] {
  if (typeof value !== 'object' || value === null) return []
  switch (step.type) {
    case 'name':
      return Array.isArray(value) || !Object.hasOwn(value, step.name)
        ? []
        : [(value as Record<string, unknown>)[step.name]]
    case 'index':
      return Array.isArray(value) && step.index < value.length ? [value[step.index]] : []
    case 'all':
      return Object.values(value)
    default:
      return step satisfies never
  }
}
