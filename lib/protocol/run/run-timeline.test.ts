import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ProviderFailure } from '@/lib/protocol/model/failure'
import { call, message, ok, roundStart, runId, start } from '@/tests/support/trace-events'
import { foldRun } from './fold-run'
import type { RunEvent, RunEventBody } from './run-event'
import { axisAt, type Bar, extremesOf, timelineOf } from './run-timeline'
import { waitedForPeopleMs } from './work-time'

type Timed = [at: number, body: RunEventBody]

const journal = (...events: Timed[]): RunEvent[] =>
  events.map(([at, body], place) => ({ ...body, runId, seq: place + 1, at: 50_000 + at }))

const stateAt = (...events: Timed[]) => foldRun(journal([0, start], ...events))

const starts = (name: string, round = 1): RunEventBody => ({
  type: 'call-start',
  data: { round, callId: `call-${name}`, name, effect: 'read', attempt: 1 },
})
const ends = (name: string, durationMs: number, round = 1): RunEventBody => ({
  type: 'call-end',
  data: {
    round,
    callId: `call-${name}`,
    name,
    verdict: { allowed: true },
    durationMs,
    outcome: ok('done'),
  },
})
const asks = (name: string, round = 1): RunEventBody => ({
  type: 'approval-request',
  data: {
    round,
    callId: `call-${name}`,
    approvalId: name,
    name,
    argumentsHash: 'x',
    ruleId: null,
    ruleName: 'Writes',
    expiresAt: 900_000,
  },
})
const decides = (name: string, round = 1): RunEventBody => ({
  type: 'approval-decision',
  data: {
    round,
    callId: `call-${name}`,
    decision: { type: 'approved', by: 'ada@example.org', message: '' },
  },
})
const ended = (wallTimeMs: number): Timed => [
  wallTimeMs,
  {
    type: 'run-end',
    data: {
      reason: 'completed',
      truncated: false,
      message: '',
      failure: null,
      usage: { ...usage, inputTokens: 1 },
      costMicroUsd: 1,
      wallTimeMs,
    },
  },
]
const usage = {
  inputTokens: 0,
  outputTokens: 0,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
  estimated: false,
}
const failure: ProviderFailure = {
  category: 'overloaded',
  status: 529,
  advice: 'Try again.',
  incidentId: 'i',
  retryAfterMs: null,
}
const fails = (latencyMs: number, round = 1): RunEventBody => ({
  type: 'model-retry',
  data: {
    round,
    attempt: 1,
    delayMs: 500,
    failure,
    failedCall: { round, target: 0, latencyMs, retries: 0 },
  },
})
const asksAgain = (round = 1): RunEventBody => ({
  type: 'request-start',
  data: { round, target: 0, attempt: 2 },
})

const spansOf = (bars: readonly Bar[]) => bars.map(({ kind, from, to }) => [kind, from, to])
const lengthOf = (bars: readonly Bar[], ...kinds: Bar['kind'][]) =>
  bars
    .filter(({ kind }) => kinds.includes(kind))
    .reduce((sum, { from, to }) => sum + (to ?? from) - from, 0)

