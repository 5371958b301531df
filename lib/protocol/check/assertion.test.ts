import { expect, test } from 'vitest'
import { Assertion, Assertions } from './assertion'

const messageOf = (given: unknown) => Assertion.safeParse(given).error?.issues[0]?.message

test('a check without an assertion is refused, and so are more than 50', () => {
  const one = { type: 'tool-not-called', tool: 'fetch_logs' }
  expect(Assertions.safeParse([]).error?.issues[0]?.message).toBe(
    'Assert something: a check without an assertion tests nothing.',
  )
  expect(Assertions.safeParse(Array(50).fill(one)).success).toBe(true)
  expect(Assertions.safeParse(Array(51).fill(one)).error?.issues[0]?.message).toBe(
    'At most 50 assertions.',
  )
})

test('a call is asserted once when no number is given', () => {
  expect(Assertion.parse({ type: 'tool-called', tool: ' fetch_logs ' })).toEqual({
    type: 'tool-called',
    tool: 'fetch_logs',
    atLeast: 1,
  })
})

const argument = { type: 'argument', tool: 'fetch_logs', path: '$.limit' }
const refused: [title: string, given: object, message: string | RegExp][] = [
  ['an empty tool name', { type: 'tool-called', tool: ' ' }, 'Name a tool.'],
  ['an order of one tool', { type: 'tools-in-order', tools: ['a'] }, 'Name at least two tools.'],
  [
    'a path that is none',
    { ...argument, path: 'limit', operator: 'exists' },
    'A path begins with $, as in $.user.email.',
  ],
  [
    'a text compared as a number',
    { ...argument, operator: 'at-most', value: 'five' },
    '"at-most" compares numbers. Enter a number.',
  ],
  [
    'a value that is not compared',
    { ...argument, operator: 'exists', value: '5' },
    '"exists" takes no value.',
  ],
  ['an empty text', { type: 'answer-contains', text: ' \n' }, 'Enter a text.'],
  [
    'a pattern with a look-behind',
    { type: 'answer-matches', pattern: '(?<=a)b' },
    /^This pattern cannot be used: /,
  ],
  [
    'a pattern that is none',
    { type: 'answer-matches', pattern: '(' },
    /^This pattern cannot be used: /,
  ],
  ['a schema that cannot be checked', { type: 'answer-fits', schema: { type: 'nothing' } }, /type/],
  ['no time', { type: 'seconds-at-most', seconds: 0 }, 'More than 0.'],
]

test.each(refused)('%s is refused with its reason', (_title, given, message) => {
  if (typeof message === 'string') expect(messageOf(given)).toBe(message)
  else expect(messageOf(given)).toMatch(message)
})

test('an unknown field is refused', () => {
  const given = { type: 'tool-not-called', tool: 'fetch_logs', count: 1 }
  expect(Assertion.safeParse(given).success).toBe(false)
})

const judge = { type: 'judge', configuration: 'fast', rubric: 'It is short.' }
const schema = { type: 'object', properties: { score: { type: 'number' } } }
const passes = { path: '$.score', operator: 'at-least', value: '4' }
const judges: [title: string, given: object, message: string | undefined][] = [
  ['a judge with a rubric', judge, undefined],
  ['a judge with a schema', { ...judge, schema, passes }, undefined],
  ['no rubric', { ...judge, rubric: ' ' }, 'Write what the judge has to look for.'],
  ['a long rubric', { ...judge, rubric: 'x'.repeat(4_001) }, 'At most 4,000 characters.'],
  ['no configuration', { ...judge, configuration: '' }, 'Pick a configuration.'],
  ['a schema alone', { ...judge, schema }, 'Say which answer of the judge passes.'],
  ['what passes alone', { ...judge, passes }, 'Only a judge with a schema has this.'],
]
test.each(judges)('%s is read as it should be', (_, given, message) => {
  expect(messageOf(given)).toBe(message)
})

test('a check has at most five judges', () => {
  expect(Assertions.safeParse(Array(5).fill(judge)).success).toBe(true)
  expect(Assertions.safeParse(Array(6).fill(judge)).error?.issues[0]?.message).toBe(
    'At most 5 judges.',
  )
})
