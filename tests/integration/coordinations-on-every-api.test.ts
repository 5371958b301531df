import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Ctx } from '@/lib/kernel/context'
import { foldRun } from '@/lib/protocol/run/fold-run'
import type { Engine } from '@/lib/runs/engine/engine'
import { readPanel } from '@/lib/runs/panels/read-panel'
import { startCoordination } from '@/lib/runs/panels/start-coordination'
import { db } from '@/tests/support/fixture-db'
import type { ScriptedTurn, ServedRequest } from '@/tests/support/model-server/scripted-turn'
import { type ModelServer, startModelServer } from '@/tests/support/model-server/start-model-server'
import { addPerson } from '@/tests/support/people'
import { collect } from '@/tests/support/run-site'
import { startTestEngine } from '@/tests/support/test-engine'
import { addWireSite, spokenWires } from '@/tests/support/wire-site'

let admin: Ctx
let model: ModelServer
let engine: Engine

const million = 1_000_000
const prices = {
  input: 3 * million,
  output: 15 * million,
  cachedInput: 300_000,
  cacheWrite: 4 * million,
  reasoning: null,
}
const usage = { inputTokens: 1_000, outputTokens: 100 }
const perRequest = 4_500
const envelopes = {
  proposer: { answer: '42', reasons: ['6 * 7'], evidence: ['42'], confidence: 1 },
  critic: { verdict: 'accept', issues: [] },
  synthesizer: { answer: '42', taken: [], not_taken: [], open_points: [] },
}
const roleOf = ({ system }: ServedRequest) =>
  system.includes('You are the proposer')
    ? 'proposer'
    : system.includes('You are a critic')
      ? 'critic'
      : 'synthesizer'

/** Number of requests for each role. */
const times = { proposer: 0, critic: 0, synthesizer: 0 }

function ask({ offered, system }: ServedRequest, n: number): ScriptedTurn {
  const args = { expression: `6 * ${n}` }
  const native = offered.length > 0 || !system.includes('<tool_call>')
  if (native) return { calls: [{ name: 'calculate', arguments: args }], usage }
  const requested = JSON.stringify({ name: 'calculate', args })
  return { text: `<tool_call>${requested}</tool_call>`, usage }
}

/** Lets the proposer ask twice, the critic fail once to fit its form, and the synthesizer ask for a tool. */
function answer(request: ServedRequest): ScriptedTurn {
  const role = roleOf(request)
  const time = ++times[role]
  if (role === 'proposer' && time <= 2) return ask(request, time)
  if (role === 'critic' && time === 1) return { text: '{"verdict":"maybe"}', usage }
  if (role === 'synthesizer' && time === 1 && request.wire !== 'ollama') return ask(request, 9)
  return { text: JSON.stringify(envelopes[role]), usage }
}

beforeAll(async () => {
  admin = await addPerson('admin')
  model = await startModelServer({ script: answer })
  engine = await startTestEngine()
})
afterAll(async () => {
  await engine.close()
  await model.close()
})
beforeEach(() => {
  Object.assign(times, { proposer: 0, critic: 0, synthesizer: 0 })
})

test.each([
  ...spokenWires.map((wire) => [wire, 'auto'] as const),
  ['openai-compatible', 'prompted'] as const,
])('%s, %s: order, hop budget, repair, and a synthesizer without tools', async (wire, toolMode) => {
  const { configuration } = await addWireSite(admin, model.url, { wire, toolMode, prices })
  const before = model.requests.length
  const { panelId } = await startCoordination(admin, {
    prompt: 'How much is six times seven?',
    tools: ['calculate'],
    proposer: { configuration, hops: 1 },
    critics: [{ configuration }],
    synthesizer: { configuration },
  })
  await expect
    .poll(async () => (await readPanel(admin, { panelId })).status, { timeout: 20_000 })
    .toBe('ended')
  const panel = await readPanel(admin, { panelId })
  expect(panel.members.map(({ run }) => run?.endReason)).toEqual([
    'max-rounds',
    'completed',
    expect.stringMatching(/completed|max-rounds/),
  ])
  expect(panel.members.map(({ run }) => run?.envelope)).toEqual(Object.values(envelopes))
  const states = await Promise.all(
    panel.members.map(async ({ run }) => foldRun(await collect(admin, run?.runId ?? ''))),
  )
  const outcomes = states.map(({ rounds }) =>
    rounds.flatMap(({ calls }) => calls).map(({ state }) => state),
  )
  expect(outcomes[0]).toMatchObject([
    { outcome: { type: 'ok' } },
    { outcome: { type: 'denied', gate: 'hop-budget' } },
  ])
  for (const state of outcomes[2] ?? [])
    expect(state).toMatchObject({ outcome: { type: 'denied' } })
  const requests = model.requests.slice(before)
  expect(requests.map(roleOf)).toEqual([
    'proposer',
    'proposer',
    'proposer',
    'critic',
    'critic',
    ...requests.slice(5).map(() => 'synthesizer'),
  ])
  const refused = JSON.stringify(requests[2]?.body).replaceAll('\\', '')
  expect(refused).toContain('"refused":true,"tool":"calculate","reason":"hop_budget_exhausted"')
  expect(panel.costMicroUsd).toBe(requests.length * perRequest)
  const records = await db().usageRecord.findMany({ where: { run: { panelId } } })
  const ledger = records.reduce((sum, { costMicroUsd }) => sum + Number(costMicroUsd), 0)
  expect(ledger).toBe(panel.costMicroUsd)
})
