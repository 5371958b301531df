import type { ArgumentCondition, ConditionOperator } from './approval'

const host = 'example.org, or *.example.org for the hosts below it.'
const folder = 'An absolute path, such as /srv/reports or C:\\reports.'
const exact = 'Each character counts, also capital letters.'
const pattern =
  'A regular expression. It may match anywhere in the text, unless ^ and $ say otherwise.'

/** Completes "$.path …". `value` false = it compares with nothing; `hint`: what the value has to be. */
export const operatorWords: Record<
  ConditionOperator,
  { word: string; value: boolean; hint?: string }
> = {
  exists: { word: 'is present', value: false },
  missing: { word: 'is missing', value: false },
  equals: { word: 'is', value: true },
  'not-equals': { word: 'is not', value: true, hint: exact },
  contains: { word: 'contains', value: true },
  'not-contains': { word: 'does not contain', value: true, hint: exact },
  'starts-with': { word: 'starts with', value: true },
  'ends-with': { word: 'ends with', value: true },
  matches: { word: 'matches the pattern', value: true, hint: pattern },
  'not-matches': { word: 'does not match the pattern', value: true, hint: pattern },
  'host-is': { word: 'has the host', value: true, hint: host },
  'host-not': { word: 'has another host than', value: true, hint: host },
  'path-under': { word: 'is under', value: true, hint: folder },
  'path-not-under': { word: 'is not under', value: true, hint: folder },
  'greater-than': { word: 'is greater than', value: true },
  'at-least': { word: 'is at least', value: true },
  'less-than': { word: 'is less than', value: true },
  'at-most': { word: 'is at most', value: true },
}

/** Completes "$.path is VALUE, …". */
const looseWords = 'ignoring case, look-alikes and invisible letters'

/** Returns a condition such as `$.amount is greater than 100`. */
export function conditionWords({ path, operator, value, loose }: ArgumentCondition): string {
  const { word, value: compares } = operatorWords[operator]
  const said = compares ? `${path} ${word} ${JSON.stringify(value)}` : `${path} ${word}`
  return loose ? `${said} (${looseWords})` : said
}

/** Those that can be loose. The ones that say "not" cannot: what they let pass has to be exactly what they name. */
const looseOperators: readonly ConditionOperator[] = [
  'equals',
  'contains',
  'starts-with',
  'ends-with',
  'matches',
]

/** Returns whether a comparison may ignore case, look-alikes and invisible letters. */
export function canBeLoose(operator: ConditionOperator): boolean {
  return looseOperators.includes(operator)
}
