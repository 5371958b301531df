import { once } from 'node:events'
import { expect, test } from 'vitest'
import { emptyUsage } from '@/lib/protocol/cost/cost'
import type { ModelEvent } from '@/lib/protocol/model/message'
import { applyRunEvent, foldRun, initialRunState } from '@/lib/protocol/run/fold-run'
import {
  eventsOf,
  runFixture,
  runInput,
  runSnapshot,
  testTool,
  typesOf,
} from '@/tests/support/run-fixture'
import { asks, fails, finish, type ModelCall } from '@/tests/support/scripted-model'
import { HandoverError, runStart, type StartType } from './deps'
import { nextStep } from './next-step'
import { runAgent } from './run-agent'
import { endRun, openRunStep, startOf, warn } from './run-step'

function openStep() {
  const { deps, events } = runFixture({})
  const nothing = { accepted: [], rejected: [] }
  const first = deps.journal.append(runStart(runInput(), nothing, deps.newId))
  const before = applyRunEvent(initialRunState, first)
  return { before, deps, events }
}

const roundStart = {
  type: 'round-start' as const satisfies StartType,
  data: { round: 1, closing: false, target: 0, offered: [], contextTokens: 1 },
}
const warning = { round: null, code: 'cost-cap' as const, message: 'The cap is near.' }

test('the state of a step has each event as soon as it is recorded', () => {
  const { before, deps } = openStep()
  const step = openRunStep(before, deps)
  expect(step.state()).toBe(before)
  warn(step, warning)
  expect(step.state().notes).toMatchObject([{ data: { tellModel: false, prunedThrough: null } }])
  expect(startOf(step.state())).toBe(startOf(before))
})

test('an event with a lower number counts, too, when it comes after the state was read', async () => {
  const { before, deps, events } = openStep()
  let durable = () => {}
  const written = new Promise<void>((resolve) => {
    durable = resolve
  })
  const step = openRunStep(before, {
    ...deps,
    journal: {
      ...deps.journal,
      // A database gives the number first and answers when the event is durable.
      begin: async (start) => {
        const event = deps.journal.append(start)
        await written
        return { verdict: { allowed: true }, event }
      },
    },
  })
  const begun = step.begin(roundStart, () => ({ allowed: true }))
  warn(step, warning)
  expect(step.state().notes).toHaveLength(1)
  durable()
  await begun
  expect(step.state().rounds).toHaveLength(1)
  expect(step.state()).toEqual(foldRun(events))
})

test('a step that is over drops what its remaining work records', () => {
  const { before, deps, events } = openStep()
  const step = openRunStep(before, deps)
  step.release()
  warn(step, warning)
  expect(events).toHaveLength(1)
  expect(step.signal.reason).toEqual({ type: 'released' })
})

test('R16: a run that has its end gets no other', () => {
  const run = runFixture({})
  const step = openRunStep(initialRunState, run.deps)
  endRun(step, { reason: 'completed', message: 'The model answered.' })
  endRun(step, { reason: 'internal-error', message: 'And then it broke.' })
  expect(typesOf(run.events)).toEqual(['run-end'])
})

const numbered = (count: number) => Array.from({ length: count }, (_, n) => asks(['look', { n }]))

test('R8: the run has a time limit, over all its rounds', async () => {
  const run = runFixture({
    script: numbered(9),
    tools: [
      testTool('look', { execute: () => run.clock.sleep(25_000).then(() => ({ content: '' })) }),
    ],
  })
  const startedAt = run.clock.now()
  const input = runInput({ snapshot: runSnapshot({ maxRounds: 50, timeLimitMs: 60_000 }) })
  const state = await runAgent(input, run.deps)
  expect(state.end).toMatchObject({ reason: 'time-limit', truncated: true, wallTimeMs: 60_000 })
  expect(run.clock.now() - startedAt).toBe(60_000)
  expect(state.rounds.at(-1)?.calls[0]?.state).toMatchObject({ outcome: { type: 'cancelled' } })
})

/** Streams a little and then nothing more; `deaf` ignores the signal. */
const hangs = (deaf: boolean, onText: () => void = () => undefined) =>
  async function* ({ signal }: ModelCall): AsyncGenerator<ModelEvent> {
    yield { type: 'reasoning-delta', text: 'Hmm.' }
    yield { type: 'text-delta', text: 'So far ' }
    onText()
    yield { type: 'text-delta', text: 'so good' }
    await new Promise((resolve) => {
      if (!deaf) signal.addEventListener('abort', resolve)
    })
    yield finish({ finishReason: 'cut', text: 'So far so good', usage: null })
  }

test.each([
  ['that listens', false],
  ['that is deaf', true],
])('R8: the time limit ends a stream %s, and its text is kept', async (_words, deaf) => {
  const run = runFixture({ script: [hangs(deaf)] })
  const state = await runAgent(runInput({ snapshot: runSnapshot({ timeLimitMs: 5000 }) }), run.deps)
  expect(state.end?.reason).toBe('time-limit')
  expect(state.end?.wallTimeMs).toBeLessThan(7000)
  expect(state.rounds[0]?.text).toBe('So far so good')
})

