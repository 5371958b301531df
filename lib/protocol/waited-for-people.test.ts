import { expect, test } from 'vitest'
import { call, end, message, roundStart, start } from '@/tests/support/trace-events'
import { applyRunEvent, initialRunState } from './fold-run'
import type { RunEvent, RunEventBody } from './run-event'
import { waitedForPeopleMs } from './waited-for-people'

const asks = (name: string): RunEventBody => ({
  type: 'approval-request',
  data: {
    ...{ round: 1, callId: `call-${name}`, approvalId: name, name, argumentsHash: 'x' },
    ...{ ruleId: null, ruleName: 'Writes', expiresAt: 900_000 },
  },
})
const decides = (name: string): RunEventBody => ({
  type: 'approval-decision',
  data: {
    ...{ round: 1, callId: `call-${name}` },
    decision: { type: 'approved', by: 'ada@example.org', message: '' },
  },
})

function waited(...events: [at: number, body: RunEventBody][]): number {
  const all: [number, RunEventBody][] = [
    [0, start],
    [0, roundStart(1)],
    [0, message(1, { toolCalls: [call('a', '{}'), call('b', '{}')] })],
    ...events,
  ]
  const state = all.reduce(
    (before, [at, body], place) =>
      applyRunEvent(before, { ...body, runId: 'run-1', seq: place + 1, at } as RunEvent),
    initialRunState,
  )
  return waitedForPeopleMs(state)
}

test('the wait of a round ends with its last decision, or with the run', () => {
  expect(waited([100, asks('a')], [110, asks('b')])).toBe(0)
  expect(waited([100, asks('a')], [110, asks('b')], [400, decides('b')], [700, decides('a')])).toBe(
    600,
  )
  expect(waited([100, asks('a')], [400, end])).toBe(300)
  expect(waited([400, end])).toBe(0)
})
