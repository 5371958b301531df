import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { budgetVerbs } from '@/lib/domains/budgets/verbs'
import { webBudget } from '@/lib/engines/tools/tool-resources'
import type { Engine } from '@/lib/runs/engine/engine'
import { choosePanel, listPanels, stopPanel } from '@/lib/runs/panels/panels'
import { readPanel } from '@/lib/runs/panels/read-panel'
import { webAccess } from '@/lib/toolset/ports/web'
import { expectLedger } from '@/tests/support/expect-ledger'
import { db } from '@/tests/support/fixture-db'
import type { ScriptedTurn, ServedRequest } from '@/tests/support/model-server/scripted-turn'
import { startModelServer } from '@/tests/support/model-server/start-model-server'
import { addPanelSite, endOfPanel, type PanelSite, startOn } from '@/tests/support/panel-site'
import { addPerson } from '@/tests/support/people'
import { startTestEngine } from '@/tests/support/test-engine'

/** Next answers of each model, by its name; left out: its name. */
const turns = new Map<string, ScriptedTurn[]>()
const seen: ServedRequest[] = []
let server: Awaited<ReturnType<typeof startModelServer>>
let engine: Engine
let site: PanelSite

const asks = { calls: [{ name: 'get_runtime_info', arguments: {} }] }
const fails: ScriptedTurn = { status: 400, body: { error: { message: 'No.' } } }
const tools = ['get_runtime_info', 'get_env_raw', 'nothing_such']

beforeAll(async () => {
  server = await startModelServer({
    script: (request) => {
      seen.push(request)
      return turns.get(request.model)?.shift() ?? { text: `I am ${request.model}.` }
    },
  })
  engine = await startTestEngine()
  site = await addPanelSite(server.url, ['openai-compatible', 'anthropic', 'ollama', 'gemini'])
})
afterAll(async () => {
  await engine.close()
  await server.close()
})
beforeEach(async () => {
  turns.clear()
  seen.length = 0
  await db().budget.deleteMany()
})

test('Q1: one prompt on four configurations, each a run of its own, without tools by default', async () => {
  const { panelId, created } = await startOn(site)
  expect(created).toBe(true)
  const { panel, states } = await endOfPanel(site, panelId)
  expect(panel).toMatchObject({ status: 'ended', tools: [], hops: 2, choice: null, costCap: null })
  expect(panel.members.map(({ run }) => run?.answer)).toEqual(
    [0, 1, 2, 3].map((n) => `I am model-${n}.`),
  )
  expect(seen.every(({ offered }) => offered.length === 0)).toBe(true)
  expect(states.map(({ end }) => end?.reason)).toEqual(Array(4).fill('completed'))
  expect(panel.costMicroUsd).toBe(
    states.reduce((sum, { costMicroUsd }) => sum + (costMicroUsd ?? 0), 0),
  )
  const records = await db().usageRecord.findMany({ where: { run: { panelId } } })
  expect(panel.costMicroUsd).toBe(
    records.reduce((sum, { costMicroUsd }) => sum + Number(costMicroUsd), 0),
  )
  const runs = await db().run.findMany({ where: { panelId } })
  expect(new Set(runs.map(({ configurationId }) => configurationId)).size).toBe(4)
  const first = Math.min(...runs.map(({ createdAt }) => createdAt.getTime()))
  expect(Date.parse(panel.createdAt)).toBeLessThanOrEqual(first)
  expect(await db().auditEntry.count({ where: { action: 'panel.start', objectId: panelId } })).toBe(
    1,
  )
})

test('tools are opt-in, and each member says which it has and which gate refused the others', async () => {
  turns.set('model-0', [asks, asks, asks])
  const { panelId } = await startOn(site, { tools, hops: 2 })
  const { panel, states } = await endOfPanel(site, panelId)
  expect(panel.members[0]?.run?.tools).toEqual({
    accepted: ['get_runtime_info'],
    rejected: [
      expect.objectContaining({ name: 'get_env_raw', gate: 'enabled' }),
      expect.objectContaining({ name: 'nothing_such', gate: 'registered' }),
    ],
  })
  const calls = states[0]?.rounds.flatMap((round) => round.calls) ?? []
  expect(calls.map(({ state }) => state.type === 'ended' && state.outcome)).toMatchObject([
    { type: 'ok' },
    { type: 'ok' },
    { type: 'denied', gate: 'hop-budget' },
  ])
  expect(states[0]?.end?.reason).toBe('max-rounds')
  expect(panel.members[0]?.run?.toolCalls).toEqual([
    { hop: 1, name: 'get_runtime_info', status: 'ok', gate: null },
    { hop: 2, name: 'get_runtime_info', status: 'ok', gate: null },
    { hop: 3, name: 'get_runtime_info', status: 'denied', gate: 'hop-budget' },
  ])
  expect(panel.members[1]?.run?.toolCalls).toEqual([])
})

