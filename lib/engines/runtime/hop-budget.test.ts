import { expect, test } from 'vitest'
import type { CostCap, CostCapChoice } from '@/lib/protocol/cost/money'
import { eventsOf, runFixture, runInput, runSnapshot, testTool } from '@/tests/support/run-fixture'
import { asks, says } from '@/tests/support/scripted-model'
import { runAgent } from './run-agent'

/** Every answer of the script costs 100 * $1 + 10 * $2 a million tokens: 120 micro-USD. */
const look = testTool('look')
const round = (n: number) => asks(['look', { n }])

test('SPEC Q1: a request beyond the hop budget is refused, and one final answer follows', async () => {
  const run = runFixture({ script: [round(1), round(2), round(3), says('Done.')], tools: [look] })
  const snapshot = runSnapshot({ hopBudget: 2, maxRounds: 9 })
  const state = await runAgent(runInput({ snapshot }), run.deps)
  run.model.verify()
  expect(eventsOf(run.events, 'call-start')).toHaveLength(2)
  const [, , third] = eventsOf(run.events, 'call-end')
  expect(third?.data.outcome).toMatchObject({ type: 'denied', gate: 'hop-budget' })
  expect(JSON.stringify(run.model.calls[3]?.request.messages)).toContain('hop_budget_exhausted')
  expect(run.model.calls[3]?.request.tools).toEqual([])
  expect(state.end).toMatchObject({ reason: 'max-rounds', truncated: true })
  expect(state.end?.message).toBe(
    'The limit of tool requests was reached. The final answer was written without tools.',
  )
})

test('an answer within the hop budget ends like others', async () => {
  const run = runFixture({ script: [round(1), says('Done.')], tools: [look] })
  const state = await runAgent(runInput({ snapshot: runSnapshot({ hopBudget: 1 }) }), run.deps)
  expect(state.end).toMatchObject({ reason: 'completed', truncated: false })
})

test('names of tools that do not exist do not count as hops', async () => {
  const script = [asks(['lok', {}]), round(1), says('Done.')]
  const run = runFixture({ script, tools: [look] })
  const state = await runAgent(runInput({ snapshot: runSnapshot({ hopBudget: 1 }) }), run.deps)
  expect(state.end?.reason).toBe('completed')
  expect(eventsOf(run.events, 'call-start')).toHaveLength(1)
})

async function workInPanel(mode: CostCap['mode'], others: (number | null)[]) {
  const run = runFixture({
    script: [round(1), round(2), says('Done.')],
    tools: [look],
    deps: { readPanelCost: async () => (others.length > 1 ? others.shift() : others[0]) ?? null },
  })
  const costCaps: CostCap[] = [{ scope: 'panel', mode, limitMicroUsd: 500 }]
  const state = await runAgent(runInput({ snapshot: runSnapshot({ costCaps }) }), run.deps)
  const warnings = eventsOf(run.events, 'warning').map(({ data }) => data.message)
  return { run, state, warnings }
}

test('SPEC Q3: what the other members cost counts towards the cap of the panel', async () => {
  const { run, state, warnings } = await workInPanel('enforce', [0, 400])
  expect(eventsOf(run.events, 'panel-cost').map(({ data }) => data)).toEqual([
    { othersMicroUsd: 400 },
  ])
  expect(state.end).toMatchObject({ reason: 'cost-cap', truncated: true, costMicroUsd: 240 })
  expect(state.end?.message).toContain(
    'The panel cost $0.00064 and reached the cap of $0.0005 that it was started with',
  )
  expect(warnings).toEqual([
    'The panel has cost $0.00052 and reached the cap of $0.0005 that it was started with. The tool calls of this round are not run. The run stops with a final answer without tools.',
  ])
})

test('a cap of the panel that only warns says so once, and the run goes on', async () => {
  const { state, warnings } = await workInPanel('warn', [0, 400, 450])
  expect(state.end?.reason).toBe('completed')
  expect(warnings).toHaveLength(1)
})

test('a cost of others that is not known has reached an enforced cap', async () => {
  const { state } = await workInPanel('enforce', [null])
  expect(state.end?.reason).toBe('cost-cap')
})

test('a choice for the panel changes the cap of the panel alone, also when it was made before the run began', async () => {
  const costCaps: CostCap[] = [
    { scope: 'panel', mode: 'warn', limitMicroUsd: 200 },
    { scope: 'run', mode: 'warn', limitMicroUsd: 200 },
  ]
  const chosen = (choice: CostCapChoice) => ({ choice, by: 'ada@example.org', byAdmin: null })
  const work = async (own: CostCapChoice, ofPanel: CostCapChoice, before?: CostCapChoice) => {
    const run = runFixture({
      script: [round(1), round(2), says('Done.')],
      tools: [look],
      deps: {
        readPanelCost: async () => 0,
        readCostCapChoice: async () => chosen(own),
        readPanelCapChoice: async () => chosen(ofPanel),
      },
    })
    const capDecision = before && chosen(before)
    const panel = { panelId: crypto.randomUUID(), place: 0, capDecision }
    const input = { ...runInput({ snapshot: runSnapshot({ costCaps }) }), panel }
    const state = await runAgent(input, run.deps)
    const kept = eventsOf(run.events, 'cost-cap-decision').map(({ data }) => data)
    const warned = eventsOf(run.events, 'warning').map(({ data }) => data.message.split(' ')[1])
    return { reason: state.end?.reason, rounds: state.rounds.length, kept, warned }
  }
  const enforced = await work('ignore', 'enforce')
  expect(enforced).toMatchObject({ reason: 'cost-cap', rounds: 3, warned: ['panel', 'run'] })
  expect(enforced.kept).toEqual([
    { ...chosen('ignore'), spentMicroUsd: 240 },
    { ...chosen('enforce'), spentMicroUsd: 240, ofPanel: true },
  ])
  const ignored = await work('warn', 'ignore', 'ignore')
  expect(ignored).toMatchObject({ reason: 'completed', warned: ['run'] })
  expect(ignored.kept).toEqual([{ ...chosen('warn'), spentMicroUsd: 240 }])
})
