import { expect, test } from 'vitest'
import type { ApprovalDecision } from '@/lib/protocol/approval'
import { emptyUsage } from '@/lib/protocol/cost/cost'
import { foldRun } from './fold-run'
import { isUndecided } from './round-view'
import type { RunEvent, RunEventBody } from './run-event'

const yes: ApprovalDecision = { type: 'approved', by: 'ada@example.org', message: '' }
const no: ApprovalDecision = { type: 'denied', by: 'bob@example.org', message: 'No.' }

const message: RunEventBody = {
  type: 'message',
  data: {
    round: 1,
    target: 0,
    text: '',
    reasoning: [],
    toolCalls: ['a', 'b', 'c'].map((callId) => ({
      callId,
      providerCallId: callId,
      name: 'save',
      argumentsText: '{}',
    })),
    finishReason: 'tool-calls',
    usage: emptyUsage,
    costMicroUsd: 0,
    latencyMs: 1,
    firstTokenMs: null,
    retries: 0,
  },
}
const roundStart: RunEventBody = {
  type: 'round-start',
  data: { round: 1, closing: false, target: 0, offered: ['save'], contextTokens: 1 },
}
const request = (callId: string): RunEventBody => ({
  type: 'approval-request',
  data: {
    round: 1,
    callId,
    approvalId: `approval-${callId}`,
    name: 'save',
    argumentsHash: 'hash',
    ruleId: null,
    ruleName: 'Writes',
    expiresAt: 1_000_000,
  },
})
const decision = (callId: string, decided: ApprovalDecision): RunEventBody => ({
  type: 'approval-decision',
  data: { round: 1, callId, decision: decided },
})

/** Folds events that are a second apart. */
function fold(...bodies: RunEventBody[]) {
  const events = [roundStart, message, ...bodies].map(
    (body, index): RunEvent => ({ ...body, runId: 'run-1', seq: index + 1, at: index * 1_000 }),
  )
  return foldRun(events)
}

const undecided = (state: ReturnType<typeof fold>) =>
  state.rounds[0]?.calls.filter(isUndecided).map(({ callId }) => callId)

test('a run waits from the first request to the last answer, and that time adds up', () => {
  const requested = fold(request('a'), request('c'))
  expect(undecided(requested)).toEqual(['a', 'c'])
  expect(requested).toMatchObject({ waitingSince: 2_000, waitedMs: 0 })
  const half = fold(request('a'), request('c'), decision('c', no))
  expect(undecided(half)).toEqual(['a'])
  expect(half).toMatchObject({ waitingSince: 2_000, waitedMs: 0 })
  const whole = fold(request('a'), request('c'), decision('c', no), decision('a', yes))
  expect(undecided(whole)).toEqual([])
  expect(whole).toMatchObject({ waitingSince: null, waitedMs: 3_000 })
  const late = [request('b'), decision('b', yes)]
  const again = fold(request('a'), request('c'), decision('c', no), decision('a', yes), ...late)
  expect(again).toMatchObject({ waitingSince: null, waitedMs: 4_000 })
})

test('the first answer counts, and answers to what nobody asked are nothing', () => {
  const state = fold(request('a'), decision('a', no), decision('a', yes), decision('b', yes))
  expect(state.rounds[0]?.calls.map(({ approval }) => approval?.decision?.type)).toEqual([
    'denied',
    undefined,
    undefined,
  ])
  expect(state.waitedMs).toBe(1_000)
})

test('a call that is asked about anew forgets the former answer', () => {
  const state = fold(request('a'), decision('a', yes), request('a'))
  expect(undecided(state)).toEqual(['a'])
  expect(state.waitingSince).toBe(4_000)
})
