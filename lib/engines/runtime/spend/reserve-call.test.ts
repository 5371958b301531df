import { describe, expect, test } from 'vitest'
import {
  JournalLostError,
  type PlannedCall,
  type Reservation,
  type RunDeps,
  type WorstCase,
} from '@/lib/engines/runtime/deps'
import type { Revoked } from '@/lib/engines/runtime/policy/subject'
import { runAgent } from '@/lib/engines/runtime/run-agent'
import { emptyUsage } from '@/lib/protocol/cost/cost'
import { fixOfEnd } from '@/lib/protocol/model/failure-words'
import { thinkingLimits } from '@/lib/protocol/model/model-families'
import { byteBound } from '@/lib/words/byte-bound'
import {
  eventsOf,
  modelTarget,
  runFixture,
  runInput,
  runSnapshot,
  testTool,
  typesOf,
} from '@/tests/support/run-fixture'
import { asks, fails, providerFailure, says } from '@/tests/support/scripted-model'

const targets = [
  modelTarget({ modelId: 'first', maxOutputTokens: 500 }),
  modelTarget({ modelId: 'second', contextTokens: 300 }),
]

function budgets(warning: string | null = null) {
  const planned: ({ target: PlannedCall['target'] } & WorstCase)[] = []
  const released: string[] = []
  const deps: Partial<RunDeps> = {
    reserve: async (call): Promise<Reservation> => {
      planned.push({ target: call.target, ...(await call.worst()) })
      return {
        type: 'held',
        reservationId: `00000000-0000-7000-8000-00000000000${planned.length}`,
        warning,
      }
    },
    release: async (id) => void released.push(id),
  }
  return { planned, released, deps }
}

const idOf = (number: number) => `00000000-0000-7000-8000-00000000000${number}`

test('SPEC M2: each try is held for itself and settled with its record; what was not sent is released', async () => {
  const { planned, released, deps } = budgets()
  const script = [fails('server'), fails('server'), fails('circuit-open'), says('Done.')]
  const run = runFixture({ script, deps })
  await runAgent(runInput({ snapshot: runSnapshot({ targets }) }), run.deps)
  run.model.verify()
  expect(planned.map(({ target }) => target.modelId)).toEqual(['first', 'first', 'first', 'second'])
  const failed = eventsOf(run.events, 'model-retry').map(({ data }) => data.failedCall)
  expect(failed.map((call) => call?.used?.reservationId)).toEqual([idOf(1), idOf(2)])
  expect(failed.map((call) => call?.used?.usage)).toEqual([emptyUsage, emptyUsage])
  expect(released).toEqual([idOf(3)])
  expect(eventsOf(run.events, 'request-start')[1]?.data.reservationId).toBe(idOf(3))
  const [message] = eventsOf(run.events, 'message')
  expect(message?.data.reservationId).toBe(idOf(4))
})

test('SPEC M5: a try that timed out counts what it was sent, and what it may have thought', async () => {
  const { planned, deps } = budgets()
  const late = fails('timeout', { mayBeCharged: true })
  const run = runFixture({ script: [late, late, late], deps })
  const reasons = [modelTarget({ reasoning: true, maxOutputTokens: 500 })]
  const state = await runAgent(runInput({ snapshot: runSnapshot({ targets: reasons }) }), run.deps)
  const failed = [
    ...eventsOf(run.events, 'model-retry').map(({ data }) => data.failedCall),
    state.end?.failedCall,
  ]
  expect(failed).toHaveLength(3)
  const { inputTokens = 0 } = planned[0] ?? {}
  for (const call of failed) {
    expect(call?.used?.usage).toMatchObject({ inputTokens, outputTokens: 500, estimated: true })
    expect(call?.used?.costMicroUsd).toBe(inputTokens + 2 * 500)
  }
  expect(state.usage).toMatchObject({ inputTokens: 3 * inputTokens, outputTokens: 1_500 })
  expect(state.costMicroUsd).toBe(3 * (inputTokens + 1_000))
  expect(state.end).toMatchObject({ usage: state.usage, costMicroUsd: state.costMicroUsd })
})

test('a retry that the budget has no room for ends the run', async () => {
  const { deps } = budgets()
  let requestCount = 0
  const reserve: RunDeps['reserve'] = async (...call) => {
    requestCount++
    return requestCount === 1
      ? (budgets().deps.reserve?.(...call) ?? { type: 'stopped' })
      : { type: 'refused', reason: 'Used up.' }
  }
  const run = runFixture({ script: [fails('server')], deps: { ...deps, reserve } })
  const { end } = await runAgent(runInput(), run.deps)
  expect(end).toMatchObject({ reason: 'budget', message: 'Used up.' })
})

test('the worst case is what the model may write, in the room its window leaves', async () => {
  const { planned, deps } = budgets()
  const run = runFixture({ script: [fails('server'), says('Hi.')], deps })
  const one = targets.map((target) => ({ ...target, maxTries: 1 }))
  await runAgent(runInput({ snapshot: runSnapshot({ targets: one }) }), run.deps)
  const [first, second] = planned
  expect(first?.outputTokens).toBe(500)
  expect(first?.inputTokens).toBeGreaterThan(0)
  const estimated = eventsOf(run.events, 'round-start')[1]?.data.contextTokens ?? 0
  expect(second?.outputTokens).toBe(300 - estimated)
})

