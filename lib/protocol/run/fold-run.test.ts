import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runAgent } from '@/lib/engines/runtime/run-agent'
import type { ApprovalDecision } from '@/lib/protocol/approval'
import { emptyUsage } from '@/lib/protocol/cost/cost'
import { runFixture, runInput, testTool } from '@/tests/support/run-fixture'
import { asks, fails, providerFailure, says } from '@/tests/support/scripted-model'
import { mostGrowth, timeGrowth } from '@/tests/support/time-growth'
import { applyRunEvent, foldRun, initialRunState } from './fold-run'
import { isUndecided } from './round-view'
import {
  answerAfter,
  answerFrom,
  cutDelta,
  growAnswer,
  isDelta,
  type OpenAnswer,
  type RunDelta,
  type RunUpdate,
} from './run-delta'
import { type RunEvent, RunEventBody } from './run-event'

const run = runFixture({
  script: [
    fails('server'),
    [
      { type: 'reasoning-delta', text: 'Let me ' },
      { type: 'tool-call-delta', index: 0, name: 'look', argumentsText: '{"n"' },
      { type: 'tool-call-delta', index: 1, name: 'look', argumentsText: '{}' },
      { type: 'tool-call-delta', index: 0, name: '', argumentsText: ':1}' },
      ...asks(['look', { n: 1 }], ['look', {}]).filter((event) => event.type === 'finish'),
    ],
    asks(['gone']),
    says('All is well.', { reasoning: [{ text: 'Hm.', signature: 's', redacted: false }] }),
  ],
  tools: [testTool('look')],
})
await runAgent(runInput(), run.deps)
run.model.verify()
const { events } = run
/** Events and pieces of answers, as a watcher is told them. */
const updates: RunUpdate[] = events.flatMap((event) => [
  event,
  ...run.deltas.filter(({ start }) => start === event.seq),
])
const beforeMessage = updates.slice(
  0,
  updates.findIndex(({ type }) => type === 'message'),
)
const upTo = (type: RunEvent['type'], nth = 1) => {
  const at = events.flatMap((event, index) => (event.type === type ? [index + 1] : []))[nth - 1]
  return foldRun(events.slice(0, at))
}

test('every event that the runtime writes is one the protocol knows', () => {
  for (const { runId: _runId, seq: _seq, at: _at, ...body } of events) {
    expect(RunEventBody.parse(body)).toEqual(body)
  }
})

test('folding in any two parts, with overlap, gives what folding at once gives', () => {
  const whole = foldRun(updates)
  const place = fc.integer({ min: 0, max: updates.length })
  fc.assert(
    fc.property(place, place, (a, b) => {
      const first = foldRun(updates.slice(0, Math.max(a, b)))
      expect(foldRun(updates.slice(Math.min(a, b)), first)).toEqual(whole)
    }),
  )
})

test('J2: a journal folds to the same state whether its answers were watched or not', () => {
  expect(run.deltas.length).toBeGreaterThan(0)
  expect(foldRun(events)).toEqual(foldRun(updates))
})

test('J2: an answer that comes again, from any place and in pieces of any size, is shown once', () => {
  const begun = foldRun(beforeMessage.filter((update) => !isDelta(update)))
  const shown = foldRun(beforeMessage)
  const start = begun.lastSeq
  const answer: OpenAnswer = { runId: 'run-1', start, length: 0, pieces: [] }
  for (const delta of run.deltas.filter((each) => each.start === start)) growAnswer(answer, delta)
  expect(answer.length).toBeGreaterThan(10)
  const piecesFrom = (length: number, size: number) =>
    answerFrom(answer, length).flatMap((delta) => cutDelta(delta, size))
  fc.assert(
    fc.property(
      fc.nat(answer.length),
      fc.nat(answer.length),
      fc.integer({ min: 1, max: 9 }),
      (a, b, size) => {
        const first = piecesFrom(0, size).filter(({ offset }) => offset < a)
        const known = foldRun(first, begun)
        const { length = 0 } = known.rounds[0]?.streamed ?? {}
        const again = piecesFrom(Math.min(b, length), size)
        expect(foldRun(again, known)).toEqual(shown)
      },
    ),
  )
})

test('J2: a piece after a gap, and one of a request that failed, change nothing', () => {
  const begun = upTo('request-start')
  const piece = (start: number, offset: number, text: string): RunDelta => ({
    runId: 'run-1',
    type: 'text-delta',
    start,
    offset,
    data: { round: 1, text },
  })
  const start = begun.rounds[0]?.streamed?.start ?? 0
  expect(applyRunEvent(begun, piece(start, 3, 'late'))).toBe(begun)
  expect(applyRunEvent(begun, piece(start - 1, 0, 'old'))).toBe(begun)
  expect(applyRunEvent(begun, piece(start, 0, 'new')).rounds[0]?.text).toBe('new')
  const answered = upTo('message')
  expect(applyRunEvent(answered, piece(start, 0, 'new'))).toBe(answered)
})

