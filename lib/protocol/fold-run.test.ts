import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runAgent } from '@/lib/engines/runtime/run-agent'
import { runFixture, runInput, testTool } from '@/tests/support/run-fixture'
import { asks, fails, says } from '@/tests/support/scripted-model'
import { mostGrowth, timeGrowth } from '@/tests/support/time-growth'
import { applyRunEvent, foldRun, initialRunState } from './fold-run'
import { deltaTypes, type RunEvent, RunEventBody } from './run-event'

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
const isDelta = (event: RunEvent) => (deltaTypes as readonly string[]).includes(event.type)
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
  const whole = foldRun(events)
  const place = fc.integer({ min: 0, max: events.length })
  fc.assert(
    fc.property(place, place, (a, b) => {
      const first = foldRun(events.slice(0, Math.max(a, b)))
      expect(foldRun(events.slice(Math.min(a, b)), first)).toEqual(whole)
    }),
  )
})

test('J2: once its deltas are removed an ended journal folds to the same state', () => {
  expect(foldRun(events.filter((event) => !isDelta(event)))).toEqual(foldRun(events))
})

test('a live view sees text, reasoning and calls grow before the message is there', () => {
  const [round] = upTo('message').rounds
  expect(round?.calls.map((call) => call.state)).toEqual([{ type: 'pending' }, { type: 'pending' }])
  const draft = foldRun(
    events.slice(
      0,
      events.findIndex((event) => event.type === 'message'),
    ),
  ).rounds[0]
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
  const before = foldRun(
    events.slice(
      0,
      events.findIndex((event) => event.type === 'message'),
    ),
  )
  const again = events.find((event) => event.type === 'round-start')
  if (!again) throw new Error('There is no round.')
  const after = applyRunEvent(before, { ...again, seq: before.lastSeq + 1 })
  expect(after.rounds).toHaveLength(1)
  expect(after.rounds[0]).toMatchObject({ text: '', reasoningText: '', drafts: [] })
  expect(after.rounds[0]?.notes).toEqual(before.rounds[0]?.notes)
  expect(after.rounds[0]?.notes).toHaveLength(1)
})

test('what an event does not touch stays the same object', () => {
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
  const asked = applyRunEvent(initialRunState, { ...body, seq: 1, data: { by: 'Ada', reason: '' } })
  const twice = applyRunEvent(asked, { ...body, seq: 2, data: { by: 'Eve', reason: '' } })
  expect(twice.cancelRequested?.by).toBe('Ada')

  const ended = foldRun(events)
  const end = events.at(-1)
  if (end?.type !== 'run-end') throw new Error('There is no end.')
  const other = { ...end, seq: end.seq + 1, data: { ...end.data, reason: 'loop' as const } }
  expect(applyRunEvent(ended, other).end?.reason).toBe('completed')
})

test('events of rounds and calls that are not there change nothing', () => {
  const body = { runId: 'run-1', at: 0, seq: 1 }
  const delta: RunEvent = { ...body, type: 'text-delta', data: { round: 7, text: 'x' } }
  expect(applyRunEvent(initialRunState, delta)).toEqual({ ...initialRunState, lastSeq: 1 })
})

test('deltas fold in time that grows with their number alone', () => {
  const start = upTo('round-start')
  const deltas = Array.from(
    { length: 4000 },
    (_, index): RunEvent => ({
      runId: 'run-1',
      at: 0,
      seq: start.lastSeq + index + 1,
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