test('an answer stays within what was held where the window was taken to leave less than the model can write', async () => {
  const sent = async (contextTokens: number) => {
    const { planned, deps } = budgets()
    const run = runFixture({ script: [says('Hi.')], deps })
    const target = modelTarget({ contextTokens, maxOutputTokens: 900 })
    await runAgent(
      runInput({ prompt: 'x '.repeat(200), snapshot: runSnapshot({ targets: [target] }) }),
      run.deps,
    )
    return {
      held: planned[0]?.outputTokens,
      requested: run.model.calls[0]?.request.parameters.maxOutputTokens,
    }
  }
  const { held, requested } = await sent(1_000)
  expect(held).toBeLessThan(900)
  expect(requested).toBe(held)
  expect(await sent(100_000)).toEqual({ held: 900, requested: null })
})

test('the amount held for Claude is what the request allows, however full the context window is', async () => {
  for (const fields of [
    { wire: 'anthropic' as const, modelId: 'claude-sonnet-5' },
    { wire: 'bedrock' as const, modelId: 'eu.anthropic.claude-sonnet-5' },
  ]) {
    const { planned, deps } = budgets()
    const run = runFixture({ script: [says('Hi.')], deps })
    const target = modelTarget({ ...fields, contextTokens: 1_000, maxOutputTokens: 900 })
    await runAgent(
      runInput({ prompt: 'x '.repeat(200), snapshot: runSnapshot({ targets: [target] }) }),
      run.deps,
    )
    const [call] = run.model.calls
    const sent = call && thinkingLimits({ ...call.request, mostOutputTokens: 900 }).max_tokens
    expect(sent).toBe(900)
    expect(planned[0]?.outputTokens).toBe(sent)
  }
})

test('a byte is a token where no tokenizer is kept, but no more is held than the window takes', async () => {
  const { planned, deps } = budgets()
  const run = runFixture({ script: [says('Hi.')], deps })
  await runAgent(runInput({ prompt: '💶 Grüße\n'.repeat(300) }), run.deps)
  const bytes = byteBound('💶 Grüße\n'.repeat(300))
  expect(bytes).toBe(13 * 300)
  expect(planned[0]?.inputTokens).toBeGreaterThan(bytes)
  expect(planned[0]?.inputTokens).toBeLessThan(bytes + 500)
  expect(eventsOf(run.events, 'round-start')[0]?.data.worst).toEqual({
    inputTokens: planned[0]?.inputTokens,
    outputTokens: planned[0]?.outputTokens,
  })

  const full = budgets()
  const small = runFixture({ script: [says('Hi.')], deps: full.deps })
  const target = modelTarget({ contextTokens: 1_000, maxOutputTokens: 100 })
  const snapshot = runSnapshot({ targets: [target] })
  await runAgent(runInput({ prompt: 'x'.repeat(3_200), snapshot }), small.deps)
  expect(full.planned[0]?.inputTokens).toBe(1_000)
})

test('a request that a budget cannot count is reported once a run', async () => {
  const { deps } = budgets('Daily site budget does not count the cost of first.')
  const run = runFixture({
    script: [asks(['look']), says('Done.')],
    tools: [testTool('look')],
    deps,
  })
  await runAgent(runInput(), run.deps)
  const warnings = eventsOf(run.events, 'warning').filter(
    ({ data }) => data.code === 'budget-uncounted',
  )
  expect(warnings).toHaveLength(1)
})

test('a run that is stopped while it waits for room makes no request', async () => {
  const run = runFixture({
    deps: {
      reserve: async () => {
        run.stop({ type: 'cancelled', by: 'Ada', reason: '' })
        return { type: 'stopped' }
      },
    },
  })
  expect((await runAgent(runInput(), run.deps)).end?.reason).toBe('cancelled')
  expect(run.model.calls).toHaveLength(0)
})

describe('SPEC M2: a request that an adapter makes again', () => {
  const change = { from: 'main', to: 'spare', failure: providerFailure('auth', { status: 401 }) }
  /** Asks before its second request, and is refused like its first where it may not make it. */
  const resending: RunDeps['streamModel'] = async function* (_target, _request, _signal, may) {
    if (await may(change)) yield* says('Here.', { resent: 1 })
    else yield { type: 'error', failure: change.failure }
  }

  test('is held first, and its change of key is in the journal', async () => {
    const held: string[] = []
    const reserveResend: RunDeps['reserveResend'] = async ({ reservationId }) => {
      held.push(reservationId)
      return { type: 'held', reservationId, warning: null }
    }
    const run = runFixture({
      deps: { ...budgets().deps, reserveResend, streamModel: resending },
    })
    const state = await runAgent(runInput(), run.deps)
    expect(held).toEqual([idOf(1)])
    expect(state.end?.reason).toBe('completed')
    expect(eventsOf(run.events, 'key-change')).toMatchObject([{ data: { round: 1, ...change } }])
  })

  test('is not made without room, and the run ends in words of the budget', async () => {
    const reserveResend = async () => ({ type: 'refused', reason: 'It is used up.' }) as const
    const run = runFixture({
      deps: { ...budgets().deps, reserveResend, streamModel: resending },
    })
    const { end } = await runAgent(runInput(), run.deps)
    expect(end).toMatchObject({
      reason: 'budget',
      message: 'It failed: auth. It is used up.',
      failedCall: { retries: 0, used: { reservationId: idOf(1) } },
    })
    expect(end && fixOfEnd(end)).toBe('budgets')
    expect(eventsOf(run.events, 'key-change')).toEqual([])
  })

  test('is no fault of the provider when budgets cannot be read', async () => {
    const reserveResend = () => Promise.reject(new JournalLostError('Budgets cannot be read.'))
    const run = runFixture({
      deps: { ...budgets().deps, reserveResend, streamModel: resending },
    })
    await expect(runAgent(runInput(), run.deps)).rejects.toThrow(JournalLostError)
  })
})

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

test('SPEC G-R: a request is not tried again for a run that lost a right', async () => {
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
