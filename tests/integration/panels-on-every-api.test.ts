import { afterAll, beforeAll, expect, test } from 'vitest'
import { readUsageTotals } from '@/lib/domains/usage/reads'
import { usageWindow } from '@/lib/domains/usage/usage-window'
import type { Ctx } from '@/lib/kernel/context'
import type { Engine } from '@/lib/runs/engine/engine'
import { db } from '@/tests/support/fixture-db'
import type { ScriptedTurn, ServedRequest } from '@/tests/support/model-server/scripted-turn'
import { type ModelServer, startModelServer } from '@/tests/support/model-server/start-model-server'
import { endOfPanel, type PanelSite, startOn } from '@/tests/support/panel-site'
import { addPerson } from '@/tests/support/people'
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

/** Asks for a tool as long as it may, in the way of its mode. */
function insist({ round, offered, system }: ServedRequest): ScriptedTurn {
  const args = { expression: `${round} * 7` }
  if (offered.length > 0) return { calls: [{ name: 'calculate', arguments: args }], usage }
  if (!system.includes('You can ask for the tools')) return { text: 'Done.', usage }
  const request = JSON.stringify({ name: 'calculate', args })
  return { text: `<tool_call>${request}</tool_call>`, usage }
}

beforeAll(async () => {
  admin = await addPerson('admin')
  model = await startModelServer({ script: insist })
  engine = await startTestEngine()
})
afterAll(async () => {
  await engine.close()
  await model.close()
})

/** Returns eight configurations: one on each API type, and one in prompted mode. */
async function addEverySite(): Promise<PanelSite> {
  const configurations: string[] = []
  for (const wire of spokenWires)
    configurations.push((await addWireSite(admin, model.url, { wire, prices })).configuration)
  const prompted = { wire: 'openai-compatible', toolMode: 'prompted', prices } as const
  configurations.push((await addWireSite(admin, model.url, prompted)).configuration)
  return { admin, configurations }
}

async function expectUsage(panelId: string, costMicroUsd: number | null) {
  const runs = await db().run.findMany({ where: { panelId }, select: { configurationId: true } })
  const window = usageWindow('24h', new Date())
  const totals = await Promise.all(
    runs.map(({ configurationId }) =>
      readUsageTotals(admin, window, { configuration: String(configurationId) }),
    ),
  )
  expect(totals.reduce((sum, { costMicroUsd: cost }) => sum + cost, 0)).toBe(costMicroUsd)
}

test('a hop budget holds on each API type and in prompted mode, and each is told so by one line for programs', async () => {
  const site = await addEverySite()
  expect(site.configurations).toHaveLength(8)
  const { panelId } = await startOn(site, { tools: ['calculate'], hops: 2 })
  const { panel, states } = await endOfPanel(site, panelId)
  expect(states).toHaveLength(8)
  for (const [place, { rounds, end }] of states.entries()) {
    const name = panel.members[place]?.name
    const outcomes = rounds.flatMap(({ calls }) => calls).map(({ state }) => state)
    expect(outcomes, name).toMatchObject([
      { outcome: { type: 'ok' } },
      { outcome: { type: 'ok' } },
      { outcome: { type: 'denied', gate: 'hop-budget' } },
    ])
    expect(end?.reason, name).toBe('max-rounds')
    expect(rounds.at(-1)?.text, name).toBe('Done.')
  }
  const last = model.requests.filter(({ round }) => round === 3)
  expect(last).toHaveLength(8)
  for (const { results, wire } of last) {
    expect(results.at(-1), wire).toContain(
      '{"refused":true,"tool":"calculate","reason":"hop_budget_exhausted"}',
    )
  }
  expect(panel.costMicroUsd).toBe(8 * 4 * perRequest)
  await expectUsage(panelId, panel.costMicroUsd)
})

test.each(['off', 'warn', 'enforce'] as const)(
  'a cap of the whole panel that is %s, on each API type and in prompted mode',
  async (mode) => {
    const site = await addEverySite()
    const costCap = mode === 'off' ? null : { mode, limitMicroUsd: perRequest }
    const { panelId } = await startOn(site, { tools: ['calculate'], hops: 1, costCap })
    const { panel } = await endOfPanel(site, panelId)
    const isBlocked = mode === 'enforce'
    expect(panel.members.map(({ run }) => run?.endReason)).toEqual(
      Array(8).fill(isBlocked ? 'cost-cap' : 'max-rounds'),
    )
    // Two requests of each at most, as `panelCapBound` promises: the one under way, and the final answer.
    expect(panel.costMicroUsd).toBe(8 * (isBlocked ? 2 : 3) * perRequest)
    expect(panel.costCap).toEqual(
      costCap && {
        ...costCap,
        decision: null,
        operatorPrompt: null,
        observedMicroUsd: panel.costMicroUsd,
        exceeded: true,
        blocked: isBlocked,
      },
    )
    await expectUsage(panelId, panel.costMicroUsd)
  },
)