test('a member that fails or is refused does not fail the others', async () => {
  const wires = ['openai-compatible', 'openai-compatible', 'openai-compatible'] as const
  const three = await addPanelSite(server.url, wires, [0])
  turns.set('model-1', [fails])
  const memberCostCap = { mode: 'enforce' as const, limitMicroUsd: 1_000_000 }
  const { panelId } = await startOn(three, { memberCostCap })
  const { panel } = await endOfPanel(three, panelId)
  expect(panel.status).toBe('ended')
  expect(panel.members[0]?.run).toBeNull()
  expect(panel.members.map(({ run, refusal }) => run?.endReason ?? refusal)).toEqual([
    expect.stringContaining('no price'),
    'provider-error',
    'completed',
  ])
  await expect(
    startOn(await addPanelSite(server.url, wires, [0, 1, 2]), { memberCostCap }),
  ).rejects.toMatchObject({ status: 409 })
})

test('Q3: budgets have room for all first requests or none starts, and the sentence names the sum', async () => {
  const limit = {
    scope: 'user',
    scopeId: site.admin.actor.userId,
    window: 'day',
    unit: 'tokens',
  } as const
  const { id } = await budgetVerbs.create(site.admin, { ...limit, amount: 10_000 })
  const before = await db().run.count()
  const words = await startOn(site).catch(String)
  expect(words).toMatch(
    /None of the members was started\. .* has 10.000 tokens left, but the first requests of the 4 members that it counts may use up to 1\d.\d{3} tokens together\./,
  )
  expect(await db().run.count()).toBe(before)
  expect(await db().panel.count({ where: { prompt: 'Who is who?', runs: { none: {} } } })).toBe(0)
  expect(seen).toEqual([])
  await budgetVerbs.update(site.admin, { id, amount: 100_000 })
  const { panelId } = await startOn(site)
  const { panel } = await endOfPanel(site, panelId)
  expect(panel.members.map(({ run }) => run?.endReason)).toEqual(Array(4).fill('completed'))
  await expectLedger(site.admin)
  const open = await db().budgetReservation.findMany({ where: { budgetId: id, status: 'open' } })
  expect(open).toEqual([])
  const held = await db().budgetReservation.findMany({ where: { budgetId: id } })
  expect(held.filter(({ callId, runId }) => callId === runId)).toHaveLength(4)
})

test('Q3: an enforced cap of the whole panel stops members, and says what it saw', async () => {
  const usage = { inputTokens: 1_000, outputTokens: 100 }
  turns.set('model-0', [
    { ...asks, usage },
    { text: 'Done.', usage },
  ])
  turns.set('model-1', [
    { ...asks, usage, beforeMs: 400 },
    { text: 'Done.', usage },
  ])
  const two = { ...site, configurations: site.configurations.slice(0, 2) }
  const costCap = { mode: 'enforce' as const, limitMicroUsd: 6_000 }
  const memberCostCap = { mode: 'warn' as const, limitMicroUsd: 5_000 }
  const { panelId } = await startOn(two, { tools, costCap, memberCostCap })
  const { panel } = await endOfPanel(two, panelId)
  expect(panel.members[1]?.run?.endReason).toBe('cost-cap')
  expect(panel.costCap).toEqual({
    ...costCap,
    decision: null,
    observedMicroUsd: panel.costMicroUsd,
    exceeded: true,
    blocked: true,
    operatorPrompt: null,
  })
  const cap = { ...memberCostCap, decision: null, operatorPrompt: null }
  expect(panel.members.map(({ run }) => run?.costCap)).toEqual([
    { ...cap, observedMicroUsd: 9_000, exceeded: true, blocked: false },
    { ...cap, observedMicroUsd: 9_000, exceeded: true, blocked: false },
  ])
})

test('one stop ends all members', async () => {
  for (const place of [0, 1, 2, 3])
    turns.set(`model-${place}`, [{ text: 'Late', beforeMs: 20_000 }])
  const { panelId } = await startOn(site)
  expect(await stopPanel(site.admin, { panelId, reason: 'Enough' })).toEqual({ stoppedRuns: 4 })
  const { panel } = await endOfPanel(site, panelId)
  expect(panel.members.map(({ run }) => run?.endReason)).toEqual(Array(4).fill('cancelled'))
  expect(await stopPanel(site.admin, { panelId })).toEqual({ stoppedRuns: 0 })
})

