import { describe, expect, test } from 'vitest'
import { emptyUsage } from '@/lib/protocol/cost/cost'
import type { CostCap } from '@/lib/protocol/cost/money'
import type { ModelEvent, ModelRequest } from '@/lib/protocol/model/message'
import { applyRunEvent, foldRun, initialRunState } from '@/lib/protocol/run/fold-run'
import type { RunEvent } from '@/lib/protocol/run/run-event'
import {
  eventsOf,
  runFixture,
  runInput,
  runSnapshot,
  testTool,
  typesOf,
} from '@/tests/support/run-fixture'
import { asks, providerFailure, says } from '@/tests/support/scripted-model'
import type { RunDeps } from './deps'
import { advance, runAgent } from './run-agent'
import { lostRequest } from './spend/usage-of'

/** Answers from the conversation alone, so that it says the same in any process. */
async function* model(request: ModelRequest): AsyncGenerator<ModelEvent> {
  const results = request.messages.filter((message) => message.role === 'tool').length
  if (results === 0) yield* asks(['look', { n: 1 }], ['look', { n: 2 }])
  else if (results === 2) yield* asks(['look', { n: 3 }], ['save'], ['touch'])
  else yield* says('Everything is saved.')
}

function processOf(events: RunEvent[]) {
  const counts = { save: 0, touch: 0, look: 0 }
  const counted = (name: keyof typeof counts) => async () => {
    counts[name]++
    return { content: name }
  }
  const run = runFixture({
    events,
    tools: [
      testTool('look', { execute: counted('look') }),
      testTool('save', { effect: 'write', execute: counted('save') }),
      testTool('touch', { effect: 'idempotent-write', execute: counted('touch') }),
    ],
    deps: { streamModel: (_target, request) => model(request) },
  })
  return { ...run, counts }
}

async function goOn(events: RunEvent[], deps: RunDeps) {
  let state = foldRun(events)
  while (!state.end) state = await advance(state, deps)
  return state
}

const reservationId = '01a203cb-8bda-77a1-b056-d4f708cb95d0'
const worst = { inputTokens: 900, outputTokens: 70 }

/** Returns the events of a run whose requests reserve something in a budget. */
function heldFor(events: RunEvent[]): RunEvent[] {
  return events.map((event) =>
    event.type === 'round-start'
      ? { ...event, data: { ...event.data, reservationId, worst } }
      : event,
  )
}

const whole = processOf([])
await runAgent(runInput(), whole.deps)

test('the run that is cut up below does what it should', () => {
  expect(whole.counts).toEqual({ save: 1, touch: 1, look: 3 })
  expect(whole.state().end?.reason).toBe('completed')
})

test.each(whole.events.map((event, index) => [index + 1, event.type]))(
  'J4: killed after event %i (%s) another process comes to the same answer, and no write is repeated',
  async (count) => {
    const before = whole.events.slice(0, count)
    const next = processOf(before)
    const state = await goOn(before, next.deps)

    expect(state).toEqual(foldRun(next.events))
    expect(state.rounds.at(-1)?.text).toBe('Everything is saved.')
    expect(state.end).toMatchObject({ reason: 'completed', truncated: false })
    expect(typesOf(next.events).filter((type) => type === 'run-end')).toHaveLength(1)
    expect(next.events.map((event) => event.seq)).toEqual(next.events.map((_, index) => index + 1))

    const begun = eventsOf(before, 'call-start').map((event) => event.data.name)
    expect(next.counts.save).toBe(begun.includes('save') ? 0 : 1)
    const saved = state.rounds.flatMap((round) => round.calls).find((call) => call.name === 'save')
    const ended = eventsOf(before, 'call-end').some((event) => event.data.name === 'save')
    const expected = begun.includes('save') && !ended ? 'unknown' : 'ok'
    expect(saved?.state).toMatchObject({ type: 'ended', outcome: { type: expected } })
  },
)

test.each(whole.events.map((event, index) => [index + 1, event.type]))(
  'M5: killed after event %i (%s) the request that was under way counts, once',
  async (count) => {
    const before = whole.events.slice(0, count)
    const last = foldRun(before).rounds.at(-1)
    const isAsked = last !== undefined && last.response === null
    const next = processOf(before)
    const state = await goOn(before, next.deps)

    const lost = eventsOf(next.events, 'request-lost')
    expect(lost).toHaveLength(isAsked ? 1 : 0)
    const inputTokens = isAsked ? last.contextTokens : 0
    if (isAsked) {
      expect(lost[0]?.data).toMatchObject({
        round: last.round,
        usage: { inputTokens, outputTokens: 0, estimated: true },
      })
    }
    const counted = [...eventsOf(next.events, 'message'), ...lost].map(({ data }) => data)
    const sum = (figures: (number | null)[]) => figures.reduce<number>((a, b) => a + (b ?? 0), 0)
    expect(state.usage.inputTokens).toBe(sum(counted.map((call) => call.usage.inputTokens)))
    expect(state.costMicroUsd).toBe(sum(counted.map((call) => call.costMicroUsd)))
    expect(state.end).toMatchObject({ usage: state.usage, costMicroUsd: state.costMicroUsd })
  },
)

