import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { type TaskInput, tasks } from '@/lib/domains/tasks/shape'
import { taskVerbs } from '@/lib/domains/tasks/verbs'
import { costCapChoices } from '@/lib/protocol/cost/cost-caps'
import { foldRun } from '@/lib/protocol/run/fold-run'
import type { Engine } from '@/lib/runs/engine/engine'
import { choosePanelCap } from '@/lib/runs/panels/choose-panel-cap'
import { readPanel } from '@/lib/runs/panels/read-panel'
import { runScheduleNow, startScheduledRun } from '@/lib/runs/start/scheduled-runs'
import { startRun } from '@/lib/runs/start/start-run'
import { startTask } from '@/lib/runs/start/start-task'
import { differencesOf } from '@/lib/shape/resource-differences'
import { applySite } from '@/lib/site-file/apply-site'
import { exportSite } from '@/lib/site-file/export-site'
import { parseSiteFile } from '@/lib/site-file/parse-site-file'
import { planSite } from '@/lib/site-file/plan-site'
import { explainTools } from '@/lib/toolset/policy/explain-tools'
import { scheduleVerbs } from '@/lib/toolset/schedules/verbs'
import { db } from '@/tests/support/fixture-db'
import type { ServedRequest } from '@/tests/support/model-server/scripted-turn'
import { startModelServer } from '@/tests/support/model-server/start-model-server'
import { addPanelSite, type PanelSite } from '@/tests/support/panel-site'
import { addPerson } from '@/tests/support/people'
import { collect } from '@/tests/support/run-site'
import { startTestEngine } from '@/tests/support/test-engine'

const seen: ServedRequest[] = []
let holds: Promise<void> | null = null
let server: Awaited<ReturnType<typeof startModelServer>>
let engine: Engine
let site: PanelSite

