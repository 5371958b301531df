import { type CheckState, countProperties, spend, spendOnText, wrong } from './check-value'
import { isEqual, isMultiple, sizeOf } from './exact-values'
import { countWords, isCount, isObject, type Keyword, must } from './keyword'

// Keywords for a single value: its type, its choices, and limits of numbers, texts and sizes.

const types = new Map<string, (value: unknown) => boolean>([
  ['string', (value) => typeof value === 'string'],
  ['number', (value) => typeof value === 'number'],
  ['integer', (value) => Number.isInteger(value)],
  ['boolean', (value) => typeof value === 'boolean'],
  ['object', isObject],
  ['array', (value) => Array.isArray(value)],
  ['null', (value) => value === null],
])

function typeName(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

export const type: Keyword = (value) => {
  const names = new Set<unknown>(Array.isArray(value) ? value : [value])
  const tests = [...names].flatMap(
    (name) => (typeof name === 'string' ? types.get(name) : []) ?? [],
  )
  must(
    names.size > 0 && tests.length === names.size,
    `Write one of ${[...types.keys()].join(', ')}.`,
  )
  const words = [...names].join(' or ')
  return (look) =>
    tests.some((test) => test(look.value)) ||
    wrong(look, `expected ${words}, got ${typeName(look.value)}`, { isKind: true })
}

const longestList = 100
const longestText = 300

export const enumeration: Keyword = (value) => {
  must(Array.isArray(value), 'This must be a list of values.')
  return oneOfValues(value, 'must be one of the values')
}

export const constant: Keyword = (value) => oneOfValues([value], 'must be')

function oneOfValues(values: readonly unknown[], words: string) {
  const simple = new Set(values.filter((each) => !isPart(each)))
  const parts = values.filter(isPart).map((each) => ({ each, size: sizeOf(each) }))
  const shown = sizeOf(values) <= longestList ? `: ${listed(values)}` : ''
  return (look: CheckState) => {
    const { value } = look
    const countOf = (object: object) => countProperties(look, object)
    const isFit = isPart(value)
      ? parts.some(({ each, size }) => spend(look, size) && isEqual(each, value, countOf))
      : simple.has(value)
    return isFit || wrong(look, `${words}${shown}`, { isKind: true })
  }
}

function listed(values: readonly unknown[]): string {
  const text = values.map((each) => JSON.stringify(each)).join(', ')
  return text.length <= longestText ? text : `${text.slice(0, longestText)}…`
}

function isPart(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** Makes a keyword with a number, about values of one type. */
function limit<T>(
  isOf: (value: unknown) => value is T,
  holds: (value: T, limit: number, look: CheckState) => boolean,
  words: (limit: number) => string,
): Keyword {
  return (value) => {
    must(typeof value === 'number' && Number.isFinite(value), 'This must be a number.')
    return (look) =>
      !isOf(look.value) || holds(look.value, value, look) || wrong(look, words(value))
  }
}

const isNumber = (value: unknown) => typeof value === 'number'

/** Makes the keywords for one bound of a number. In draft 4, `exclusiveMaximum: true` changes what `maximum` means. */
function bound(
  name: 'minimum' | 'maximum',
  exclusive: 'exclusiveMinimum' | 'exclusiveMaximum',
): [inclusive: Keyword, exclusive: Keyword] {
  const sign = name === 'maximum' ? 1 : -1
  const within = (value: number, most: number) => sign * value <= sign * most
  const below = (value: number, most: number) => sign * value < sign * most
  const least = name === 'maximum' ? 'at most' : 'at least'
  const beyond = name === 'maximum' ? 'less than' : 'more than'
  const inclusive = limit(isNumber, within, (most) => `must be ${least} ${most}`)
  const strict = limit(isNumber, below, (most) => `must be ${beyond} ${most}`)
  return [
    (value, reading) => (reading.schema[exclusive] === true ? strict : inclusive)(value, reading),
    (value, reading) => (typeof value === 'boolean' ? null : strict(value, reading)),
  ]
}

export const [minimum, exclusiveMinimum] = bound('minimum', 'exclusiveMinimum')
export const [maximum, exclusiveMaximum] = bound('maximum', 'exclusiveMaximum')

/** Returns the steps of a comparison, which has as many digits as there are between the two numbers. */
function stepsOf(value: number, of: number): number {
  const digits = Math.abs(Math.log10(Math.abs(value) / of))
  return 1 + Math.min(Number.isNaN(digits) ? 0 : digits, 700) / 8
}

const multiples = limit(
  isNumber,
  (value, of, look) => spend(look, stepsOf(value, of)) && isMultiple(value, of),
  (of) => `must be a multiple of ${of}`,
)

export const multipleOf: Keyword = (value, reading) => {
  must(typeof value === 'number' && value > 0, 'This must be a number above 0.')
  return multiples(value, reading)
}

/** Makes a keyword that counts characters, items or properties. */
function counted<T>(
  isOf: (value: unknown) => value is T,
  holds: (value: T, limit: number, look: CheckState) => boolean,
  least: 'at least' | 'at most',
  things: string,
): Keyword {
  const check = limit(isOf, holds, (count) => `must have ${least} ${count} ${things}`)
  return (value, reading) => {
    must(isCount(value), countWords)
    return check(value, reading)
  }
}

const isText = (value: unknown) => typeof value === 'string'
const isList = (value: unknown): value is unknown[] => Array.isArray(value)

function charactersOf(text: string, look: CheckState): number {
  if (!spend(look, text.length / 16)) return 0
  let count = 0
  for (const _ of text) count += 1
  return count
}

// A character outside the basic plane is one character, and has the length 2.
export const minLength = counted(
  isText,
  (text, least, look) =>
    text.length >= least && (text.length >= least * 2 || charactersOf(text, look) >= least),
  'at least',
  'characters',
)
export const maxLength = counted(
  isText,
  (text, most, look) =>
    text.length <= most || (text.length <= most * 2 && charactersOf(text, look) <= most),
  'at most',
  'characters',
)
export const minItems = counted(isList, ({ length }, least) => length >= least, 'at least', 'items')
export const maxItems = counted(isList, ({ length }, most) => length <= most, 'at most', 'items')
export const minProperties = counted(
  isObject,
  (value, least, look) => countProperties(look, value) >= least,
  'at least',
  'properties',
)
export const maxProperties = counted(
  isObject,
  (value, most, look) => countProperties(look, value) <= most,
  'at most',
  'properties',
)

export const pattern: Keyword = (value, { matcher }) => {
  must(typeof value === 'string', 'This must be text.')
  const { matches, steps } = matcher(value, 'pattern')
  return (look) => {
    const { value: text } = look
    if (typeof text !== 'string') return true
    if (!spendOnText(look, (text.length + 1) * steps)) return false
    return matches(text) || wrong(look, `must match the pattern ${value.slice(0, longestText)}`)
  }
}
