import { expect, test } from 'vitest'
import { runAgent } from '@/lib/engines/runtime/run-agent'
import { startOf } from '@/lib/engines/runtime/run-step'
import { unpriced } from '@/lib/protocol/cost/cost'
import { costOfTurns } from '@/lib/protocol/cost/cost-caps'
import type { CostCap, CostCapChoice } from '@/lib/protocol/cost/money'
import {
  eventsOf,
  modelTarget,
  runFixture,
  runInput,
  runSnapshot,
  testTool,
} from '@/tests/support/run-fixture'
import { asks, finish, says } from '@/tests/support/scripted-model'

/** Every answer of the script costs 100 * $1 + 10 * $2 a million tokens: 120 micro-USD. */
const look = testTool('look')
const cap = (mode: CostCap['mode'], limitMicroUsd: number): CostCap => ({
  scope: 'configuration',
  mode,
  limitMicroUsd,
})
const round = (n: number) => asks(['look', { n }])

async function work(costCaps: CostCap[], choices: (CostCapChoice | null)[] = []) {
  const run = runFixture({
    script: [round(1), round(2), says('Done.')],
    tools: [look],
    deps: {
      readCostCapChoice: async () => {
        const choice = choices.shift() ?? null
        return choice && { choice, by: 'ada@example.org' }
      },
    },
  })
  const state = await runAgent(runInput({ snapshot: runSnapshot({ costCaps }) }), run.deps)
  const warnings = eventsOf(run.events, 'warning').filter(({ data }) => data.code === 'cost-cap')
  return { run, state, warnings: warnings.map(({ data }) => data.message) }
}

test('SPEC M4: warn says once that a cap is reached, and the run keeps running', async () => {
  const { run, state, warnings } = await work([cap('warn', 200)])
  run.model.verify()
  expect(state.end).toMatchObject({ reason: 'completed', truncated: false, costMicroUsd: 360 })
  expect(warnings).toEqual([
    'The run has cost $0.00024 and reached the cap of $0.0002 that its configuration sets. The run continues.',
  ])
})

test('SPEC M4: enforce makes the next answer the last one, without tools', async () => {
  const { run, state, warnings } = await work([cap('enforce', 120)])
  expect(run.model.calls).toHaveLength(2)
  expect(run.model.calls[1]?.request.tools).toEqual([])
  const [call] = eventsOf(run.events, 'call-end')
  expect(call?.data.outcome).toMatchObject({ type: 'denied', gate: 'cost-cap' })
  expect(eventsOf(run.events, 'call-start')).toEqual([])
  expect(state.rounds.at(-1)).toMatchObject({ round: 2, closing: true })
  expect(state.end).toMatchObject({ reason: 'cost-cap', truncated: true })
  expect(state.end?.message).toContain('the cap of $0.00012 that its configuration sets')
  expect(warnings).toHaveLength(1)
})

test.each([
  ['enforced', 'enforce'],
  ['chosen in mid-run', 'warn'],
] as const)(
  'SPEC M4: a write in the answer that crosses the cap is not run (%s)',
  async (_how, mode) => {
    const written: unknown[] = []
    const write = testTool('save', {
      effect: 'write',
      execute: async (args) => {
        written.push(args)
        return { content: 'saved' }
      },
    })
    const run = runFixture({
      script: [asks(['save', { n: 1 }], ['save', { n: 2 }]), says('Done.')],
      tools: [write],
      deps: { readCostCapChoice: async () => ({ choice: 'enforce', by: 'ada@example.org' }) },
    })
    const snapshot = runSnapshot({ costCaps: [cap(mode, 120)] })
    const state = await runAgent(runInput({ snapshot }), run.deps)
    run.model.verify()
    expect(written).toEqual([])
    expect(state.rounds[0]?.calls.map((call) => call.state)).toMatchObject([
      { type: 'ended', outcome: { type: 'denied', gate: 'cost-cap' } },
      { type: 'ended', outcome: { type: 'denied', gate: 'cost-cap' } },
    ])
    expect(state.end?.reason).toBe('cost-cap')
  },
)

test('the lowest of several caps counts, whoever set it', async () => {
  const own: CostCap = { scope: 'run', mode: 'enforce', limitMicroUsd: 1 }
  const { state } = await work([cap('enforce', 1_000), own])
  expect(state.end?.message).toContain('the cap of $0.000001 that it was started with')
})

test('an answer that needs nothing more ends as completed, cap or not', async () => {
  const run = runFixture({ script: [says('Done.')] })
  const snapshot = runSnapshot({ costCaps: [cap('enforce', 1)] })
  expect((await runAgent(runInput({ snapshot }), run.deps)).end?.reason).toBe('completed')
})

