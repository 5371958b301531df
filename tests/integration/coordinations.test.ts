import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { freezeSite, unfreezeSite } from '@/lib/domains/settings/freeze'
import { conversationReads } from '@/lib/engines/runtime/policy/untrusted-reads'
import { unaudited } from '@/lib/kernel/db'
import { foldRun } from '@/lib/protocol/run/fold-run'
import type { Engine } from '@/lib/runs/engine/engine'
import { advancePanels } from '@/lib/runs/panels/advance-panel'
import type { StartCoordinationInput } from '@/lib/runs/panels/coordination-schemas'
import { stopPanel } from '@/lib/runs/panels/panels'
import { readPanel } from '@/lib/runs/panels/read-panel'
import { startCoordination } from '@/lib/runs/panels/start-coordination'
import { db } from '@/tests/support/fixture-db'
import type { ScriptedTurn, ServedRequest } from '@/tests/support/model-server/scripted-turn'
import { startModelServer } from '@/tests/support/model-server/start-model-server'
import { addPanelSite, type PanelSite } from '@/tests/support/panel-site'
import { collect } from '@/tests/support/run-site'
import { startTestEngine } from '@/tests/support/test-engine'

const envelopes = {
  proposal: { answer: 'Ship it.', reasons: ['It works.'], evidence: ['42'], confidence: 0.8 },
  critique: {
    verdict: 'revise',
    issues: [{ severity: 'low', quote: 'Ship it.', issue: 'Say when.' }],
  },
  synthesis: {
    answer: 'Ship it on Monday.',
    taken: ['The day.'],
    not_taken: ['Nothing.'],
    open_points: ['Who.'],
  },
}
const asks = (name: string, n = 1): ScriptedTurn => ({
  calls: [{ name, arguments: { expression: `6 * ${n}` } }],
})

/** Next answers of each model, by its name; left out: the envelope of its role. */
const turns = new Map<string, ScriptedTurn[]>()
const seen: ServedRequest[] = []
let server: Awaited<ReturnType<typeof startModelServer>>
let engine: Engine
let site: PanelSite

function envelopeOf({ system }: ServedRequest): object {
  if (system.includes('You are the proposer')) return envelopes.proposal
  return system.includes('You are a critic') ? envelopes.critique : envelopes.synthesis
}

beforeAll(async () => {
  server = await startModelServer({
    script: (request) => {
      seen.push(request)
      const scripted = turns.get(request.model)?.shift()
      return scripted ?? { text: JSON.stringify(envelopeOf(request)) }
    },
  })
  engine = await startTestEngine()
  site = await addPanelSite(server.url, ['openai-compatible', 'anthropic', 'ollama', 'gemini'])
})
afterAll(async () => {
  await engine.close()
  await server.close()
})
beforeEach(() => {
  turns.clear()
  seen.length = 0
})

/** Starts a coordination: the first configuration proposes, the second and third criticise, the fourth writes the answer. */
async function coordinate(wishes: Partial<StartCoordinationInput> = {}) {
  const [proposer = '', one = '', other = '', synthesizer = ''] = site.configurations
  const { panelId } = await startCoordination(site.admin, {
    prompt: 'Is the plan ready?',
    proposer: { configuration: proposer },
    critics: [{ configuration: one }, { configuration: other }],
    synthesizer: { configuration: synthesizer },
    ...wishes,
  })
  return panelId
}

async function ended(panelId: string) {
  await expect
    .poll(async () => (await readPanel(site.admin, { panelId })).status, { timeout: 20_000 })
    .toBe('ended')
  const panel = await readPanel(site.admin, { panelId })
  const states = await Promise.all(
    panel.members.map(async ({ run }) =>
      run ? foldRun(await collect(site.admin, run.runId)) : null,
    ),
  )
  return { panel, states }
}

const modelsAsked = () => seen.map(({ model }) => model)
const lastPrompt = (model: string) =>
  String(JSON.stringify(seen.findLast((each) => each.model === model)?.body))