test.each([
  ['that listens', false],
  ['that is deaf', true],
])('R9: Stop ends a stream %s within 2 s, and its text is kept', async (_words, deaf) => {
  const stop = () => run.stop({ type: 'cancelled', by: 'Ada', reason: '' })
  const run = runFixture({ script: [hangs(deaf, stop)] })
  const startedAt = run.clock.now()
  const state = await runAgent(runInput(), run.deps)
  expect(run.clock.now() - startedAt).toBeLessThan(2000)
  expect(state.end).toMatchObject({ reason: 'cancelled', usage: { estimated: true } })
  expect(state.rounds[0]).toMatchObject({
    text: 'So far so good',
    response: { finishReason: 'cut' },
  })
  expect(typesOf(run.events)).toEqual([
    'run-start',
    'round-start',
    'message',
    'cancel-requested',
    'run-end',
  ])
})

test('R9: Stop before the first word, and during the wait for another try', async () => {
  const early = runFixture({})
  early.stop({ type: 'cancelled', by: 'Ada', reason: '' })
  expect((await runAgent(runInput(), early.deps)).end?.reason).toBe('cancelled')
  expect(early.model.calls).toHaveLength(0)

  const waiting = runFixture({ script: [fails('server', { retryAfterMs: 30_000 })] })
  waiting.clock.sleep(5000).then(() => waiting.stop({ type: 'cancelled', by: 'Ada', reason: '' }))
  expect((await runAgent(runInput(), waiting.deps)).end?.reason).toBe('cancelled')
  expect(waiting.model.calls).toHaveLength(1)
  expect(eventsOf(waiting.events, 'message')).toEqual([])
})

/** Returns a provider that was asked and does not answer until it is told to stop. */
const silent = (onAsked: () => void) =>
  async function* ({ signal }: ModelCall): AsyncGenerator<ModelEvent> {
    const aborted = once(signal, 'abort')
    onAsked()
    await aborted
    yield* fails('cancelled')
  }

test.each([
  { type: 'cancelled', by: 'Ada', reason: '' },
  { type: 'frozen', by: 'Ada', reason: '' },
] as const)('M5: stopping before the first word ($type) lowers no spend', async (stop) => {
  const reservationId = '00000000-0000-7000-8000-00000000000a'
  const released: string[] = []
  const run = runFixture({
    script: [silent(() => run.stop(stop))],
    deps: {
      reserve: async () => ({ type: 'held', reservationId, warning: null }),
      release: async (id) => void released.push(id),
    },
  })
  const state = await runAgent(runInput({ prompt: 'x'.repeat(4_000) }), run.deps)
  const contextTokens = eventsOf(run.events, 'round-start')[0]?.data.contextTokens ?? 0
  expect(contextTokens).toBeGreaterThan(1_000)
  const usage = { ...emptyUsage, inputTokens: contextTokens, estimated: true }
  expect(eventsOf(run.events, 'message').map(({ data }) => data)).toMatchObject([
    { text: '', finishReason: 'cut', usage, costMicroUsd: contextTokens, reservationId },
  ])
  expect(state.end).toMatchObject({ reason: stop.type, usage })
  expect(released).toEqual([])
})

test('a request that was stopped before it was made used nothing', async () => {
  const released: string[] = []
  const run = runFixture({
    deps: {
      reserve: async () => {
        run.stop({ type: 'cancelled', by: 'Ada', reason: '' })
        return { type: 'held', reservationId: 'r-1', warning: null }
      },
      release: async (id) => void released.push(id),
    },
  })
  expect((await runAgent(runInput(), run.deps)).end).toMatchObject({ usage: emptyUsage })
  expect(run.model.calls).toEqual([])
  expect(released).toEqual(['r-1'])
})

test('a provider that refused at the moment of the stop was not paid', async () => {
  const run = runFixture({
    script: [
      async function* () {
        run.stop({ type: 'cancelled', by: 'Ada', reason: '' })
        yield* fails('auth', { status: 401 })
      },
    ],
  })
  const state = await runAgent(runInput(), run.deps)
  expect(state.end).toMatchObject({ reason: 'cancelled', usage: emptyUsage })
})

test('a freeze ends the run, says who and why, and keeps the text', async () => {
  const freeze = () => run.stop({ type: 'frozen', by: 'Ada', reason: 'A leak' })
  const run = runFixture({ script: [hangs(false, freeze)] })
  const state = await runAgent(runInput(), run.deps)
  expect(state.end).toMatchObject({
    reason: 'frozen',
    message: 'This site was frozen by Ada: A leak. Run it again after the site is unfrozen.',
  })
  expect(state.rounds[0]?.text).toBe('So far so good')
})

test('an abort without a reason of ours cancels', async () => {
  const run = runFixture({})
  run.stop(undefined)
  expect((await runAgent(runInput(), run.deps)).end).toMatchObject({
    reason: 'cancelled',
    message: 'Stopped by the server.',
  })
})

test('handover in the middle of a stream writes no end, so that another process goes on', async () => {
  const run = runFixture({ script: [hangs(false, () => run.stop({ type: 'handover' }))] })
  await expect(runAgent(runInput(), run.deps)).rejects.toThrow(HandoverError)
  expect(typesOf(run.events)).toEqual(['run-start', 'round-start', 'request-lost'])
  expect(nextStep(run.state())).toEqual({ type: 'call-model', round: 1, closing: false })
})

test('a run that ended is not stopped as well', async () => {
  const run = runFixture({
    deps: {
      reserve: async () => {
        run.stop({ type: 'cancelled', by: 'Ada', reason: '' })
        return { type: 'refused', reason: 'The day is used up.' }
      },
    },
  })
  await runAgent(runInput(), run.deps)
  expect(typesOf(run.events)).toEqual(['run-start', 'run-end'])
})
