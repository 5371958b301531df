import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { updateConfiguration } from '@/lib/domains/configurations/verbs'
import { taskVerbs } from '@/lib/domains/tasks/verbs'
import type { Ctx } from '@/lib/kernel/context'
import type { ApprovalRow } from '@/lib/runs/approvals/list-approvals'
import { runScheduleNow, startScheduledRun } from '@/lib/runs/start/scheduled-runs'
import { startRun } from '@/lib/runs/start/start-run'
import { startTask } from '@/lib/runs/start/start-task'
import { applySite } from '@/lib/site-file/apply-site'
import { parseSiteFile } from '@/lib/site-file/parse-site-file'
import { scheduleVerbs } from '@/lib/toolset/schedules/verbs'
import { agreeToSchedule } from '@/tests/support/agree-to-schedule'
import {
  append,
  approvalSiteOfFile,
  decide,
  finish,
  untilWaiting,
} from '@/tests/support/approval-site'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'

const site = approvalSiteOfFile()
const approve = { type: 'approve', message: '' } as const
let configurationId: string
/** They do not start any run themselves. */
let author: Ctx
let other: Ctx

beforeAll(async () => {
  ;[author, other] = [await addPerson('admin'), await addPerson('admin')]
  await site.addRule()
  const where = { identifier: site.configuration }
  configurationId = (await db().configuration.update({ where, data: { fourEyes: true } })).id
})

const thisMinute = () => new Date(Math.floor(Date.now() / 60_000) * 60_000)

async function addSchedule(by: Ctx, more: object = {}): Promise<string> {
  const prompt = append(`of a schedule ${randomUUID()}`)
  const form = { name: randomUUID(), cron: '* * * * *', configurationId, prompt, ...more }
  return (await scheduleVerbs.create(by, { ...form, userId: site.admin.actor.userId })).id
}

async function addTask(by: Ctx, text: string): Promise<string> {
  const identifier = `task-${randomUUID().slice(0, 8)}`
  const form = { identifier, name: identifier, prompt: append(text), configurationId }
  return (await taskVerbs.create(by, form)).id
}

/** Starts the run of a schedule for its time and returns its waiting call. */
async function ofTime(scheduleId: string): Promise<ApprovalRow> {
  await agreeToSchedule(site.admin, scheduleId)
  await startScheduledRun(scheduleId, thisMinute())
  const start = await db().scheduledStart.findFirstOrThrow({ where: { scheduleId } })
  expect(start.refusal).toBe('')
  return waitingOf(start.runId)
}

async function waitingOf(runId: string | null): Promise<ApprovalRow> {
  const [row] = await untilWaiting(site.admin, runId ?? '')
  if (!row) throw new Error('No call waits.')
  return row
}

/** Expects that these people may neither approve nor deny, and that another admin approves. */
async function expectRefused(row: ApprovalRow, ...people: Ctx[]): Promise<void> {
  for (const person of people)
    await expect(decide(person, row, approve)).rejects.toMatchObject({
      status: 403,
      message: expect.stringContaining('four eyes'),
    })
  await decide(await addPerson('admin'), row, approve)
  const { rounds } = await finish(site.admin, row.runId)
  expect(rounds[0]?.calls[0]?.state).toMatchObject({ outcome: { type: 'ok' } })
}

test('the author of a schedule counts as starter of its runs, whatever becomes of the schedule', async () => {
  const id = await addSchedule(author)
  const row = await ofTime(id)
  await scheduleVerbs.update(other, { id, prompt: 'Something else.' })
  await scheduleVerbs.remove(other, { id })
  await expectRefused(row, author, site.admin)
})

test('the last person who changed a schedule counts, too, and a small change removes no starter', async () => {
  const id = await addSchedule(author)
  const changer = await addPerson('admin')
  await scheduleVerbs.update(changer, { id, prompt: append('changed') })
  await scheduleVerbs.update(other, { id, timeZone: 'Europe/Berlin' })
  await expectRefused(await ofTime(id), author, changer, other)
})

test('a person who runs a schedule by hand counts as starter', async () => {
  const id = await addSchedule(author)
  const presser = await addPerson('admin')
  await agreeToSchedule(site.admin, id)
  const { runId } = await runScheduleNow(presser, { id })
  await expectRefused(await waitingOf(runId), author, presser)
})

test('a person who applies a site file with a schedule counts as its author', async () => {
  const name = `of a file ${randomUUID()}`
  const schedules = [
    {
      name,
      cron: '* * * * *',
      configuration: site.configuration,
      prompt: append('of a file'),
      runAs: site.admin.actor.email,
    },
  ]
  const file = parseSiteFile(JSON.stringify({ toolgate: 2, schedules }))
  await applySite(author, file, { reason: '' })
  const { id } = await db().schedule.findUniqueOrThrow({ where: { name } })
  await expectRefused(await ofTime(id), author)
})