test('Q2: proposer, then critics at once, then the synthesizer, each with what came before, in envelopes', async () => {
  turns.set('model-0', [asks('calculate')])
  turns.set('model-3', [asks('calculate')])
  const panelId = await coordinate({ tools: ['calculate'] })
  const { panel, states } = await ended(panelId)
  expect(panel).toMatchObject({ kind: 'coordinate', appliesTo: ['proposer', 'critic'] })
  expect(panel.members.map(({ role }) => role)).toEqual([
    'proposer',
    'critic',
    'critic',
    'synthesizer',
  ])
  expect(panel.members.map(({ run }) => run?.envelope)).toEqual([
    envelopes.proposal,
    envelopes.critique,
    envelopes.critique,
    envelopes.synthesis,
  ])
  expect(modelsAsked().slice(0, 2)).toEqual(['model-0', 'model-0'])
  expect(modelsAsked().slice(2, 4).sort()).toEqual(['model-1', 'model-2'])
  expect(modelsAsked().slice(4)).toEqual(['model-3', 'model-3'])
  expect(lastPrompt('model-1')).toContain('Ship it.')
  expect(lastPrompt('model-3')).toContain('Say when.')
  expect(
    seen.filter(({ model }) => model !== 'model-3').every(({ offered }) => offered.length > 0),
  ).toBe(true)
  expect(
    seen.filter(({ model }) => model === 'model-3').every(({ offered }) => offered.length === 0),
  ).toBe(true)
  const refused = states[3]?.rounds.flatMap(({ calls }) => calls).map(({ state }) => state)
  expect(refused).toMatchObject([{ outcome: { type: 'denied' } }])
  const cost = states.reduce((sum, state) => sum + (state?.costMicroUsd ?? 0), 0)
  expect(panel.costMicroUsd).toBe(cost)
  const places = await db().run.findMany({ where: { panelId }, select: { panelPlace: true } })
  expect(places.map(({ panelPlace }) => panelPlace).sort()).toEqual([0, 1, 2, 3])
})

test('an envelope that does not fit is repaired once; after that its text is kept and marked', async () => {
  turns.set('model-1', [{ text: 'I object.' }, { text: 'I still object.' }])
  const { panel, states } = await ended(await coordinate())
  expect(panel.members[1]?.run).toMatchObject({
    endReason: 'invalid-output',
    envelope: null,
    answer: 'I still object.',
  })
  expect(states[1]?.rounds).toHaveLength(2)
  const requested = lastPrompt('model-3')
  expect(requested).toContain('I still object.')
  expect(requested).toContain('which is not in the form that was asked for')
  expect(panel.members[3]?.run?.envelope).toEqual(envelopes.synthesis)
})

test('a critic that fails does not hold the others up; without a proposal, nobody else begins', async () => {
  turns.set('model-2', [{ status: 400, body: { error: { message: 'No.' } } }])
  const { panel } = await ended(await coordinate())
  expect(panel.members.map(({ run }) => run?.endReason)).toEqual([
    'completed',
    'completed',
    'provider-error',
    'completed',
  ])
  turns.set('model-0', [{ status: 400, body: { error: { message: 'No.' } } }])
  const second = await ended(await coordinate())
  expect(second.panel.members.map(({ run, refusal }) => run?.endReason ?? refusal)).toEqual([
    'provider-error',
    ...Array(3).fill('There is no proposal to work on.'),
  ])
})

test('stop ends what goes on, and nothing more begins', async () => {
  turns.set('model-0', [{ text: 'Late', beforeMs: 20_000 }])
  const panelId = await coordinate()
  expect(await stopPanel(site.admin, { panelId })).toEqual({ stoppedRuns: 1 })
  const { panel } = await ended(panelId)
  expect(panel.members[0]?.run?.endReason).toBe('cancelled')
  expect(panel.members.slice(1).map(({ refusal }) => refusal)).toEqual(
    Array(3).fill(`Stopped by ${site.admin.actor.email}.`),
  )
})

test('Q3: a cap of the whole panel that is enforced keeps later roles from beginning, and says so', async () => {
  const costCap = { mode: 'enforce' as const, limitMicroUsd: 1 }
  const { panel } = await ended(await coordinate({ costCap }))
  expect(panel.members.slice(1).map(({ refusal }) => refusal)).toEqual(
    Array(3).fill(expect.stringContaining('reached its cap of $0.000001')),
  )
  expect(panel.costCap).toMatchObject({ exceeded: true })
})

