import { expect, test } from 'vitest'
import { readCondition } from '@/lib/engines/runtime/policy/conditions'
import type { Outcome } from '@/lib/protocol/tool'
import {
  call,
  callEnd,
  end,
  message,
  ok,
  roundStart,
  start,
  stateOf,
} from '@/tests/support/trace-events'
import { judgeCalls } from './judge-calls'

const matchers = {
  readCondition,
  linearPattern: () => ({ steps: 0, matches: () => false }),
  checkOutput: () => [],
}
const failing = (code: string): Outcome => ({
  type: 'failed',
  code,
  message: 'No.',
  incidentId: null,
})
const ended = (outcome: Outcome, argumentsText = '{}') =>
  stateOf(
    start,
    roundStart(1),
    message(1, { toolCalls: [call('fetch_logs', argumentsText)] }),
    callEnd('fetch_logs', outcome),
    end,
  )
/** Returns the state as of a run whose tools give recorded results. */
const recorded = (outcome: Outcome) => ({
  ...ended(outcome),
  copied: { runId: 'run-0', round: 1, edits: [], recordings: [] },
})
const outcomeIs = (outcome: Outcome['type'], state: ReturnType<typeof ended>) =>
  judgeCalls({ type: 'call-outcome', tool: 'fetch_logs', outcome }, state, matchers)

test('a recorded call without a result counts as what was recorded', () => {
  const state = recorded(failing('timed-out'))
  expect(outcomeIs('timed-out', state).passed).toBe(true)
  expect(outcomeIs('failed', state).passed).toBe(false)
  expect(outcomeIs('failed', ended(failing('timed-out'))).passed).toBe(true)
})

test('a call without a recording is not a failure of its tool', () => {
  expect(outcomeIs('failed', recorded(failing('no-recording')))).toEqual({
    passed: false,
    sentence: 'No call of fetch_logs failed. fetch_logs was called once: 1 had no recording.',
  })
})

const whereLimit = (argumentsText: string) =>
  judgeCalls(
    { type: 'argument', tool: 'fetch_logs', path: '$.limit', operator: 'not-equals', value: '5' },
    ended(ok('done'), argumentsText),
    matchers,
  )

test('an argument is compared as rules compare it', () => {
  expect(whereLimit('{"limit":6}').passed).toBe(true)
  expect(whereLimit('{}').passed).toBe(true)
  expect(whereLimit('{"limit":5}').passed).toBe(false)
})

test('arguments that cannot be read fit nothing', () => {
  expect(whereLimit('{"limit":')).toEqual({
    passed: false,
    sentence:
      'No call of fetch_logs fits: $.limit is not "5". The arguments were {"limit":. Some could not be compared: they are not JSON.',
  })
  expect(whereLimit(`${'['.repeat(70)}${']'.repeat(70)}`).passed).toBe(false)
})

test('several calls with the same end are said in the plural', () => {
  const denied: Outcome = { type: 'denied', gate: 'enabled', reason: 'Off.' }
  const ids = ['fetch_logs', 'again']
  const toolCalls = ids.map((id) => ({ ...call(id), name: 'fetch_logs' }))
  const ends = ids.map((id) => callEnd(id, denied))
  const state = stateOf(start, roundStart(1), message(1, { toolCalls }), ...ends, end)
  expect(outcomeIs('ok', state).sentence).toBe(
    'No call of fetch_logs succeeded. fetch_logs was called twice: 2 were denied (switch).',
  )
})

test('a tool that was not offered and not called is said with its gate', () => {
  const state = stateOf(start, roundStart(1), message(1, {}), end)
  if (!state.start) throw new Error('The run has a start.')
  const rejected = [{ name: 'fetch_logs', gate: 'enabled' as const, reason: 'Off.' }]
  const refused = { ...state, start: { ...state.start, rejected } }
  const { sentence } = judgeCalls(
    { type: 'tool-called', tool: 'fetch_logs', atLeast: 1 },
    refused,
    matchers,
  )
  expect(sentence).toBe(
    'fetch_logs was not called. The run called no tool. The gate “switch” refused it at the start.',
  )
})
