import { expect, test } from 'vitest'
import { type Assertion, Assertions } from '@/lib/protocol/check/assertion'
import {
  assertionDrafts,
  assertionFieldOf,
  assertionsOf,
  assertionTypeWords,
  draftText,
  newAssertion,
} from './assertion-draft'

const tool = 'fetch_logs'
const each: Assertion[] = [
  { type: 'tool-called', tool, atLeast: 3 },
  { type: 'tool-not-called', tool },
  { type: 'tools-in-order', tools: ['a', 'b'] },
  { type: 'calls-at-most', tool: null, count: 0 },
  { type: 'calls-at-most', tool, count: 1_200 },
  { type: 'argument', tool, path: '$.limit', operator: 'equals', value: ' x ', loose: true },
  { type: 'argument', tool, path: '$.limit', operator: 'exists', value: '' },
  { type: 'call-outcome', tool, outcome: 'timed-out' },
  { type: 'approval-asked', tool },
  { type: 'gate-refused', tool, gate: 'trust-zone' },
  { type: 'answer-contains', text: ' two\nlines ' },
  { type: 'answer-matches', pattern: '^ok ' },
  { type: 'answer-fits', schema: { type: 'object', properties: {} } },
  { type: 'answer-equals', text: 'Done.' },
  { type: 'end-reason', reason: 'loop' },
  { type: 'rounds-at-most', count: 4 },
  { type: 'tokens-at-most', count: 12_000 },
  { type: 'cost-at-most', microUsd: 2_500 },
  { type: 'seconds-at-most', seconds: 12.5 },
  { type: 'judge', configuration: 'fast', rubric: 'It is short.' },
  {
    type: 'judge',
    configuration: 'fast',
    rubric: 'It is short.',
    schema: { type: 'object', properties: { score: { type: 'number' } } },
    passes: { path: '$.score', operator: 'at-least', value: '4' },
  },
]

test('every type comes out of the form as it went in', () => {
  expect(new Set(each.map(({ type }) => type))).toEqual(new Set(Object.keys(assertionTypeWords)))
  expect(assertionsOf(assertionDrafts(each))).toEqual(each)
  expect(Assertions.safeParse(each).success).toBe(true)
})

test('rows have keys of their own', () => {
  const drafts = assertionDrafts(each.slice(0, 2))
  expect([...drafts, newAssertion(drafts)].map(({ key }) => key)).toEqual([0, 1, 2])
  expect(newAssertion([]).key).toBe(0)
})

test('what was typed wrongly is sent, so that the server refuses it beside its field', () => {
  const draft = newAssertion([])
  const sent = assertionsOf([
    { ...draft, type: 'rounds-at-most', count: '' },
    { ...draft, type: 'cost-at-most', microUsd: 'a lot' },
    { ...draft, type: 'answer-fits', schema: '{' },
  ])
  const issues = Assertions.safeParse(sent).error?.issues ?? []
  expect(issues.map(({ path }) => path.join('.'))).toEqual(['0.count', '1.microUsd', '2.schema'])
  expect(issues[0]?.message).toBe('Enter a whole number.')
})

test('a row that is not complete says so', () => {
  const draft = newAssertion([])
  expect(draftText(draft)).toBe('Calls a tool (not complete)')
  expect(draftText({ ...draft, tool })).toBe('Calls fetch_logs at least once')
  expect(draftText({ ...draft, tool, atLeast: 'x' })).toBe('Calls a tool (not complete)')
  expect(draftText({ ...draft, type: 'calls-at-most', count: '2' })).toBe(
    'Calls tools at most twice',
  )
})

test('an error in a list or a schema stands at its field', () => {
  expect(assertionFieldOf('assertions.3.tools.1')).toBe('assertions.3.tools')
  expect(assertionFieldOf('assertions.3.schema.type')).toBe('assertions.3.schema')
  expect(assertionFieldOf('assertions.3.tool')).toBe('assertions.3.tool')
  expect(assertionFieldOf('name')).toBe('name')
})