test('the author of a task counts as starter of its runs, also after a small change and a restore', async () => {
  const id = await addTask(other, 'the first words')
  await taskVerbs.update(author, { id, prompt: append('the words of the author') })
  await taskVerbs.update(await addPerson('admin'), { id, description: 'A small change.' })
  const begun = await startTask(site.admin, { task: id })
  await expectRefused(await waitingOf(begun.runId), author, other, site.admin)
  const [last, restorer] = [await addPerson('admin'), await addPerson('admin')]
  await taskVerbs.update(last, { id, prompt: append('newer words') })
  await taskVerbs.restore(restorer, { id, version: 2 })
  const again = await startTask(site.admin, { task: id })
  const row = await waitingOf(again.runId)
  expect(row.argumentsText).toContain('the words of the author')
  await expectRefused(row, author, restorer)
})

test('the author of a task counts in a schedule of it, and in its panel', async () => {
  const task = await addTask(other, 'in a schedule')
  const scheduleId = await addSchedule(author, { taskId: task, prompt: '' })
  await expectRefused(await ofTime(scheduleId), author, other)

  const identifier = `panel-${randomUUID().slice(0, 8)}`
  const role = { configuration: site.configuration }
  const panel = {
    kind: 'coordinate' as const,
    tools: ['append_line'],
    proposer: role,
    critics: [role],
    synthesizer: role,
  }
  const form = { identifier, name: identifier, prompt: append('in a panel'), panel }
  await taskVerbs.create(author, form)
  const { panelId } = await startTask(site.admin, { task: identifier })
  const first = await db().run.findFirstOrThrow({ where: { panelId } })
  const row = await waitingOf(first.id)
  await taskVerbs.update(other, { id: identifier, prompt: 'Another prompt.' })
  await expectRefused(row, author)
  // Those whose turn comes later keep what the panel began with.
  const critic = { panelId, panelPlace: 1 }
  await expect.poll(() => db().run.findFirst({ where: critic }), { timeout: 20_000 }).not.toBeNull()
  const { id } = await db().run.findFirstOrThrow({ where: critic })
  const begun = await db().runEventRow.findFirstOrThrow({ where: { runId: id, seq: 1 } })
  expect(begun.data).toMatchObject({
    snapshot: { starters: expect.arrayContaining([author.actor.userId]) },
  })
})

test('later roles of a panel do not begin with what its person did not agree to', async () => {
  const identifier = `panel-${randomUUID().slice(0, 8)}`
  const role = { configuration: site.configuration }
  const panel = {
    kind: 'coordinate' as const,
    tools: ['append_line'],
    proposer: role,
    critics: [role],
    synthesizer: role,
  }
  const form = { identifier, name: identifier, prompt: append('of a role'), panel }
  const { id: taskId } = await taskVerbs.create(author, form)
  const scheduleId = await addSchedule(author, { taskId, prompt: '', configurationId: null })
  await agreeToSchedule(site.admin, scheduleId)
  await startScheduledRun(scheduleId, thisMinute())
  const { panelId } = await db().scheduledStart.findFirstOrThrow({ where: { scheduleId } })
  const first = await db().run.findFirstOrThrow({ where: { panelId } })
  const row = await waitingOf(first.id)
  const where = { id: configurationId }
  const { version } = await db().configuration.findUniqueOrThrow({ where })
  await updateConfiguration(author, { id: configurationId, version, systemPrompt: 'Obey me.' })
  await decide(other, row, approve)
  const over = () => db().panel.findFirst({ where: { id: panelId ?? '', hasTurns: false } })
  await expect.poll(over, { timeout: 20_000 }).not.toBeNull()
  expect(await db().run.count({ where: { panelId } })).toBe(1)
  expect((await over())?.refusals).toMatchObject({
    '1': expect.stringContaining('has not agreed to it as it is now'),
  })
})

test('the next turn of a run, and the run with a change, have its starters', async () => {
  const id = await addSchedule(author)
  const first = await ofTime(id)
  await decide(other, first, approve)
  await finish(site.admin, first.runId)
  const { configuration } = site
  for (const before of [{ continues: first.runId }, { changedFrom: first.runId }]) {
    const prompt = append('the next one')
    const next = await startRun(site.admin, { configuration, prompt, ...before })
    await expectRefused(await waitingOf(next.runId), author, site.admin)
  }
})

test('a rule for two people counts the author of a schedule as well', async () => {
  await site.removeRules()
  await site.addRule({ name: 'Two people', fourEyes: true })
  await db().configuration.update({ where: { id: configurationId }, data: { fourEyes: false } })
  await expectRefused(await ofTime(await addSchedule(author)), author)
})
