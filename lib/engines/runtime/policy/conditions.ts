import type { ArgumentCondition } from '@/lib/protocol/approval'
import {
  canonicalJson,
  nestedTooDeeply,
  type PathStep,
  parseJsonPath,
} from '@/lib/protocol/json-text'

/**
 * Returns whether a condition matches a call's arguments: any value at its path does, or, for `missing` and the two
 * that begin with `not-`, there is none. Throws for a condition that cannot be read.
 */
export function conditionHolds(condition: ArgumentCondition, args: unknown): boolean {
  const path = parseJsonPath(condition.path)
  if (!path.ok) throw new Error(path.message)
  const found = valuesAt(args, path.steps)
  const { value } = condition
  switch (condition.operator) {
    case 'exists':
      return found.length > 0
    case 'missing':
      return found.length === 0
    case 'equals':
      return found.some((inner) => isEqual(inner, value))
    case 'not-equals':
      return found.length === 0 || found.some((inner) => !isEqual(inner, value))
    case 'contains':
      return found.some((inner) => contains(inner, value))
    case 'not-contains':
      return found.length === 0 || found.some((inner) => !contains(inner, value))
    case 'starts-with':
      return found.some((inner) => typeof inner === 'string' && inner.startsWith(value))
    case 'ends-with':
      return found.some((inner) => typeof inner === 'string' && inner.endsWith(value))
    case 'greater-than':
      return compare(found, value, (inner, limit) => inner > limit)
    case 'less-than':
      return compare(found, value, (inner, limit) => inner < limit)
    default:
      return condition.operator satisfies never
  }
}

/**
 * Returns whether two values are equal: texts by their characters, numbers as numbers, everything else by its JSON. Throws
 * for a value that is nested too deeply, which only some versions of Node can write as JSON.
 */
function isEqual(inner: unknown, value: string): boolean {
  if (typeof inner === 'string') return inner === value
  if (typeof inner === 'number') return inner === toNumber(value)
  const json = JSON.stringify(inner) ?? ''
  if (nestedTooDeeply(json)) throw new RangeError('A value is nested too deeply to be compared.')
  return canonicalJson(json) === canonicalJson(value)
}

function contains(inner: unknown, value: string): boolean {
  if (typeof inner === 'string') return inner.includes(value)
  return Array.isArray(inner) && inner.some((item) => isEqual(item, value))
}

function compare(
  found: unknown[],
  value: string,
  fits: (inner: number, limit: number) => boolean,
): boolean {
  const limit = toNumber(value)
  if (limit === null) throw new Error('The value is not a number.')
  return found.some((inner) => {
    const number = typeof inner === 'string' ? toNumber(inner) : inner
    return typeof number === 'number' && fits(number, limit)
  })
}

function toNumber(text: string): number | null {
  const number = text.trim() === '' ? Number.NaN : Number(text)
  return Number.isFinite(number) ? number : null
}

/** The most values that a rule looks at, because a model can make arguments of any size. */
const maxVisits = 20_000

/** Thrown when a path leads to more values than that. */
class TooManyValuesError extends Error {}

/**
 * Returns the values at a path in JSON-like arguments. Own properties only, so that neither `constructor` nor the
 * length of an array is found. Throws TooManyValuesError for paths to too many places.
 */
function valuesAt(root: unknown, steps: readonly PathStep[]): unknown[] {
  let found: unknown[] = [root]
  let visits = 0
  for (const step of steps) {
    const next: unknown[] = []
    for (const value of found) {
      for (const inner of innerValues(value, step)) {
        if (++visits > maxVisits) throw new TooManyValuesError()
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