test('a choice with its note is kept, replaced and taken back, and only a member can be chosen', async () => {
  const { panelId } = await startOn(site)
  const { panel } = await endOfPanel(site, panelId)
  const runId = panel.members[2]?.run?.runId ?? ''
  await expect(choosePanel(site.admin, { panelId, runId: randomUUID() })).rejects.toMatchObject({
    status: 422,
  })
  await choosePanel(site.admin, { panelId, runId, note: 'Shorter.' })
  expect((await readPanel(site.admin, { panelId })).choice).toMatchObject({
    runId,
    note: 'Shorter.',
    by: site.admin.actor.email,
  })
  const { panels } = await listPanels(site.admin, { chosen: 'yes' })
  expect(panels.map((row) => row.panelId)).toContain(panelId)
  await choosePanel(site.admin, { panelId, runId: null, note: '' })
  expect((await readPanel(site.admin, { panelId })).choice).toBeNull()
})

test('the same idempotency key is one panel, and another request with it is refused', async () => {
  const idempotencyKey = randomUUID()
  const both = await Promise.all([
    startOn(site, { idempotencyKey }),
    startOn(site, { idempotencyKey }),
  ])
  expect(new Set(both.map(({ panelId }) => panelId)).size).toBe(1)
  expect(both.filter(({ created }) => created)).toHaveLength(1)
  await expect(startOn(site, { idempotencyKey, hops: 3 })).rejects.toMatchObject({ status: 409 })
  await endOfPanel(site, both[0].panelId)
})

test.each([1, 2])(
  'a panel is stored once, with one audit row, when the policy changes during the first %i tries',
  async (changes) => {
    await db().$executeRawUnsafe('CREATE SEQUENCE panel_tries')
    await db().$executeRawUnsafe(`
    CREATE FUNCTION change_panel_policy() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF nextval('panel_tries') <= ${changes} THEN UPDATE policy_version SET version = version + 1; END IF;
      RETURN NEW;
    END $$`)
    await db()
      .$executeRaw`CREATE TRIGGER changed BEFORE INSERT ON panels EXECUTE FUNCTION change_panel_policy()`
    const audited = () => db().auditEntry.count({ where: { action: 'panel.start' } })
    const before = [await db().panel.count(), await audited()]
    const { panelId } = await startOn(site)
    const [tries] = await db().$queryRaw<object[]>`SELECT last_value::int AS made FROM panel_tries`
    await db().$executeRaw`DROP FUNCTION change_panel_policy CASCADE`
    await db().$executeRaw`DROP SEQUENCE panel_tries`
    expect(tries).toEqual({ made: changes + 1 })
    const { panel } = await endOfPanel(site, panelId)
    expect(panel.members.map(({ run }) => run?.endReason)).toEqual(Array(4).fill('completed'))
    expect([await db().panel.count(), await audited()]).toEqual(before.map((count) => count + 1))
    const row = await db().auditEntry.findFirst({ where: { objectId: panelId } })
    expect(row).toMatchObject({ action: 'panel.start', before: null, after: { hops: 2 } })
  },
)

test('a panel does not exist for other people, and a missing configuration fails the whole panel', async () => {
  const { panelId } = await startOn(site)
  await endOfPanel(site, panelId)
  const member = await addPerson('member')
  const wordsOf = (id: string) => readPanel(member, { panelId: id }).catch(String)
  const words = await wordsOf(randomUUID())
  expect(words).toContain('does not exist')
  expect(await wordsOf(panelId)).toBe(words)
  expect(await stopPanel(member, { panelId }).catch(String)).toBe(words)
  expect(await choosePanel(member, { panelId, runId: null, note: 'x' }).catch(String)).toBe(words)
  expect((await listPanels(member, {})).panels).toEqual([])
  const [first = ''] = site.configurations
  await expect(startOn({ ...site, configurations: [first, 'no-such'] })).rejects.toMatchObject({
    fields: { 'configurations.1': expect.stringContaining('no-such') },
  })
  await expect(startOn({ ...site, configurations: [first, first] })).rejects.toMatchObject({
    status: 422,
  })
})

test('Q1: what members read of the web counts over the whole panel', async () => {
  const { panelId } = await startOn(site)
  await endOfPanel(site, panelId)
  const runs = await db().run.findMany({ where: { panelId }, orderBy: { id: 'asc' } })
  const [first = '', second = ''] = runs.map(({ id }) => id)
  const { reserve, settle } = webAccess(db())
  const ask = (runId: string, bytes: number) => reserve({ runId, host: 'x.example', bytes })
  const most = webBudget.bytes - 10
  expect(await ask(first, most)).toEqual({ type: 'reserved', bytes: most })
  expect(await ask(second, 100)).toEqual({ type: 'reserved', bytes: 10 })
  expect(await ask(second, 100)).toEqual({ type: 'refused', why: 'bytes' })
  await settle({ runId: second, reserved: 10, used: 0 })
  expect(await ask(first, 100)).toEqual({ type: 'reserved', bytes: 10 })
  const ids = runs.map(({ id }) => id)
  expect(await db().runWebUse.count({ where: { runId: { in: ids } } })).toBe(1)
})