describe('the picture of a run', () => {
  const events: Timed[] = [
    [100, roundStart(1)],
    [400, fails(300)],
    [900, asksAgain()],
    [
      2_140,
      message(1, {
        toolCalls: [call('a'), call('b'), call('w')],
        latencyMs: 1_240,
        firstTokenMs: 300,
      }),
    ],
    [2_150, asks('w')],
    [62_150, decides('w')],
    [62_160, starts('a')],
    [62_160, starts('b')],
    [62_460, ends('b', 300)],
    [63_160, ends('a', 1_000)],
    [63_170, starts('w')],
    [63_270, ends('w', 100)],
    [63_300, roundStart(2)],
  ]

  test('has a bar for each try and call, with the times that the journal says', () => {
    const { lines, lanes } = timelineOf(stateAt(...events))
    expect(spansOf(lines[0]?.bars ?? [])).toEqual([
      ['failed', 100, 400],
      ['first-token', 900, 1_200],
      ['streaming', 1_200, 2_140],
    ])
    expect(lines[0]?.calls.map(({ lane, bars }) => [lane, spansOf(bars)])).toEqual([
      [0, [['running', 62_160, 63_160]]],
      [1, [['running', 62_160, 62_460]]],
      [
        2,
        [
          ['waiting', 2_150, 62_150],
          ['running', 63_170, 63_270],
        ],
      ],
    ])
    expect(lanes).toBe(3)
    expect(spansOf(lines[1]?.bars ?? [])).toEqual([['request', 63_300, null]])
  })

  test('begins with the first request: what passed before it is not drawn', () => {
    const { lines } = timelineOf(stateAt(...events))
    expect(lines[0]?.bars[0]).toMatchObject({ from: 100, left: 0, right: 300 })
  })

  test('draws waiting short, and what still goes on up to its end', () => {
    const { lines, end } = timelineOf(stateAt(...events))
    const waiting = lines[0]?.calls[2]?.bars[0]
    const drawn = (waiting?.right ?? 0) - (waiting?.left ?? 0)
    expect(drawn).toBeGreaterThan(500)
    expect(drawn).toBeLessThanOrEqual(1_000)
    const [open] = lines[1]?.bars ?? []
    expect(open?.right).toBeNull()
    expect(axisAt(end, 64_300) - (open?.left ?? 0)).toBe(1_000)
  })

  test('a call that waits now is drawn no longer than it may be, however long it takes', () => {
    const { lines, end } = timelineOf(stateAt(...events.slice(0, 5)))
    expect(lines[0]?.calls[2]?.bars).toMatchObject([{ kind: 'waiting', to: null, right: null }])
    expect(axisAt(end, 9_000_000)).toBe(axisAt(end, 8_000_000))
  })

  test('rounds that did not change keep their lines', () => {
    const first = timelineOf(stateAt(...events))
    const before = foldRun(journal([0, start], ...events))
    const next = foldRun(
      [{ ...message(2, { latencyMs: 50, firstTokenMs: null }), runId, seq: 99, at: 113_400 }],
      before,
    )
    expect(timelineOf(next).lines[0]).toBe(timelineOf(before).lines[0])
    expect(timelineOf(before).lines[0]).toEqual(first.lines[0])
  })

  test('names what took longest and cost most, when there is something to compare', () => {
    const state = stateAt(...events, [
      63_900,
      message(2, { latencyMs: 600, firstTokenMs: null, costMicroUsd: 999 }),
    ])
    expect(extremesOf(timelineOf(state))).toEqual({
      slowest: { round: 1, callId: null, figure: 1_240 },
      dearest: { round: 2, callId: null, figure: 999 },
    })
    const alone = stateAt([100, roundStart(1)], [900, message(1, { latencyMs: 800 })])
    expect(extremesOf(timelineOf(alone))).toEqual({ slowest: null, dearest: null })
  })

  test('a request or call that the end of the run cut short ends with it', () => {
    const cut = stateAt([100, roundStart(1)], ended(700))
    expect(timelineOf(cut).lines[0]?.bars).toEqual([])
    const lost = stateAt(
      [100, roundStart(1)],
      [200, message(1, { toolCalls: [call('a')], latencyMs: 100, firstTokenMs: null })],
      [300, starts('a')],
      ended(700),
    )
    expect(spansOf(timelineOf(lost).lines[0]?.calls[0]?.bars ?? [])).toEqual([
      ['running', 300, 700],
    ])
  })
})

const ms = fc.integer({ min: 0, max: 90_000 })
const anyCall = fc.record({ waits: fc.option(ms), runs: ms, gap: fc.integer({ min: 0, max: 50 }) })
const anyRound = fc.record({
  retries: fc.array(ms, { maxLength: 2 }),
  latency: ms,
  first: fc.option(ms),
  calls: fc.array(anyCall, { maxLength: 5 }),
  together: fc.boolean(),
  gap: ms,
  /** Another process may have another clock. */
  clockBack: fc.constantFrom(0, 0, 0, 40_000),
})

const byLength = <C extends { runs: number }>(calls: C[]) =>
  calls.toSorted((a, b) => a.runs - b.runs)