test('M2, M5: what budgets held for a lost request is settled with it, before the next is asked for', async () => {
  const at = whole.events.findIndex((event) => event.type === 'round-start')
  const before = heldFor(whole.events.slice(0, at + 1))
  const next = processOf(before)
  const seen: string[] = []
  const reserve: RunDeps['reserve'] = async (...parameters) => {
    seen.push(next.events.at(-1)?.type ?? '')
    return next.deps.reserve(...parameters)
  }
  const state = await advance(foldRun(before), { ...next.deps, reserve })
  // The received part of its answer is unknown, so the whole reservation counts.
  expect(eventsOf(next.events, 'request-lost')).toMatchObject([
    { data: { reservationId, usage: worst } },
  ])
  expect(seen).toEqual(['request-lost'])
  expect(state.rounds[0]?.requested).toBeNull()
})

describe.each([
  ['by whoever goes on with the run', false],
  ['by whoever found its process dead', true],
])('M4: a lost request that passes a cost cap, written down %s', (_, isWritten) => {
  async function goOnCapped(mode: CostCap['mode']) {
    const costCaps: CostCap[] = [{ scope: 'configuration', mode, limitMicroUsd: 10 }]
    const before = whole.events
      .slice(0, 2)
      .map((event) =>
        event.type === 'run-start'
          ? { ...event, data: { ...event.data, snapshot: runSnapshot({ costCaps }) } }
          : event,
      )
    const left = lostRequest(foldRun(before))
    if (!left) throw new Error('Nothing was under way.')
    expect(left.data.costMicroUsd).toBeGreaterThan(10)
    if (isWritten) before.push({ ...left, runId: 'run-1', seq: 3, at: 0 })
    const next = processOf(before)
    const state = await goOn(before, next.deps)
    const warned = eventsOf(next.events, 'warning').filter(({ data }) => data.code === 'cost-cap')
    return { state, warned, rounds: eventsOf(next.events, 'round-start').slice(1) }
  }

  test('leaves one closing answer without tools when it is enforced', async () => {
    const { state, warned, rounds } = await goOnCapped('enforce')
    expect(rounds).toMatchObject([{ data: { round: 1, closing: true, offered: [] } }])
    expect(warned).toMatchObject([{ data: { message: expect.stringContaining('a final answer') } }])
    expect(state.end?.reason).toBe('cost-cap')
  })

  test('is said once when it only warns', async () => {
    const { state, warned, rounds } = await goOnCapped('warn')
    expect(rounds.map(({ data }) => data.closing)).toEqual([false, false, false])
    expect(warned).toMatchObject([
      { data: { message: expect.stringContaining('The run continues.') } },
    ])
    expect(state.end?.reason).toBe('completed')
  })
})

test('M5: a request that was refused before its process died used nothing until its next try began', async () => {
  const failure = providerFailure('rate-limited')
  const begun = heldFor(whole.events.slice(0, 2))
  const retry = {
    type: 'model-retry',
    data: { round: 1, attempt: 1, delayMs: 60_000, failure },
  } as const
  const at = begun.at(-1)?.at ?? 0
  const state = foldRun([...begun, { ...retry, runId: 'run-1', seq: 3, at }])
  expect(lostRequest(state)?.data).toMatchObject({ retries: 0, usage: emptyUsage, reservationId })
  const next = { type: 'request-start', data: { round: 1, target: 0, attempt: 2 } } as const
  const again = foldRun([{ ...next, runId: 'run-1', seq: 4, at }], state)
  expect(lostRequest(again)?.data).toMatchObject({
    retries: 1,
    usage: { estimated: true },
    reservationId,
  })
})

test('M5: a run that was stopped while its process was gone still counts the request it lost', async () => {
  const at = whole.events.findIndex((event) => event.type === 'round-start')
  const before = whole.events.slice(0, at + 1)
  const next = processOf(before)
  const requested = next.journal.append({
    type: 'cancel-requested',
    data: { by: 'Ada', reason: '' },
  })
  const ended = await advance(applyRunEvent(foldRun(before), requested), next.deps)
  expect(ended.end).toMatchObject({ reason: 'cancelled', usage: { estimated: true } })
  expect(ended.end?.usage.inputTokens).toBe(ended.rounds[0]?.contextTokens)
})

