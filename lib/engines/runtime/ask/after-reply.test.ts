import { expect, test } from 'vitest'
import { runAgent } from '@/lib/engines/runtime/run-agent'
import type { ModelEvent } from '@/lib/protocol/model/message'
import {
  eventsOf,
  modelTarget,
  runFixture,
  runInput,
  runSnapshot,
  testTool,
  typesOf,
} from '@/tests/support/run-fixture'
import { asks, fails, finish, providerFailure, says } from '@/tests/support/scripted-model'

const second = modelTarget({ modelRecordId: 'model-record-2', modelId: 'second-model' })

test('R15: a failure that passes is tried three times with growing, jittered waits', async () => {
  const run = runFixture({
    script: [fails('connection'), fails('server', { status: 500 }), says('Here.')],
  })
  const state = await runAgent(runInput(), run.deps)
  run.model.verify()
  expect(state.end?.reason).toBe('completed')
  expect(
    eventsOf(run.events, 'model-retry').map(({ data }) => [data.attempt, data.delayMs]),
  ).toEqual([
    [1, 375],
    [2, 750],
  ])
  expect(eventsOf(run.events, 'model-retry').map(({ data }) => data.failedCall)).toMatchObject([
    { round: 1, target: 0, retries: 0 },
    { round: 1, target: 0, retries: 0 },
  ])
  expect(eventsOf(run.events, 'message')[0]?.data.retries).toBe(0)
})

test('R15: requests that an adapter made again by itself are retries, too', async () => {
  const [failure] = fails('server')
  const run = runFixture({
    script: [[{ ...failure, resent: 1 } as ModelEvent], says('Here.', { resent: 2 })],
  })
  await runAgent(runInput(), run.deps)
  expect(eventsOf(run.events, 'model-retry')[0]?.data.failedCall?.retries).toBe(1)
  expect(eventsOf(run.events, 'message')[0]?.data.retries).toBe(2)

  const failed = runFixture({ script: [[{ ...failure, resent: 1 } as ModelEvent]] })
  const targets = [modelTarget({ maxTries: 1 })]
  const state = await runAgent(runInput({ snapshot: runSnapshot({ targets }) }), failed.deps)
  expect(state.end?.failedCall?.retries).toBe(1)
})

test('R15: Retry-After is honoured', async () => {
  const run = runFixture({
    script: [fails('rate-limited', { status: 429, retryAfterMs: 7000 }), says('Here.')],
  })
  const startedAt = run.clock.now()
  await runAgent(runInput(), run.deps)
  expect(run.clock.now() - startedAt).toBeGreaterThanOrEqual(7000)
})

test('R15: a Retry-After of a whole minute is waited for', async () => {
  const run = runFixture({
    script: [fails('rate-limited', { status: 429, retryAfterMs: 60_000 }), says('Here.')],
  })
  expect((await runAgent(runInput(), run.deps)).end?.reason).toBe('completed')
})

test('R15: a Retry-After of an hour is not waited for', async () => {
  const run = runFixture({ script: [fails('rate-limited', { retryAfterMs: 3_600_000 })] })
  const state = await runAgent(runInput(), run.deps)
  expect(state.end).toMatchObject({
    reason: 'provider-error',
    failure: { category: 'rate-limited' },
  })
})

test('R15: after three tries the fallback chain, and the run stays with it', async () => {
  const run = runFixture({
    script: [
      fails('overloaded'),
      fails('timeout'),
      fails('connection'),
      asks(['look']),
      says('From the second.'),
    ],
    tools: [testTool('look')],
  })
  const state = await runAgent(
    runInput({ snapshot: runSnapshot({ targets: [modelTarget(), second] }) }),
    run.deps,
  )
  run.model.verify()
  expect(state.end?.reason).toBe('completed')
  expect(run.model.calls.map((call) => call.request.modelId)).toEqual([
    ...Array(3).fill('test-model'),
    'second-model',
    'second-model',
  ])
  expect(eventsOf(run.events, 'model-fallback').map((event) => event.data)).toMatchObject([
    { round: 1, from: 0, to: 1, failure: { category: 'connection' } },
  ])
  expect(eventsOf(run.events, 'message').map((event) => event.data.target)).toEqual([1, 1])
})

