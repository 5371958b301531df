import type { ArgumentCondition, ConditionOperator } from '@/lib/protocol/approval'
import type { Matcher } from '@/lib/protocol/json-schema/keyword'
import { linearPattern } from '@/lib/protocol/json-schema/linear-pattern'
import {
  canonicalJson,
  nestedTooDeeply,
  type PathStep,
  parseJsonPath,
} from '@/lib/protocol/json-text'
import { fitsHost, hostOf, readHostPattern } from './match-host'
import { folderIssue, mayBeOutside, mayBeUnder } from './match-path'

/** Whether a condition matches, and the value that decided it; no value = because nothing is at its path. */
export type ConditionAnswer = { holds: boolean; values: readonly unknown[] }

/**
 * Returns whether a condition matches a call's arguments: any value at its path does, or, for `missing` and those that say
 * "not", there is none. Throws for a condition that cannot be read, and for a value that it cannot be compared with.
 */
export function readCondition(condition: ArgumentCondition, args: unknown): ConditionAnswer {
  const path = parseJsonPath(condition.path)
  if (!path.ok) throw new Error(path.message)
  const found = valuesAt(args, path.steps)
  const { operator, value } = condition
  if (operator === 'missing') return { holds: found.length === 0, values: found.slice(0, 1) }
  const fits = comparison(operator, value)
  const isNegated = negated.includes(operator)
  const place = found.findIndex((inner) => fits(inner))
  if (place === -1) return { holds: isNegated && found.length === 0, values: [] }
  return { holds: true, values: [found[place]] }
}

/** They also match when nothing is at the path. */
const negated: readonly ConditionOperator[] = [
  ...(['not-equals', 'not-contains', 'not-matches', 'host-not', 'path-not-under'] as const),
]

type Fits = (inner: unknown) => boolean

/** Returns what asks whether one value fits. Throws for a value to compare with that cannot be read. */
function comparison(operator: Exclude<ConditionOperator, 'missing'>, value: string): Fits {
  switch (operator) {
    case 'exists':
      return () => true
    case 'equals':
      return (inner) => isEqual(inner, value)
    case 'not-equals':
      return (inner) => !isEqual(inner, value)
    case 'contains':
      return (inner) => contains(inner, value)
    case 'not-contains':
      return (inner) => !contains(inner, value)
    case 'starts-with':
      return (inner) => typeof inner === 'string' && inner.startsWith(value)
    case 'ends-with':
      return (inner) => typeof inner === 'string' && inner.endsWith(value)
    case 'matches':
      return matching(value)
    case 'not-matches': {
      const matches = matching(value)
      return (inner) => !matches(inner)
    }
    case 'host-is':
      return ofHost(value, true)
    case 'host-not':
      return ofHost(value, false)
    case 'path-under':
      return ofPath(value, mayBeUnder)
    case 'path-not-under':
      return ofPath(value, mayBeOutside)
    case 'greater-than':
      return comparing(value, (inner, limit) => inner > limit)
    case 'at-least':
      return comparing(value, (inner, limit) => inner >= limit)
    case 'less-than':
      return comparing(value, (inner, limit) => inner < limit)
    case 'at-most':
      return comparing(value, (inner, limit) => inner <= limit)
    default:
      return operator satisfies never
  }
}

/** Returns why the value of a condition cannot be compared with, as a sentence; null = it can. */
export function conditionIssue({ operator, value }: ArgumentCondition): string | null {
  switch (operator) {
    case 'matches':
    case 'not-matches':
      return patternIssue(value)
    case 'host-is':
    case 'host-not':
      return readHostPattern(value) ? null : 'Enter a host, such as example.org or *.example.org.'
    case 'path-under':
    case 'path-not-under':
      return folderIssue(value)
    default:
      return null
  }
}

function patternIssue(pattern: string): string | null {
  try {
    // Schemas may have a bracket that stands for itself; a person who writes one left out the other.
    new RegExp(pattern, 'u')
    compiled(pattern)
    return null
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/^.*: /s, '') : String(error)
    return `This pattern cannot be used: ${why.slice(0, 200)}.`
  }
}

const longestPattern = 500
/** How many characters one condition compares with a pattern in one call. */
const mostCompared = 100_000
const patterns = new Map<string, Matcher>()
const mostPatterns = 1_000

/** Returns a pattern ready to match, from memory where it was used before. Throws an Error that says what is wrong. */
function compiled(pattern: string): Matcher {
  if (pattern.length > longestPattern) throw new Error('it has more than 500 characters')
  const known = patterns.get(pattern)
  if (known) return known
  const matcher = linearPattern(pattern)
  if (patterns.size >= mostPatterns) patterns.clear()
  patterns.set(pattern, matcher)
  return matcher
}

/** Throws TooMuchError for more text than a decision may take time for. */
function matching(pattern: string): Fits {
  const { matches } = compiled(pattern)
  let compared = 0
  return (inner) => {
    const text = typeof inner === 'string' ? inner : plainText(inner)
    if (text === null) return false
    compared += text.length
    if (compared > mostCompared) throw new TooMuchError()
    return matches(text)
  }
}

function plainText(inner: unknown): string | null {
  return typeof inner === 'number' || typeof inner === 'boolean' ? String(inner) : null
}

/** Compares hosts. What cannot be read as one fits both questions, so that no spelling passes a rule; null counts as nothing. */
function ofHost(value: string, wanted: boolean): Fits {
  const pattern = readHostPattern(value)
  if (!pattern) throw new Error('The value is no host.')
  return (inner) => {
    if (inner === null) return !wanted
    const text = typeof inner === 'string' ? inner : plainText(inner)
    const host = text === null ? null : hostOf(text)
    return host === null || fitsHost(host, pattern) === wanted
  }
}

/** Compares paths. What is no text fits both questions; null counts as nothing. */
function ofPath(folder: string, ask: (given: string, folder: string) => boolean): Fits {
  const issue = folderIssue(folder)
  if (issue !== null) throw new Error(issue)
  return (inner) => {
    if (inner === null) return ask === mayBeOutside
    return typeof inner !== 'string' || ask(inner, folder)
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

function comparing(value: string, fits: (inner: number, limit: number) => boolean): Fits {
  const limit = toNumber(value)
  if (limit === null) throw new Error('The value is not a number.')
  return (inner) => {
    const number = typeof inner === 'string' ? toNumber(inner) : inner
    return typeof number === 'number' && fits(number, limit)
  }
}

function toNumber(text: string): number | null {
  const number = text.trim() === '' ? Number.NaN : Number(text)
  return Number.isFinite(number) ? number : null
}

/** The most values that a rule looks at, because a model can make arguments of any size. */
const maxVisits = 20_000

/** Thrown when a condition would look at more than that. */
class TooMuchError extends Error {}

/**
 * Returns the values at a path in JSON-like arguments. Own properties only, so that neither `constructor` nor the
 * length of an array is found. Throws TooMuchError for paths to too many places.
 */
function valuesAt(root: unknown, steps: readonly PathStep[]): unknown[] {
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