test('a choice about the cap is recorded once and takes effect from the next round', async () => {
  const enforced = await work([cap('warn', 100)], ['enforce'])
  expect(enforced.state.end?.reason).toBe('cost-cap')
  const decisions = eventsOf(enforced.run.events, 'cost-cap-decision')
  expect(decisions.map(({ data }) => data)).toEqual([
    { choice: 'enforce', by: 'ada@example.org', spentMicroUsd: 120 },
  ])

  const ignored = await work([cap('enforce', 100), cap('warn', 200)], Array(9).fill('ignore'))
  expect(ignored.state.end?.reason).toBe('completed')
  expect(eventsOf(ignored.run.events, 'cost-cap-decision')).toHaveLength(1)
  expect(ignored.warnings).toHaveLength(1)
})

test('a choice that cannot be read changes nothing', async () => {
  const run = runFixture({
    script: [round(1), says('Done.')],
    tools: [look],
    deps: { readCostCapChoice: () => Promise.reject(new Error('away')) },
  })
  const snapshot = runSnapshot({ costCaps: [cap('enforce', 1)] })
  expect((await runAgent(runInput({ snapshot }), run.deps)).end?.reason).toBe('cost-cap')
  expect(run.incidents).not.toHaveLength(0)
})

test('a cost that is not known is said once where it warns, and closes where it is enforced', async () => {
  const written = { ...finish().usage, inputTokens: 100, outputTokens: 10, cacheWriteTokens: 50 }
  const usage = { cachedInputTokens: 0, reasoningTokens: 0, estimated: false, ...written }
  const prices = { ...unpriced, input: 1, output: 1 }
  const script = () => [
    asks(['look', { n: 1 }]).map((event) =>
      event.type === 'finish' ? { ...event, usage } : event,
    ),
    says('Done.'),
  ]
  const workWith = async (mode: CostCap['mode']) => {
    const run = runFixture({ script: script(), tools: [look] })
    const targets = [modelTarget({ prices })]
    const snapshot = runSnapshot({ targets, costCaps: [cap(mode, 1_000)] })
    return { run, state: await runAgent(runInput({ snapshot }), run.deps) }
  }
  const warned = await workWith('warn')
  expect(warned.state.end?.reason).toBe('completed')
  expect(eventsOf(warned.run.events, 'warning').map(({ data }) => data.message)).toEqual([
    'The cost cannot be measured, because a price of this model is unknown. The run continues.',
  ])
  const enforced = await workWith('enforce')
  expect(enforced.state.end).toMatchObject({ reason: 'cost-cap', costMicroUsd: null })
})

/** Runs a second turn after one that cost 120 micro-USD, or `before`. */
async function workLater(costCaps: CostCap[], before?: number | null) {
  const first = runFixture({ script: [says('Done.')] })
  const ended = await runAgent(runInput(), first.deps)
  const cost = costOfTurns([before === undefined ? ended : { ...ended, costMicroUsd: before }])
  const run = runFixture({ script: [round(1), says('Done.')], tools: [look] })
  const runId = '00000000-0000-7000-8000-000000000000'
  const turnBefore = { runId, start: startOf(ended), cost }
  const state = await runAgent(
    runInput({ turnBefore, snapshot: runSnapshot({ costCaps }) }),
    run.deps,
  )
  const warnings = eventsOf(run.events, 'warning').map(({ data }) => data.message)
  return { state, warnings }
}

test('SPEC C1: a cap counts what the turns before cost, and the warning says so', async () => {
  const warned = await workLater([cap('warn', 200)])
  expect(warned.state).toMatchObject({ costMicroUsd: 240, end: { reason: 'completed' } })
  expect(warned.warnings).toEqual([
    'The run has cost $0.00024 with its conversation and reached the cap of $0.0002 that its configuration sets. The run continues.',
  ])
  const enforced = await workLater([cap('enforce', 240)])
  expect(enforced.state.end).toMatchObject({ reason: 'cost-cap' })
  expect(enforced.state.end?.message).toContain('The run cost $0.00036 with its conversation')
})

test('SPEC C1: a cap that the turns before reached is said once, and so is a cost that is not known', async () => {
  const { warnings } = await workLater([cap('warn', 100)])
  expect(warnings).toHaveLength(1)
  expect(warnings[0]).toContain('reached the cap of $0.0001')
  const unknown = await workLater([cap('warn', 100)], null)
  expect(unknown.state.costMicroUsd).toBe(240)
  expect(unknown.warnings).toEqual([
    'The cost cannot be measured, because a price of a turn before is unknown. The run continues.',
  ])
})

test('a model without a price is not asked where a cap is enforced', async () => {
  const run = runFixture({})
  const targets = [modelTarget({ prices: unpriced })]
  const snapshot = runSnapshot({ targets, costCaps: [cap('enforce', 5)] })
  const { end } = await runAgent(runInput({ snapshot }), run.deps)
  expect(end).toMatchObject({ reason: 'cost-cap', truncated: false, notStarted: true })
  expect(end?.message).toContain('No request was sent to test-model')
})