test('a hop budget holds for each role, and a call beside an envelope is refused', async () => {
  const proposer = { configuration: site.configurations[0] ?? '', hops: 1 }
  turns.set('model-0', [asks('calculate', 1), asks('calculate', 2)])
  turns.set('model-1', [{ ...asks('calculate'), text: JSON.stringify(envelopes.critique) }])
  const { panel, states } = await ended(await coordinate({ tools: ['calculate'], proposer }))
  const outcomesOf = (place: number) =>
    states[place]?.rounds.flatMap(({ calls }) => calls).map(({ state }) => state)
  expect(outcomesOf(0)).toMatchObject([
    { outcome: { type: 'ok' } },
    { outcome: { type: 'denied', gate: 'hop-budget' } },
  ])
  expect(outcomesOf(1)).toMatchObject([{ outcome: { type: 'denied', gate: 'hop-budget' } }])
  expect(panel.members[0]?.run?.envelope).toEqual(envelopes.proposal)
  expect(panel.members[1]?.run?.envelope).toEqual(envelopes.critique)
})

test('a configuration that does not exist is said before anything is spent', async () => {
  const wrong = coordinate({ synthesizer: { configuration: 'no-such' } })
  await expect(wrong).rejects.toMatchObject({
    fields: { 'configurations.3': expect.stringContaining('no-such') },
  })
  expect(seen).toEqual([])
})

test('untrusted texts that a role read count for the later roles, also when their calls begin', async () => {
  turns.set('model-0', [{ calls: [{ name: 'fetch_logs', arguments: {} }] }])
  turns.set('model-1', [asks('calculate')])
  const { states } = await ended(await coordinate({ tools: ['fetch_logs', 'calculate'] }))
  const reads = states.map((state) => state?.start?.panelReads)
  expect(reads[0]).toBeUndefined()
  expect(reads.slice(1)).toEqual([
    ['fetch_logs'],
    ['fetch_logs'],
    expect.arrayContaining(['fetch_logs']),
  ])
  const state = states[1]
  if (!state) throw new Error('The critic did not begin.')
  expect(conversationReads(state, { tools: new Map() })).toContain('fetch_logs')
})

test('a freeze between two roles ends the coordination, however soon it is lifted', async () => {
  const panelId = await coordinate()
  await ended(panelId)
  // As after a crash between the end of the proposer and the beginning of the critics.
  await db().run.deleteMany({ where: { panelId, panelPlace: { gt: 0 } } })
  const before = unaudited(db(), 'a crash')
  await before.panel.update({ where: { id: panelId }, data: { hasTurns: true } })
  await freezeSite(site.admin, { reason: 'A leak' })
  await unfreezeSite(site.admin, {})
  await advancePanels(engine)
  const panel = await readPanel(site.admin, { panelId })
  expect(panel.status).toBe('ended')
  expect(panel.members.slice(1).map(({ refusal }) => refusal)).toEqual([
    'The site was frozen meanwhile, which ended this panel.',
    'The site was frozen meanwhile, which ended this panel.',
    expect.any(String),
  ])
  expect(await db().run.count({ where: { panelId } })).toBe(1)
})

test('a server finds a coordination whose next roles nobody began, and those that look at once begin each role once', async () => {
  const panelId = await coordinate()
  await ended(panelId)
  // As after a crash between the end of the proposer and the beginning of the critics.
  await db().run.deleteMany({ where: { panelId, panelPlace: { gt: 0 } } })
  const before = unaudited(db(), 'a crash')
  await before.panel.update({ where: { id: panelId }, data: { hasTurns: true } })
  expect((await readPanel(site.admin, { panelId })).status).toBe('running')
  await Promise.all([1, 2, 3, 4].map(() => advancePanels(engine)))
  const { panel } = await ended(panelId)
  expect(panel.members.map(({ run }) => run?.endReason)).toEqual(Array(4).fill('completed'))
  const places = await db().run.findMany({ where: { panelId }, select: { panelPlace: true } })
  expect(places.map(({ panelPlace }) => panelPlace).sort()).toEqual([0, 1, 2, 3])
  expect(await db().panel.count({ where: { id: panelId, hasTurns: true } })).toBe(0)
})
