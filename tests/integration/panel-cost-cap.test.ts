import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Ctx } from '@/lib/kernel/context'
import type { CostCapChoice } from '@/lib/protocol/cost/money'
import { foldRun } from '@/lib/protocol/run/fold-run'
import type { Engine } from '@/lib/runs/engine/engine'
import { choosePanelCap } from '@/lib/runs/panels/choose-panel-cap'
import { stopPanel } from '@/lib/runs/panels/panels'
import { readPanel } from '@/lib/runs/panels/read-panel'
import { startCoordination } from '@/lib/runs/panels/start-coordination'
import { chooseCostCap } from '@/lib/runs/verbs'
import { apiKeyOf, askApi } from '@/tests/support/api-client'
import { db } from '@/tests/support/fixture-db'
import type { ScriptedTurn, ServedRequest } from '@/tests/support/model-server/scripted-turn'
import { startModelServer } from '@/tests/support/model-server/start-model-server'
import { addPanelSite, endOfPanel, type PanelSite, startOn } from '@/tests/support/panel-site'
import { addPerson } from '@/tests/support/people'
import { collect } from '@/tests/support/run-site'
import { startTestEngine } from '@/tests/support/test-engine'
import { toolgate } from '@/tests/support/toolgate-process'

/** Every answer costs 4,500 micro-USD. */
const usage = { inputTokens: 1_000, outputTokens: 100 }
const warnAt = (limitMicroUsd: number) => ({ mode: 'warn' as const, limitMicroUsd })
const asks = { calls: [{ name: 'get_runtime_info', arguments: {} }], usage }
const tools = ['get_runtime_info']
const proposal = { answer: 'Ship it.', reasons: ['It works.'], evidence: [], confidence: 0.8 }
const critique = { verdict: 'accept', issues: [] }
const synthesis = { answer: 'Ship it.', taken: [], not_taken: [], open_points: [] }

/** Next answers of each model, by its name; left out: the envelope of its role, or its name. */
const turns = new Map<string, ScriptedTurn[]>()
const seen: ServedRequest[] = []
let server: Awaited<ReturnType<typeof startModelServer>>
let engine: Engine
let site: PanelSite

function answerOf({ system, model }: ServedRequest): string {
  if (system.includes('You are the proposer')) return JSON.stringify(proposal)
  if (system.includes('You are a critic')) return JSON.stringify(critique)
  return system.includes('You are the synthesizer') ? JSON.stringify(synthesis) : `I am ${model}.`
}

beforeAll(async () => {
  server = await startModelServer({
    script: (request) => {
      seen.push(request)
      return turns.get(request.model)?.shift() ?? { text: answerOf(request), usage }
    },
  })
  engine = await startTestEngine()
  site = await addPanelSite(server.url, ['openai-compatible', 'anthropic'])
})
afterAll(async () => {
  await engine.close()
  await server.close()
})
beforeEach(() => {
  turns.clear()
  seen.length = 0
})

const read = (panelId: string) => readPanel(site.admin, { panelId })
const choose = (ctx: Ctx, panelId: string, choice: CostCapChoice) =>
  choosePanelCap(ctx, { panelId, choice })
const hold: ScriptedTurn = { text: 'Late', beforeMs: 20_000 }

/** Starts a coordination whose proposer waits a moment, and chooses meanwhile. */
async function chosenEarly(choice: CostCapChoice, limitMicroUsd: number) {
  const [first = '', second = ''] = site.configurations
  turns.set('model-0', [{ text: JSON.stringify(proposal), usage, beforeMs: 700 }])
  const { panelId } = await startCoordination(site.admin, {
    prompt: 'Is the plan ready?',
    costCap: warnAt(limitMicroUsd),
    proposer: { configuration: first },
    critics: [{ configuration: second }],
    synthesizer: { configuration: second },
  })
  await choose(site.admin, panelId, choice)
  await expect.poll(async () => (await read(panelId)).status, { timeout: 20_000 }).toBe('ended')
  const panel = await read(panelId)
  const states = []
  for (const { run } of panel.members)
    states.push(run && foldRun(await collect(site.admin, run.runId)))
  return { panel, states }
}

