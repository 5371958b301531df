import { expect, test } from 'vitest'
import type { Assertion } from './assertion'
import { assertionText } from './check-words'

const tool = 'fetch_logs'
const texts: [Assertion, string][] = [
  [{ type: 'tool-called', tool, atLeast: 1 }, 'Calls fetch_logs at least once'],
  [{ type: 'tool-called', tool, atLeast: 1_000 }, 'Calls fetch_logs at least 1\u202f000 times'],
  [{ type: 'tool-not-called', tool }, 'Does not call fetch_logs'],
  [{ type: 'tools-in-order', tools: ['a', 'b', 'c'] }, 'Calls a, then b, then c'],
  [{ type: 'calls-at-most', tool: null, count: 0 }, 'Calls no tool'],
  [{ type: 'calls-at-most', tool: null, count: 2 }, 'Calls tools at most twice'],
  [{ type: 'calls-at-most', tool, count: 0 }, 'Does not call fetch_logs'],
  [
    { type: 'argument', tool, path: '$.limit', operator: 'at-most', value: '5' },
    'Calls fetch_logs where $.limit is at most "5"',
  ],
  [{ type: 'call-outcome', tool, outcome: 'timed-out' }, 'A call of fetch_logs times out'],
  [{ type: 'approval-asked', tool }, 'A call of fetch_logs waits for approval'],
  [{ type: 'gate-refused', tool, gate: 'enabled' }, 'The gate “switch” refuses fetch_logs'],
  [{ type: 'answer-contains', text: 'all\nwell' }, 'The answer contains “all well”'],
  [{ type: 'answer-matches', pattern: '^ok$' }, 'The answer matches the pattern “^ok$”'],
  [{ type: 'answer-fits', schema: {} }, 'The answer fits the JSON Schema'],
  [{ type: 'answer-equals', text: 'Done.' }, 'The answer is “Done.”'],
  [{ type: 'end-reason', reason: 'max-rounds' }, 'Ends with “Round limit”'],
  [{ type: 'rounds-at-most', count: 1 }, 'Takes at most 1 round'],
  [{ type: 'tokens-at-most', count: 1_200 }, 'Uses at most 1\u202f200 tokens'],
  [{ type: 'cost-at-most', microUsd: 2_500 }, 'Costs at most $0.0025'],
  [{ type: 'seconds-at-most', seconds: 12.5 }, 'Works for at most 12.5 seconds'],
  [
    { type: 'judge', configuration: 'fast', rubric: 'It is\nshort.' },
    'Passes the judge fast: “It is short.”',
  ],
]

test.each(texts)('%j has words', (assertion, text) => {
  expect(assertionText(assertion)).toBe(text)
})

test('a tool name with invisible characters shows them', () => {
  expect(assertionText({ type: 'tool-not-called', tool: 'fetch\u200b_logs' })).toBe(
    'Does not call fetch[U+200B]_logs',
  )
})
