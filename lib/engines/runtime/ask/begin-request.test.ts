import { expect, test } from 'vitest'
import type { Revoked } from '@/lib/engines/runtime/policy/subject'
import { runAgent } from '@/lib/engines/runtime/run-agent'
import {
  eventsOf,
  modelTarget,
  runFixture,
  runInput,
  runSnapshot,
  testTool,
  typesOf,
} from '@/tests/support/run-fixture'
import { asks, fails, says } from '@/tests/support/scripted-model'

const sentence = 'The configuration Test was switched off.'
const run1: Revoked = { run: sentence, targets: [null] }
const chain = [
  modelTarget(),
  modelTarget({ modelRecordId: 'm-2', modelId: 'second', connectionId: 'c-2' }),
  modelTarget({ modelRecordId: 'm-3', modelId: 'third', connectionId: 'c-3' }),
]

/** Returns a run whose rights become `revoked` while the model answers its first request with two calls. */
async function revokedWhileAnswering(revoked: Revoked) {
  const executed: string[] = []
  const run = runFixture({
    script: [
      async function* () {
        run.switches.subject = { ...run.switches.subject, revoked }
        yield* asks(['look', { n: 1 }], ['look', { n: 2 }])
      },
    ],
    tools: [
      testTool('look', {
        execute: async (_args, { signal }) => {
          executed.push(String(signal.aborted))
          return { content: '' }
        },
      }),
    ],
  })
  return { run, state: await runAgent(runInput(), run.deps), executed }
}

test.each([
  ['of the whole run', run1],
  ['of the model it is on', { run: null, targets: [sentence] }],
])(
  'SPEC G-R: a right %s that is taken away starts no call and ends the run',
  async (_what, revoked) => {
    const { run, state, executed } = await revokedWhileAnswering(revoked)
    run.model.verify()
    expect(executed).toEqual([])
    expect(typesOf(run.events)).not.toContain('call-start')
    expect(state.end).toMatchObject({ reason: 'revoked', message: sentence, truncated: false })
    const outcomes = state.rounds[0]?.calls.map((call) => call.state)
    expect(outcomes).toMatchObject([
      { type: 'ended', outcome: { type: 'cancelled' }, verdict: { gate: 'run-ended' } },
      { type: 'ended', outcome: { type: 'cancelled' } },
    ])
  },
)

test('SPEC G-R: no request is sent for a run that lost a right before it began', async () => {
  const run = runFixture({ script: [], subject: { revoked: run1 } })
  const state = await runAgent(runInput(), run.deps)
  expect(eventsOf(run.events, 'round-start')).toEqual([])
  expect(state.end).toMatchObject({ reason: 'revoked', message: sentence })
})

test('SPEC G-R: nor is it tried again', async () => {
  const run = runFixture({
    script: [
      async function* () {
        run.switches.subject = { ...run.switches.subject, revoked: run1 }
        yield* fails('server')
      },
    ],
  })
  const state = await runAgent(runInput(), run.deps)
  run.model.verify()
  expect(typesOf(run.events)).toEqual(['run-start', 'round-start', 'model-retry', 'run-end'])
  expect(state.end?.reason).toBe('revoked')
})

test('another try is written down before it is sent', async () => {
  const run = runFixture({ script: [fails('server'), says('Hello.')] })
  await runAgent(runInput(), run.deps)
  expect(eventsOf(run.events, 'request-start').map(({ data }) => data)).toEqual([
    { round: 1, target: 0, attempt: 2 },
  ])
})

test('a fallback that was switched off is passed over; without another one the run ends', async () => {
  const off = { run: null, targets: [null, 'The model second was switched off.', null] }
  const passed = runFixture({
    script: [fails('server'), says('Hello.')],
    subject: { revoked: off },
  })
  const snapshot = runSnapshot({ targets: chain.map((each) => ({ ...each, maxTries: 1 })) })
  const state = await runAgent(runInput({ snapshot }), passed.deps)
  expect(state.end?.reason).toBe('completed')
  expect(eventsOf(passed.events, 'round-start').map(({ data }) => data.target)).toEqual([0, 2])
  const short = runFixture({ script: [fails('server')], subject: { revoked: off } })
  const two = runSnapshot({ targets: chain.slice(0, 2).map((each) => ({ ...each, maxTries: 1 })) })
  const ended = await runAgent(runInput({ snapshot: two }), short.deps)
  expect(ended.end).toMatchObject({
    reason: 'revoked',
    message: 'The model second was switched off.',
  })
})
