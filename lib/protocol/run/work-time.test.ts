import { expect, test } from 'vitest'
import { call, end, message, roundStart, start } from '@/tests/support/trace-events'
import { applyRunEvent, initialRunState } from './fold-run'
import type { RunEvent, RunEventBody } from './run-event'
import { timeWords, waitedForPeopleMs, waitsOf } from './work-time'

type Timed = [at: number, body: RunEventBody]

const asks = (name: string): RunEventBody => ({
  type: 'approval-request',
  data: {
    round: 1,
    callId: `call-${name}`,
    approvalId: name,
    name,
    argumentsHash: 'x',
    ruleId: null,
    ruleName: 'Writes',
    expiresAt: 900_000,
  },
})
const decides = (name: string): RunEventBody => ({
  type: 'approval-decision',
  data: {
    round: 1,
    callId: `call-${name}`,
    decision: { type: 'approved', by: 'ada@example.org', message: '' },
  },
})

const waited = (...events: Timed[]) => waitedForPeopleMs(stateAt(...events))

function stateAt(...events: Timed[]) {
  const all: Timed[] = [
    [0, start],
    [20, roundStart(1)],
    [0, message(1, { toolCalls: [call('a', '{}'), call('b', '{}')] })],
    ...events,
  ]
  return all.reduce(
    (before, [at, body], place) =>
      applyRunEvent(before, { ...body, runId: 'run-1', seq: place + 1, at } as RunEvent),
    initialRunState,
  )
}

test('the wait of a round ends with its last decision, or with the run', () => {
  expect(waited([100, asks('a')], [110, asks('b')])).toBe(0)
  expect(waited([100, asks('a')], [110, asks('b')], [400, decides('b')], [700, decides('a')])).toBe(
    600,
  )
  expect(waited([100, asks('a')], [400, end])).toBe(300)
  expect(waited([400, end])).toBe(0)
})

test('work is the time of a run without what it waited', () => {
  const people = { waitedForPeopleMs: 420_000, waitedForPlaceMs: 20 }
  expect(timeWords(432_000, people)).toBe('12.0 s of work, 7 min 00 s waiting for approval')
  const place = { waitedForPeopleMs: 0, waitedForPlaceMs: 90_000 }
  expect(timeWords(92_500, place)).toBe('2.50 s of work, 1 min 30 s waiting for a place')
  const both = { waitedForPeopleMs: 420_000, waitedForPlaceMs: 90_000 }
  expect(timeWords(512_500, both)).toBe(
    '2.50 s of work, 7 min 00 s waiting for approval, 1 min 30 s waiting for a place',
  )
  expect(timeWords(2_500, { waitedForPeopleMs: 0, waitedForPlaceMs: 20 })).toBe('2.50 s')
})

test('a run knows how long it waited for people, and for a place before its first round', () => {
  expect(waitsOf(stateAt([100, asks('a')], [400, decides('a')], [500, end]))).toEqual({
    waitedForPeopleMs: 300,
    waitedForPlaceMs: 20,
  })
})
