import type { Matcher } from '@/lib/json-schema/keyword'
import { linearPattern } from '@/lib/json-schema/linear-pattern'
import type { ArgumentCondition, ConditionOperator } from '@/lib/protocol/approval'
import { canBeLoose } from '@/lib/protocol/condition-words'
import { TooMuchError, valuesAt } from '@/lib/words/json-path'
import { canonicalJson, nestedTooDeeply, parseJsonPath } from '@/lib/words/json-text'
import { looseForm, plainForm } from './alike'
import { fitsHost, hostOf, readHostPattern } from './match-host'
import { folderIssue, mayBeOutside, mayBeUnder } from './match-path'

/** Result of a condition and the value that decided it; no value: its path is empty. */
export type ConditionAnswer = { holds: boolean; values: readonly unknown[] }

/**
 * Returns whether a condition matches a call's arguments: any value at its path does, or, for `missing` and those that say
 * "not", there is none. Throws for a condition that cannot be read, and for a value that it cannot be compared with.
 */
export function readCondition(condition: ArgumentCondition, args: unknown): ConditionAnswer {
  const path = parseJsonPath(condition.path)
  if (!path.ok) throw new Error(path.message)
  const { operator, loose } = condition
  const found = valuesAt(args, path.steps).map((inner) => spelled(operator, inner))
  const value = spelled(operator, condition.value)
  if (operator === 'missing') return { holds: found.length === 0, values: found.slice(0, 1) }
  const fits = loose && canBeLoose(operator) ? alike(operator, value) : comparison(operator, value)
  const isNegated = negated.includes(operator)
  const place = found.findIndex((inner) => fits(inner))
  if (place === -1) return { holds: isNegated && found.length === 0, values: [] }
  return { holds: true, values: [found[place]] }
}

/**
 * Returns a text in one spelling: both of a letter with an accent look alike, and name the same file. Folders are read as each system
 * reads them.
 */
function spelled<T>(operator: ConditionOperator, value: T): T | string {
  const isText = typeof value === 'string' && !operator.startsWith('path-')
  return isText ? value.normalize('NFC') : value
}

/** They also match when nothing is at the path. */
const negated: readonly ConditionOperator[] = [
  'not-equals',
  'not-contains',
  'not-matches',
  'host-not',
  'path-not-under',
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

/** Returns what asks whether a text of a value, however deep in it, fits but for case, look-alikes and invisible letters. */
function alike(operator: ConditionOperator, value: string): Fits {
  if (operator === 'matches') {
    const matches = matching(value, { ignoresCase: true })
    return (inner) => textsIn(inner).some((text) => matches(text) || matches(plainForm(text)))
  }
  const wanted = looseForm(value)
  const asks: Partial<Record<ConditionOperator, (text: string) => boolean>> = {
    equals: (text) => text === wanted,
    contains: (text) => text.includes(wanted),
    'starts-with': (text) => text.startsWith(wanted),
    'ends-with': (text) => text.endsWith(wanted),
  }
  const ask = asks[operator]
  if (!ask) throw new Error(`${operator} compares exactly.`)
  return (inner) => textsIn(inner).some((text) => ask(looseForm(text)))
}

/** Returns the texts of a value, also those in its lists and objects, and their names; numbers and booleans as they are written. */
function textsIn(value: unknown): string[] {
  const texts: string[] = []
  const open = [value]
  while (open.length > 0) {
    const inner = open.pop()
    if (typeof inner !== 'object') texts.push(String(inner))
    else if (Array.isArray(inner)) for (const item of inner) open.push(item)
    else for (const [name, item] of Object.entries(inner ?? {})) open.push(name, item)
  }
  return texts
}

/** Returns why the value of a condition cannot be compared with, as a sentence; null = it can. */
export function conditionIssue({ operator, value, loose }: ArgumentCondition): string | null {
  if (loose && value !== '' && looseForm(value) === '')
    return 'Nothing of this value is left without invisible letters. Compare exactly, or enter another one.'
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
/** Maximum characters that one condition compares with a pattern in one call. */
const mostCompared = 100_000
const patterns = new Map<string, Matcher>()
const mostPatterns = 1_000

/** Returns a pattern ready to match, from memory where it was used before. Throws an Error that says what is wrong. */
function compiled(pattern: string, { ignoresCase = false } = {}): Matcher {
  if (pattern.length > longestPattern) throw new Error('it has more than 500 characters')
  const key = `${ignoresCase ? 'i' : ' '}${pattern}`
  const known = patterns.get(key)
  if (known) return known
  const matcher = linearPattern(pattern, { ignoresCase })
  if (patterns.size >= mostPatterns) patterns.clear()
  patterns.set(key, matcher)
  return matcher
}

/** Throws TooMuchError for more text than a decision may take time for. */
function matching(pattern: string, options?: { ignoresCase: boolean }): Fits {
  const { matches } = compiled(pattern, options)
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

/**
 * Compares numbers. What cannot be read as one fits, so that no spelling passes a rule: a list, other digits, signs between digits.
 * Null counts as nothing.
 */
function comparing(value: string, fits: (inner: number, limit: number) => boolean): Fits {
  const limit = toNumber(value)
  if (limit === null) throw new Error('The value is not a number.')
  return (inner) => {
    if (inner === null) return false
    const number = typeof inner === 'string' ? plainNumber(inner) : inner
    return typeof number !== 'number' || fits(number, limit)
  }
}

/** Returns the number of a text that every reader takes for the same one; null = of any other. */
function plainNumber(text: string): number | null {
  return /^\s*[+-]?\d+(\.\d+)?\s*$/.test(text) ? toNumber(text) : null
}

function toNumber(text: string): number | null {
  const number = text.trim() === '' ? Number.NaN : Number(text)
  return Number.isFinite(number) ? number : null
}