/** Writes the events of a run as the loop does, with its clock. */
function played(rounds: (typeof anyRound extends fc.Arbitrary<infer R> ? R : never)[]): RunEvent[] {
  const events: Timed[] = []
  let now = 0
  for (const [index, plan] of rounds.entries()) {
    const round = index + 1
    const nameOf = (at: number) => `${round}-${at}`
    const step = (body: RunEventBody, after = 0) => {
      now += after
      events.push([now, body])
    }
    now = Math.max(0, now - plan.clockBack)
    step(roundStart(round), plan.gap)
    for (const latency of plan.retries) {
      step(fails(latency, round), latency)
      step(asksAgain(round), 500)
    }
    const toolCalls = plan.calls.map((_, at) => call(nameOf(at)))
    const firstTokenMs = plan.first === null ? null : Math.min(plan.first, plan.latency)
    step(message(round, { toolCalls, latencyMs: plan.latency, firstTokenMs }), plan.latency)
    const asking = plan.calls.flatMap(({ waits }, at) => (waits === null ? [] : [{ waits, at }]))
    for (const { at } of asking) step(asks(nameOf(at), round))
    for (const { waits, at } of asking) step(decides(nameOf(at), round), waits)
    const began = now
    const calls = plan.calls.map(({ runs, gap }, at) => ({ runs, gap, name: nameOf(at) }))
    if (plan.together) for (const { name } of calls) step(starts(name, round))
    for (const { runs, gap, name } of plan.together ? byLength(calls) : calls) {
      if (plan.together) now = began + runs
      else step(starts(name, round), gap)
      step(ends(name, runs, round), plan.together ? 0 : runs)
    }
  }
  return journal([0, start], ...events, ended(now))
}

test('bars never overlap in a line, keep their order on the axis, and add up to the times shown', () => {
  fc.assert(
    fc.property(fc.array(anyRound, { maxLength: 4 }), fc.nat(), (rounds, cut) => {
      const all = played(rounds)
      // Live, the journal ends anywhere.
      const state = foldRun(all.slice(0, 1 + (cut % all.length)))
      const { lines, end } = timelineOf(state)
      let after = 0
      for (const { round, bars, calls } of lines) {
        expectInOrder(bars, after)
        if (round.response)
          expect(lengthOf(bars, 'first-token', 'streaming')).toBe(round.response.latencyMs)
        const answered = bars.at(-1)?.right ?? after
        for (const lane of new Set(calls.map((each) => each.lane))) {
          const inLane = calls.filter((each) => each.lane === lane).flatMap((each) => each.bars)
          expectInOrder(
            inLane.toSorted((a, b) => a.left - b.left),
            answered,
          )
        }
        for (const { call: one, bars: own } of calls) {
          if (one.state.type === 'ended')
            expect(lengthOf(own, 'running')).toBeCloseTo(one.state.durationMs, 6)
        }
        after = Math.max(
          answered,
          ...calls.flatMap((each) => each.bars.map((bar) => bar.right ?? 0)),
        )
        expect(axisAt(end, Number.MAX_SAFE_INTEGER)).toBeGreaterThanOrEqual(after)
      }
    }),
  )
})

test('the waits of the calls add up to the time that the run waited for people', () => {
  fc.assert(
    fc.property(fc.array(anyRound, { maxLength: 4 }), (rounds) => {
      const state = foldRun(played(rounds.map((each) => ({ ...each, clockBack: 0 }))))
      const waited = timelineOf(state).lines.map(({ calls }) => {
        const waits = calls.flatMap(({ bars }) => bars.filter(({ kind }) => kind === 'waiting'))
        const first = Math.min(...waits.map(({ from }) => from))
        const last = Math.max(...waits.map(({ to }) => to ?? 0))
        return waits.length === 0 ? 0 : last - first
      })
      expect(waited.reduce((sum, each) => sum + each, 0)).toBe(waitedForPeopleMs(state))
    }),
  )
})

/** Fails when a bar begins before the one in front of it has ended on the axis, or is longer or shorter there than it took. */
function expectInOrder(bars: readonly Bar[], least: number): void {
  let right = least
  for (const bar of bars) {
    expect(bar.left).toBeGreaterThanOrEqual(right - 1e-6)
    // Work is drawn as long as it took.
    if (bar.kind !== 'waiting' && bar.to !== null)
      expect((bar.right ?? 0) - bar.left).toBeCloseTo(bar.to - bar.from, 3)
    right = bar.right ?? Number.POSITIVE_INFINITY
    expect(right).toBeGreaterThanOrEqual(bar.left - 1e-6)
  }
}
