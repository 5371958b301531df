import type { ArgumentCondition } from '@/lib/protocol/approval-rule'
import { parseJsonPath } from '@/lib/protocol/json-path'
import { canonicalJson } from '../canonical-json'
import { valuesAt } from './values-at'

/**
 * Whether a condition holds for a call's arguments: any value at its path fits, or, for `missing` and the two that
 * begin with `not-`, none is there at all. Throws for a condition that cannot be read.
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

/** Texts by their characters, numbers as numbers, everything else by its JSON. */
function isEqual(inner: unknown, value: string): boolean {
  if (typeof inner === 'string') return inner === value
  if (typeof inner === 'number') return inner === toNumber(value)
  return canonicalJson(JSON.stringify(inner) ?? '') === canonicalJson(value)
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