beforeAll(async () => {
  server = await startModelServer({
    script: async (request) => {
      seen.push(request)
      await holds
      return { text: 'Not in a form.' }
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
  seen.length = 0
  holds = null
})

const variables: TaskInput['variables'] = [{ name: 'plan', type: 'long-text' }]
const prompt = 'Review this plan: {{plan}}'

/** Adds a task whose first critic is the second configuration, and whose other roles have none. */
async function addReview(identifier: string, more: Partial<TaskInput> = {}): Promise<string> {
  const [, second = ''] = site.configurations
  const critics = [{ configuration: second, instructions: 'Look at the cost.' }, {}]
  const panel = { kind: 'coordinate' as const, proposer: { hops: 3 }, critics, synthesizer: {} }
  const form = { identifier, name: identifier, prompt, variables, panel, ...more }
  return (await taskVerbs.create(site.admin, form)).id
}

const run = (task: string, more: object = {}) =>
  startTask(site.admin, { task, variables: { plan: 'Ship on Sunday.' }, ...more })

async function ended(panelId: string | null) {
  const read = () => readPanel(site.admin, { panelId: panelId ?? '' })
  await expect.poll(async () => (await read()).status, { timeout: 20_000 }).toBe('ended')
  const panel = await read()
  const states = []
  for (const { run: each } of panel.members)
    if (each) states.push(foldRun(await collect(site.admin, each.runId)))
  return { panel, states }
}

test('a task runs as its coordination, whose roles have its prompt, its words and the picked configuration', async () => {
  const [first = '', second = ''] = site.configurations
  const taskId = await addReview('review')
  const begun = await run('review', { configuration: first, idempotencyKey: 'k1' })
  expect(begun).toMatchObject({ runId: null, created: true })
  const { panel, states } = await ended(begun.panelId)
  expect(panel).toMatchObject({ kind: 'coordinate', prompt: 'Review this plan: Ship on Sunday.' })
  expect(panel.task).toMatchObject({ taskId, name: 'review' })
  const identifiers = states.map(({ start }) => start?.snapshot.configurationIdentifier)
  expect(identifiers).toEqual([first, second, first, first])
  const facts = { taskId, identifier: 'review', version: 1 }
  for (const { start } of states) expect(start?.snapshot.task).toMatchObject(facts)
  expect(states[0]?.start?.snapshot.hopBudget).toBe(3)
  const critic = seen.find(({ system }) => system.includes('Look at the cost.'))
  expect(JSON.stringify(critic?.body)).toContain('Review this plan: Ship on Sunday.')
  expect(await db().run.count({ where: { taskId } })).toBe(4)
  const audited = await db().auditEntry.findFirstOrThrow({
    where: { action: 'panel.coordinate', objectId: begun.panelId },
  })
  expect(audited.after).toMatchObject({ task: 'review', configurations: { length: 4 } })
  const again = await run('review', { configuration: first, idempotencyKey: 'k1' })
  expect(again).toEqual({ ...begun, created: false })
  const other = run('review', { configuration: second, idempotencyKey: 'k1' })
  await expect(other).rejects.toThrow('was used for another panel')
})

test('a missing field of the panel is named, and the task never runs as a single run', async () => {
  await addReview('lacking')
  await expect(run('lacking')).rejects.toMatchObject({
    fields: { configuration: expect.stringContaining('Pick one') },
  })
  const [configuration = ''] = site.configurations
  await expect(run('lacking', { configuration, variables: {} })).rejects.toMatchObject({
    fields: { 'variables.plan': expect.any(String) },
  })
  await expect(
    startRun(site.admin, { task: 'lacking', configuration, variables: { plan: 'x' } }),
  ).rejects.toMatchObject({ fields: { task: expect.stringContaining('runs as a panel') } })
  expect(await db().panel.count({ where: { prompt: { contains: 'lacking' } } })).toBe(0)
})

test('a panel that does not fit is refused when it is saved', async () => {
  const critics = [{ configuration: 'nobody' }]
  const panel = { kind: 'coordinate' as const, proposer: {}, critics, synthesizer: {} }
  await expect(addReview('wrong', { panel })).rejects.toMatchObject({
    fields: { 'panel.critics.0.configuration': expect.stringContaining('nobody') },
  })
  await expect(addReview('wrong', { outputSchema: { type: 'object' } })).rejects.toMatchObject({
    fields: { outputSchema: expect.stringContaining('forms of their own') },
  })
  const parsed = tasks.Create.safeParse({
    identifier: 'x',
    name: 'x',
    prompt: 'x',
    panel: { ...panel, critics: [] },
  })
  expect(parsed.error?.issues[0]?.path.join('.')).toBe('panel.critics')
})

test('the cap of a task counts its whole panel, and only admins make it looser', async () => {
  const [configuration = ''] = site.configurations
  const cap = { costCapMicroUsd: 5_000_000, costCapMode: 'enforce' as const }
  await addReview('capped', cap)
  let release = () => {}
  holds = new Promise((done) => {
    release = done
  })
  const { panelId } = await run('capped', { configuration })
  const member = { ...site.admin, actor: { ...site.admin.actor, role: 'member' as const } }
  const ignore = { panelId: panelId ?? '', choice: 'ignore' as const }
  await expect(choosePanelCap(member, ignore)).rejects.toThrow('An admin set')
  release()
  const { panel, states } = await ended(panelId)
  expect(panel.costCap).toMatchObject({ mode: 'enforce', limitMicroUsd: 5_000_000 })
  for (const { start } of states) {
    const caps = start?.snapshot.costCaps ?? []
    expect(caps).toEqual([
      { scope: 'panel', mode: 'enforce', limitMicroUsd: 5_000_000, setBy: 'task' },
    ])
    expect(costCapChoices(caps, 'member')).toEqual(['enforce'])
  }
})

test('roles that did not begin yet do not begin once their task is switched off', async () => {
  const [configuration = ''] = site.configurations
  const id = await addReview('halted')
  let release = () => {}
  holds = new Promise((done) => {
    release = done
  })
  const { panelId } = await run('halted', { configuration })
  await expect.poll(() => seen.length, { timeout: 10_000 }).toBeGreaterThan(0)
  await taskVerbs.update(site.admin, { id, enabled: false, reason: 'not now' })
  release()
  const { panel } = await ended(panelId)
  expect(panel.members[0]?.run?.answer).not.toBe('')
  for (const { run: none, refusal } of panel.members.slice(1))
    expect([none, refusal]).toEqual([null, expect.stringContaining('task')])
  await expect(run('halted', { configuration })).rejects.toThrow('task')
})

test('a task that compares runs on its configurations, as the person may use them', async () => {
  const panel = { kind: 'confer' as const, configurations: site.configurations }
  await addReview('compared', { panel })
  const { panelId } = await run('compared')
  expect((await ended(panelId)).panel.members.map(({ run: each }) => each?.answer)).toEqual([
    'Not in a form.',
    'Not in a form.',
  ])
  // Only admins may use these configurations.
  const member = await addPerson('member')
  await expect(startTask(member, { task: 'compared', variables: { plan: 'x' } })).rejects.toThrow()
})

const thisMinute = () => new Date(Math.floor(Date.now() / 60_000) * 60_000)

test('a schedule starts a task, as its panel, once for each of its times', async () => {
  const [, second = ''] = site.configurations
  const { id: configurationId } = await db().configuration.findFirstOrThrow({
    where: { identifier: second },
  })
  const taskId = await addReview('weekly')
  const given = { name: 'Weekly', cron: '* * * * *', taskId, configurationId }
  await expect(
    scheduleVerbs.create(site.admin, { ...given, prompt: 'And this.' }),
  ).rejects.toMatchObject({ fields: { prompt: expect.stringContaining('its own prompt') } })
  const plan = { plan: 'Move it.' }
  const { id } = await scheduleVerbs.create(site.admin, { ...given, variables: plan })
  const at = thisMinute()
  await Promise.all([startScheduledRun(id, at), startScheduledRun(id, at)])
  const [start, ...more] = await db().scheduledStart.findMany({ where: { scheduleId: id } })
  expect([start?.runId, start?.refusal, more]).toEqual([null, '', []])
  const { panel } = await ended(start?.panelId ?? null)
  expect(panel).toMatchObject({ prompt: 'Review this plan: Move it.', members: { length: 4 } })
  const now = await runScheduleNow(site.admin, { id })
  expect(now).toEqual({ runId: null, panelId: expect.any(String) })
  const detail = await scheduleVerbs.read(site.admin, { id })
  expect(detail).toMatchObject({ task: { id: taskId, name: 'weekly' }, variables: plan })
  expect(detail.starts.map(({ panelId }) => panelId)).toContain(now.panelId)
  await ended(now.panelId)
  await taskVerbs.remove(site.admin, { id: taskId })
  await expect(runScheduleNow(site.admin, { id })).rejects.toThrow('was deleted')
})

test('explain covers the tools that a task with a panel names', async () => {
  const [configuration = ''] = site.configurations
  const panel = { kind: 'coordinate' as const, proposer: {}, critics: [{}], synthesizer: {} }
  await addReview('explained', { panel: { ...panel, tools: ['calculate'] } })
  const input = { userId: null, configuration, task: 'explained', selected: null }
  const tools = await explainTools(site.admin, input)
  const verdict = (wanted: string) => tools.find(({ name }) => name === wanted)?.verdict
  expect(verdict('calculate')).toEqual({ allowed: true })
  expect(verdict('current_time')).toMatchObject({ allowed: false, gate: 'selection' })
})

test('a schedule is refused when it could never start, and says which value its task no longer takes', async () => {
  const [first = ''] = site.configurations
  const { id: configurationId } = await db().configuration.findFirstOrThrow({
    where: { identifier: first },
  })
  const taskId = await addReview('picky')
  const plan = { plan: 'Move it.' }
  const given = { name: 'Picky', cron: '0 7 * * *', taskId, variables: plan }
  await expect(scheduleVerbs.create(site.admin, given)).rejects.toMatchObject({
    fields: { configurationId: expect.stringContaining('no configuration of its own') },
  })
  const { id } = await scheduleVerbs.create(site.admin, { ...given, configurationId })
  const own = { taskId: null, variables: {}, prompt: 'Say hello.' }
  await scheduleVerbs.update(site.admin, { id, ...own })
  await scheduleVerbs.update(site.admin, { id, taskId, variables: plan, prompt: '' })
  const variables = [{ name: 'day' }]
  await taskVerbs.update(site.admin, { id: taskId, prompt: 'Review {{day}}.', variables })
  await expect(runScheduleNow(site.admin, { id })).rejects.toThrow('day: Enter a value.')
})

test('versions show how a panel changed, and the site file has it with what it names', async () => {
  const id = await addReview('kept')
  const [before] = await taskVerbs.versions(site.admin, { id })
  const configurations = [...site.configurations]
  await taskVerbs.update(site.admin, { id, panel: { kind: 'confer', configurations } })
  const [after] = await taskVerbs.versions(site.admin, { id })
  if (!before || !after) throw new Error('There are no versions.')
  expect(differencesOf(tasks, before.form, after.form)).toMatchObject([
    { field: 'panel', after: expect.stringContaining('Hop budget: 2\nTools: none') },
  ])
  const taskId = id
  const of = { cron: '0 7 * * *', taskId, variables: { plan: 'x' } }
  await scheduleVerbs.create(site.admin, { name: 'Kept', ...of })
  const file = parse(await exportSite(site.admin))
  const kept = file.schedules.find(({ name }: { name: string }) => name === 'Kept')
  expect(kept).toMatchObject({ task: 'kept', variables: { plan: 'x' }, prompt: '' })
  await scheduleVerbs.remove(site.admin, { id: 'Kept' })
  await taskVerbs.remove(site.admin, { id })
  const text = stringify(file)
  const plan = await planSite(site.admin, parseSiteFile(text))
  expect(plan.problems).toEqual([])
  await applySite(site.admin, parseSiteFile(text), { reason: 'a release' })
  const [again] = (await scheduleVerbs.page(site.admin, { search: 'Kept', sort: undefined })).rows
  expect(again).toMatchObject({ task: { name: 'kept' }, variables: { plan: 'x' } })
  expect((await planSite(site.admin, parseSiteFile(text))).steps).toEqual([])
})