test('Q3: enforcing the cap of the panel while two members go on ends both with one final answer', async () => {
  for (const model of ['model-0', 'model-1'])
    turns.set(model, [asks, { ...asks, until: 'chosen' }, { text: 'Final.', usage }])
  const { panelId } = await startOn(site, { tools, hops: 3, costCap: warnAt(5_000) })
  await expect.poll(async () => (await read(panelId)).costMicroUsd).toBe(9_000)
  await choose(site.admin, panelId, 'enforce')
  await fetch(`${server.url}/__open`, { method: 'POST', body: JSON.stringify({ name: 'chosen' }) })
  const { panel, states } = await endOfPanel(site, panelId)
  expect(panel.members.map(({ run }) => run?.endReason)).toEqual(['cost-cap', 'cost-cap'])
  expect(panel.members.map(({ run }) => run?.answer)).toEqual(['Final.', 'Final.'])
  expect(panel.costCap).toMatchObject({
    mode: 'warn',
    exceeded: true,
    blocked: true,
    decision: { choice: 'enforce', by: site.admin.actor.email },
  })
  for (const state of states) {
    expect(state.rounds.map(({ closing }) => closing)).toEqual([false, false, true])
    expect(state.panelCapDecision).toMatchObject({ choice: 'enforce', ofPanel: true })
    expect(state.costCapDecision).toBeNull()
  }
  expect(seen.map(({ offered }) => offered.length > 0)).toEqual([
    true,
    true,
    true,
    true,
    false,
    false,
  ])
})

test('roles that begin later begin with what was chosen', async () => {
  const enforced = await chosenEarly('enforce', 1_000_000)
  expect(enforced.panel.members.map(({ run }) => run?.endReason)).toEqual(
    Array(3).fill('completed'),
  )
  const { email } = site.admin.actor
  const decision = { choice: 'enforce', by: email, byAdmin: 'enforce' }
  expect(enforced.states.map((state) => state?.start?.panelCapDecision)).toEqual([
    undefined,
    decision,
    decision,
  ])
  const reached = await chosenEarly('enforce', 4_000)
  expect(reached.panel.members.slice(1).map(({ refusal }) => refusal)).toEqual(
    Array(2).fill(expect.stringContaining('reached its cap of $0.004')),
  )
  const ignored = await chosenEarly('ignore', 4_000)
  expect(ignored.panel.members.map(({ run }) => run?.endReason)).toEqual(Array(3).fill('completed'))
  const warnings = ignored.states
    .slice(1)
    .flatMap((state) => state?.rounds.flatMap(({ notes }) => notes))
  expect(warnings).toEqual([])
})

test('a member of the site makes the cap of their panel no looser than an admin chose; others see no panel', async () => {
  const member = await addPerson('member')
  const group = await db().group.create({ data: { name: `Choosers of ${site.configurations[0]}` } })
  await db().groupMember.create({ data: { groupId: group.id, userId: member.actor.userId } })
  for (const { id } of await db().configuration.findMany({
    where: { identifier: { in: site.configurations } },
  }))
    await db().configurationGroup.create({ data: { configurationId: id, groupId: group.id } })
  for (const model of ['model-0', 'model-1']) turns.set(model, [hold])
  const { panelId } = await startOn({ ...site, admin: member }, { costCap: warnAt(1) })
  await choose(member, panelId, 'ignore')
  await choose(site.admin, panelId, 'enforce')
  await expect(choose(member, panelId, 'warn')).rejects.toMatchObject({ status: 403 })
  await choose(site.admin, panelId, 'warn')
  await choose(member, panelId, 'enforce')
  await expect(choose(member, panelId, 'ignore')).rejects.toMatchObject({ status: 403 })
  expect((await read(panelId)).costCap?.decision).toEqual({
    choice: 'enforce',
    by: member.actor.email,
  })
  const where = { action: 'panel.cost-cap', objectId: panelId }
  expect(await db().auditEntry.count({ where })).toBe(4)

  const stranger = await addPerson('member')
  await expect(choose(stranger, panelId, 'enforce')).rejects.toMatchObject({ status: 404 })
  const key = await apiKeyOf(stranger, 'runs:write')
  const json = { choice: 'enforce' }
  expect((await askApi('PUT', `/panels/${panelId}/cost-cap`, { key, json })).status).toBe(404)
  const [first] = (await read(panelId)).members
  const alone = chooseCostCap(member, { runId: first?.run?.runId ?? '', choice: 'enforce' })
  await expect(alone).rejects.toMatchObject({ status: 409 })

  const inTerminal = await toolgate(['panel', 'cost-cap', panelId, 'ignore', '--json'])
  expect(JSON.parse(inTerminal.stdout)).toEqual({ panelId, choice: 'ignore' })
  await stopPanel(member, { panelId })
  await endOfPanel(site, panelId)
  await expect(choose(site.admin, panelId, 'warn')).rejects.toMatchObject({ status: 409 })
})

test('a panel without a cap of all members has nothing to choose', async () => {
  for (const model of ['model-0', 'model-1']) turns.set(model, [hold])
  const { panelId } = await startOn(site, { memberCostCap: warnAt(1) })
  await expect(choose(site.admin, panelId, 'warn')).rejects.toMatchObject({ status: 409 })
  await stopPanel(site.admin, { panelId })
  await endOfPanel(site, panelId)
})