test('J2: what was shown of an answer that was lost, failed or never came is gone', () => {
  const open = foldRun(beforeMessage)
  const place = { runId: 'run-1', at: 0, seq: open.lastSeq + 1 }
  const data = { round: 1, target: 0, latencyMs: 0, retries: 0 }
  const used = { usage: emptyUsage, costMicroUsd: 0 }
  const failure = providerFailure('server')
  const ends: RunEventBody[] = [
    { type: 'request-lost', data: { ...data, ...used } },
    { type: 'model-fallback', data: { round: 1, from: 0, to: 0, failure } },
    { type: 'model-retry', data: { round: 1, attempt: 1, delayMs: 0, failure, failedCall: data } },
    {
      type: 'run-end',
      data: {
        ...used,
        reason: 'internal-error',
        truncated: true,
        message: '',
        failure: null,
        wallTimeMs: 0,
      },
    },
  ]
  for (const end of ends) {
    const { rounds, end: ended } = applyRunEvent(open, { ...place, ...end })
    expect(rounds[0]).toMatchObject({ text: '', reasoningText: '', drafts: [], streamed: null })
    expect(ended?.truncated ?? false).toBe(false)
    expect(
      answerAfter({ runId: 'run-1', start: 1, length: 0, pieces: [] }, { ...place, ...end }),
    ).toBeNull()
  }
})

test('a live view sees text, reasoning and calls grow before the message is there', () => {
  const [round] = upTo('message').rounds
  expect(round?.calls.map((call) => call.state)).toEqual([{ type: 'pending' }, { type: 'pending' }])
  const draft = foldRun(beforeMessage).rounds[0]
  expect(draft?.reasoningText).toBe('Let me ')
  expect(draft?.drafts).toEqual([
    { index: 0, name: 'look', argumentsText: '{"n":1}' },
    { index: 1, name: 'look', argumentsText: '{}' },
  ])
  expect(round?.drafts).toEqual([])
})

test('calls go from pending over running to ended, and a refused one ends at once', () => {
  expect(upTo('call-start').rounds[0]?.calls[0]?.state).toMatchObject({
    type: 'running',
    attempt: 1,
    effect: 'read',
  })
  expect(upTo('call-end', 2).rounds[0]?.calls.map((call) => call.state.type)).toEqual([
    'ended',
    'ended',
  ])
  expect(foldRun(events).rounds[1]?.calls[0]?.state).toMatchObject({ outcome: { type: 'denied' } })
})

test('a round that begins anew forgets its text but keeps its notes', () => {
  const before = foldRun(beforeMessage)
  const again = events.find((event) => event.type === 'round-start')
  if (!again) throw new Error('There is no round.')
  const after = applyRunEvent(before, { ...again, seq: before.lastSeq + 1 })
  expect(after.rounds).toHaveLength(1)
  expect(after.rounds[0]).toMatchObject({ text: '', reasoningText: '', drafts: [] })
  expect(after.rounds[0]?.notes).toEqual(before.rounds[0]?.notes)
  expect(after.rounds[0]?.notes).toHaveLength(1)
})

test('parts of the state that an event does not change stay the same objects', () => {
  const before = upTo('round-start', 2)
  const after = foldRun(events.slice(before.lastSeq), before)
  expect(after.rounds[0]).toBe(before.rounds[0])
  expect(after.start).toBe(before.start)
})

test('R14: usage and cost add up; one unknown price makes the sum unknown', () => {
  expect(foldRun(events)).toMatchObject({
    usage: { inputTokens: 300, outputTokens: 30 },
    costMicroUsd: 360,
  })
  const message = events.findLast((event) => event.type === 'message')
  if (message?.type !== 'message') throw new Error('There is no message.')
  const unpriced = { ...message, data: { ...message.data, costMicroUsd: null } }
  expect(
    foldRun(events.map((event) => (event === message ? unpriced : event))).costMicroUsd,
  ).toBeNull()
})

test('the first request to cancel and the first end stay', () => {
  const body = { runId: 'run-1', at: 0, type: 'cancel-requested' as const }
  const request = applyRunEvent(initialRunState, {
    ...body,
    seq: 1,
    data: { by: 'Ada', reason: '' },
  })
  const twice = applyRunEvent(request, { ...body, seq: 2, data: { by: 'Eve', reason: '' } })
  expect(twice.cancelRequested?.by).toBe('Ada')

  const ended = foldRun(events)
  const end = events.at(-1)
  if (end?.type !== 'run-end') throw new Error('There is no end.')
  const other = { ...end, seq: end.seq + 1, data: { ...end.data, reason: 'loop' as const } }
  expect(applyRunEvent(ended, other).end?.reason).toBe('completed')
})

test('events of rounds and calls that are not there change nothing', () => {
  const data = { round: 7, target: 0, attempt: 2 }
  const event: RunEvent = { runId: 'run-1', at: 0, seq: 1, type: 'request-start', data }
  expect(applyRunEvent(initialRunState, event)).toEqual({ ...initialRunState, lastSeq: 1 })
})

test('deltas fold in time that grows with their number alone', () => {
  const start = upTo('round-start')
  const deltas = Array.from(
    { length: 4000 },
    (_, index): RunDelta => ({
      runId: 'run-1',
      start: start.lastSeq,
      offset: index * 'token '.length,
      type: 'text-delta',
      data: { round: 1, text: 'token ' },
    }),
  )
  expect(foldRun(deltas, start).rounds[0]?.text).toHaveLength(24_000)
  const growth = timeGrowth(
    deltas.length,
    (length) => deltas.slice(0, length),
    (some) => foldRun(some, start),
  )
  expect(growth).toBeLessThan(mostGrowth)
})

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
  const both = fold(request('a'), request('c'))
  expect(undecided(both)).toEqual(['a', 'c'])
  expect(both).toMatchObject({ waitingSince: 2_000, waitedMs: 0 })
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