test('M5: a run that is stopped between two tries counts the one that failed, and no tokens', async () => {
  const run = runFixture({
    script: [[{ type: 'error', failure: providerFailure('rate-limited') }]],
  })
  const after: RunDeps['after'] = (...args) => {
    const isBetween = run.events.at(-1)?.type === 'model-retry'
    if (isBetween) queueMicrotask(() => run.stop({ type: 'cancelled', by: 'Ada', reason: '' }))
    return run.clock.after(...args)
  }
  const state = await runAgent(runInput(), { ...run.deps, after })
  expect(eventsOf(run.events, 'model-retry')).toMatchObject([
    { data: { failedCall: { round: 1, target: 0, retries: 0 } } },
  ])
  expect(eventsOf(run.events, 'request-lost')).toEqual([])
  expect(state.end).toMatchObject({ reason: 'cancelled', usage: emptyUsage, costMicroUsd: 0 })
})

test('J4: reads and repeatable writes in flight are begun again, as the next attempt', async () => {
  const at = whole.events.findIndex(
    (event) => event.type === 'call-start' && event.data.name === 'touch',
  )
  const before = whole.events.slice(0, at + 1)
  const next = processOf(before)
  await goOn(before, next.deps)
  expect(next.counts.touch).toBe(1)
  const attempts = eventsOf(next.events, 'call-start').filter(
    (event) => event.data.name === 'touch',
  )
  expect(attempts.map((event) => event.data.attempt)).toEqual([1, 2])
})

test('a run that was asked to stop while nobody worked on it ends as cancelled', async () => {
  const at = whole.events.findIndex(
    (event) => event.type === 'call-start' && event.data.name === 'save',
  )
  const before = whole.events.slice(0, at + 1)
  const state = foldRun(before)
  const next = processOf(before)
  const requested = next.journal.append({
    type: 'cancel-requested',
    data: { by: 'Ada', reason: '' },
  })
  const ended = await advance(applyRunEvent(state, requested), next.deps)
  expect(ended.end).toMatchObject({ reason: 'cancelled', message: 'Stopped by Ada.' })
  expect(ended.rounds.at(-1)?.calls.map((call) => call.state)).toMatchObject([
    { outcome: { type: 'ok' } },
    { outcome: { type: 'unknown' } },
    { outcome: { type: 'cancelled' } },
  ])
})

test('a tool that vanished while the server was down is denied', async () => {
  const at = whole.events.findIndex((event) => event.type === 'call-start')
  const next = processOf(whole.events.slice(0, at + 1))
  const state = await goOn(whole.events.slice(0, at + 1), { ...next.deps, tools: new Map() })
  const types = state.rounds[0]?.calls.map(
    (call) => call.state.type === 'ended' && call.state.outcome,
  )
  expect(types).toMatchObject([{ gate: 'registered' }, { gate: 'registered' }])
})

test('the time limit counts from the first round, not from the restart or the wait before it', async () => {
  const begun = whole.events.findIndex((event) => event.type === 'round-start')
  const endAfter = async (count: number) => {
    const events = whole.events.slice(0, count).map((event) => ({ ...event, at: 0 }))
    const run = runFixture({ script: [says('Done.')], events })
    return (await goOn(events, run.deps)).end?.reason
  }
  expect(await endAfter(begun + 1)).toBe('time-limit')
  expect(await endAfter(begun)).toBe('completed')
})

test('an ended run stays as it is', async () => {
  const state = whole.state()
  expect(await advance(state, whole.deps)).toBe(state)
})

test('a journal without its first event ends as a fault of ours', async () => {
  const run = runFixture({})
  expect((await advance(initialRunState, run.deps)).end?.reason).toBe('internal-error')
})

test('warnings of a round are not said twice', async () => {
  const calls: [string, object][] = Array.from({ length: 18 }, (_, n) => ['look', { n }])
  const first = runFixture({ script: [asks(...calls), says('Done.')], tools: [testTool('look')] })
  await runAgent(runInput({ snapshot: runSnapshot() }), first.deps)
  const at = first.events.findIndex((event) => event.type === 'warning')
  const before = first.events.slice(0, at + 1)
  const next = runFixture({ script: [says('Done.')], events: before, tools: [testTool('look')] })
  await goOn(before, next.deps)
  expect(eventsOf(next.events, 'warning')).toHaveLength(1)
})