test('R13: a provider that says the context is too long ends the run as such', async () => {
  const run = runFixture({ script: [fails('context-length', { status: 400 })] })
  expect((await runAgent(runInput(), run.deps)).end).toMatchObject({
    reason: 'context',
    truncated: false,
  })
})

test('R15: after text was shown nothing is retried, and what was shown is kept', async () => {
  const delta: ModelEvent = { type: 'text-delta', text: 'Once upon' }
  const run = runFixture({ script: [[delta, ...fails('connection')]] })
  const state = await runAgent(
    runInput({ snapshot: runSnapshot({ targets: [modelTarget(), second] }) }),
    run.deps,
  )
  expect(typesOf(run.events)).toEqual(['run-start', 'round-start', 'message', 'run-end'])
  expect(state.rounds[0]?.text).toBe('Once upon')
  expect(state.rounds[0]?.response?.finishReason).toBe('cut')
  expect(state.end).toMatchObject({ reason: 'provider-error', usage: { estimated: true } })
})

test('R15: a call that was shown is not retried either, and never executed', async () => {
  const shown: ModelEvent = { type: 'tool-call-delta', index: 0, name: 'look', argumentsText: '{' }
  const run = runFixture({ script: [[shown, ...fails('connection')]], tools: [testTool('look')] })
  const state = await runAgent(runInput(), run.deps)
  expect(state.end?.reason).toBe('provider-error')
  expect(typesOf(run.events)).toEqual(['run-start', 'round-start', 'message', 'run-end'])
  expect(eventsOf(run.events, 'message')[0]?.data).toMatchObject({
    toolCalls: [],
    finishReason: 'cut',
    usage: { outputTokens: 1, estimated: true },
    errorCategory: 'connection',
  })
})

test('R15: a connection decides how many tries a request has', async () => {
  const run = runFixture({ script: [fails('server'), fails('server'), says('From the second.')] })
  const targets = [modelTarget({ maxTries: 2 }), second]
  const state = await runAgent(runInput({ snapshot: runSnapshot({ targets }) }), run.deps)
  run.model.verify()
  expect(state.end?.reason).toBe('completed')
  expect(eventsOf(run.events, 'model-fallback')[0]?.data.failedCall).toMatchObject({
    round: 1,
    target: 0,
    retries: 0,
  })
})

test('R15: an open circuit is not waited for: the fallback chain answers at once', async () => {
  const open = fails('circuit-open', { retryAfterMs: 25_000 })
  const run = runFixture({ script: [open, says('From the second.')] })
  const startedAt = run.clock.now()
  const targets = [modelTarget(), second]
  const state = await runAgent(runInput({ snapshot: runSnapshot({ targets }) }), run.deps)
  expect(state.end?.reason).toBe('completed')
  expect(run.clock.now() - startedAt).toBeLessThan(1_000)
  const alone = runFixture({ script: [open] })
  expect((await runAgent(runInput(), alone.deps)).end).toMatchObject({
    reason: 'provider-error',
    failure: { category: 'circuit-open' },
    failedCall: { target: 0, retries: 0 },
  })
})

test('R15: a stream that is cut before its first word is a connection error', async () => {
  const run = runFixture({
    script: [[finish({ finishReason: 'cut', usage: null })], [], says('Here.')],
  })
  const state = await runAgent(runInput(), run.deps)
  expect(state.end?.reason).toBe('completed')
  expect(eventsOf(run.events, 'model-retry').map((event) => event.data.failure.category)).toEqual([
    'connection',
    'connection',
  ])
})

test('failures of a provider are told as they came, whatever it adds', async () => {
  const failure = providerFailure('auth', { status: 401, advice: 'The key was refused.' })
  const run = runFixture({ script: [[{ type: 'error', failure }]] })
  expect((await runAgent(runInput(), run.deps)).end?.failure).toEqual(failure)
})
