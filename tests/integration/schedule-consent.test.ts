import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { createConfiguration, updateConfiguration } from '@/lib/domains/configurations/verbs'
import { taskVerbs } from '@/lib/domains/tasks/verbs'
import { noLimits } from '@/lib/protocol/key-limits'
import { runScheduleNow, startScheduledRun } from '@/lib/runs/start/scheduled-runs'
import { startRun } from '@/lib/runs/start/start-run'
import { applySite } from '@/lib/site-file/apply-site'
import { exportSite } from '@/lib/site-file/export-site'
import { parseSiteFile } from '@/lib/site-file/parse-site-file'
import {
  answerConsent,
  type Consent,
  countConsents,
  countNewConsents,
  listConsents,
  withdrawConsent,
} from '@/lib/toolset/schedules/consent-verbs'
import { countBlocked, requireSchedule, scheduleVerbs } from '@/lib/toolset/schedules/verbs'
import { resetTool, switchTool } from '@/lib/toolset/tools/tool-verbs'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'
import { scheduleSiteOfFile } from '@/tests/support/schedule-site'

const site = scheduleSiteOfFile()
const { add, refusalOf, blockedOf } = site

/** Returns what the admin of the site is shown of a schedule that runs as them, or asks to. */
async function requestWith(scheduleId: string, ctx = site.admin): Promise<Consent> {
  const { consents } = await listConsents(ctx, {})
  const found = consents.find((each) => each.scheduleId === scheduleId)
  if (!found) throw new Error('Nobody asks.')
  return found
}

async function answer(scheduleId: string, decision: 'approve' | 'deny' = 'approve') {
  const { hash } = await requestWith(scheduleId)
  await answerConsent(site.admin, { scheduleId, hash, decision })
}

async function instruct(systemPrompt: string): Promise<void> {
  const where = { id: site.configurationId }
  const { version } = await db().configuration.findUniqueOrThrow({ where })
  await updateConfiguration(site.author, { id: site.configurationId, version, systemPrompt })
}

const actionsOf = async (objectId: string) =>
  (await db().auditEntry.findMany({ where: { objectId }, orderBy: { at: 'asc' } })).map(
    ({ action }) => action,
  )

test('a schedule that runs as another person starts nothing before that person agreed', async () => {
  const id = await add({ name: 'Morning report' })
  const reason = `${site.admin.actor.email} has not agreed that it runs as them.`
  expect(await refusalOf(id)).toBe(reason)
  await expect(runScheduleNow(site.author, { id })).rejects.toMatchObject({
    status: 409,
    message: reason,
  })
  await expect(runScheduleNow(site.admin, { id })).rejects.toThrow(reason)
  expect(await db().run.count({ where: { userId: site.admin.actor.userId } })).toBe(0)
  expect(await blockedOf(id)).toEqual({ why: 'consent', reason })
  const shown = await requestWith(id)
  expect(shown).toMatchObject({
    state: 'waiting',
    name: 'Morning report',
    prompt: 'Say hello.',
    task: null,
    cron: '* * * * *',
    askedBy: [site.author.actor.email],
    answeredAt: null,
    configurations: [expect.stringContaining('Local')],
  })
  expect(shown.tools).toContain('current_time')
  expect(await countConsents(site.admin)).toBe(1)
  expect(await countNewConsents(site.admin)).toBe(1)
  expect([await countBlocked(site.author), await countBlocked(site.admin)]).toEqual([1, 0])
  await answer(id)
  expect(await countConsents(site.admin)).toBe(0)
  expect(await countNewConsents(site.admin)).toBe(0)
  expect(await countBlocked(site.author)).toBe(0)
  expect(await blockedOf(id)).toBeNull()
  expect(await refusalOf(id)).toBe('')
  expect(await actionsOf(id)).toEqual(['schedule.create', 'schedule.approve'])
})

test('only its person can agree, to what they were shown, and not with a limited key or in a terminal', async () => {
  const id = await add()
  const { hash } = await requestWith(id)
  const yes = { scheduleId: id, hash, decision: 'approve' as const }
  for (const ctx of [site.author, await addPerson('admin'), await addPerson('member')]) {
    await expect(answerConsent(ctx, yes)).rejects.toMatchObject({ status: 404 })
    await expect(withdrawConsent(ctx, { scheduleId: id })).rejects.toMatchObject({ status: 404 })
    expect((await listConsents(ctx, {})).consents).toEqual([])
  }
  const limited = { ...noLimits, tools: ['current_time'] }
  const key = { ...site.admin, via: 'api', apiKeyId: randomUUID(), keyLimits: limited } as const
  for (const refused of [
    () => answerConsent(key, yes),
    () => withdrawConsent(key, { scheduleId: id }),
    () => listConsents(key, {}),
  ])
    await expect(refused()).rejects.toMatchObject({ status: 403 })
  const terminal = { ...site.admin, via: 'cli', terminalUser: 'root' } as const
  await expect(answerConsent(terminal, yes)).rejects.toMatchObject({ status: 403 })
  await scheduleVerbs.update(site.author, { id, prompt: 'Say something else.' })
  await expect(answerConsent(site.admin, yes)).rejects.toMatchObject({ status: 409 })
  expect(await refusalOf(id)).toContain('has not agreed')
  await answerConsent(
    { ...key, keyLimits: noLimits },
    { ...yes, hash: (await requestWith(id)).hash },
  )
  expect(await refusalOf(id)).toBe('')
})

test('a consent is denied and withdrawn, and nothing starts from then on', async () => {
  const id = await add()
  await answer(id, 'deny')
  expect(await refusalOf(id)).toContain('denied')
  expect(await countConsents(site.admin)).toBe(0)
  await answer(id)
  expect(await refusalOf(id)).toBe('')
  await withdrawConsent(site.admin, { scheduleId: id })
  await withdrawConsent(site.admin, { scheduleId: id })
  expect(await refusalOf(id)).toContain('withdrew')
  expect((await requestWith(id)).state).toBe('denied')
  expect(await actionsOf(id)).toEqual([
    'schedule.create',
    'schedule.deny',
    'schedule.approve',
    'schedule.withdraw-consent',
  ])
})

test('it is asked again when prompt, times, task, configuration or tools change, and not when less is allowed', async () => {
  const identifier = `task-${randomUUID().slice(0, 8)}`
  const form = { identifier, name: 'Report', prompt: 'Say hello to {{who}}.' }
  const variables = [{ name: 'who', type: 'text' as const }]
  const { id: taskId } = await taskVerbs.create(site.author, { ...form, variables })
  const id = await add({ taskId, prompt: '', variables: { who: 'Ada' } })
  await answer(id)
  expect(await requestWith(id)).toMatchObject({
    task: { name: 'Report', version: 1 },
    prompt: form.prompt,
  })
  const where = { id: site.configurationId }
  const changes: [string, () => Promise<unknown>][] = [
    ['the task', () => taskVerbs.update(site.author, { id: taskId, prompt: 'Greet {{who}}.' })],
    ['a value', () => scheduleVerbs.update(site.author, { id, variables: { who: 'Ben' } })],
    ['the times', () => scheduleVerbs.update(site.author, { id, cron: '*/1 * * * *' })],
    ['the configuration', () => instruct('Be brief.')],
    [
      'its tools',
      () => db().configuration.update({ where, data: { allowedTools: ['current_time', 'exec'] } }),
    ],
  ]
  for (const [what, change] of changes) {
    await change()
    const reason = expect.stringContaining('has not agreed to it as it is now')
    expect(await blockedOf(id), what).toMatchObject({ reason })
    await answer(id)
    expect(await blockedOf(id), what).toBeNull()
  }
  await switchTool(site.author, { name: 'current_time', enabled: false, reason: 'a test' })
  expect(await blockedOf(id)).toBeNull()
  await answer(id)
  await resetTool(site.author, { name: 'current_time' })
  expect(await refusalOf(id)).toContain('with the tools that it has now')
  await answer(id)
  await scheduleVerbs.update(site.author, { id, enabled: false })
  await scheduleVerbs.update(site.author, { id, enabled: true, name: randomUUID() })
  expect(await refusalOf(id)).toBe('')
})

test('its person agrees to what they save themselves, and to a task of others with its version', async () => {
  const id = await add()
  await answer(id)
  await scheduleVerbs.update(site.admin, { id, cron: '*/1 * * * *' })
  expect(await refusalOf(id)).toBe('')
  const unasked = await add()
  await scheduleVerbs.update(site.admin, { id: unasked, timeZone: 'Europe/Berlin' })
  expect(await refusalOf(unasked)).toContain('has not agreed')

  const identifier = `task-${randomUUID().slice(0, 8)}`
  const { id: taskId } = await taskVerbs.create(site.author, {
    identifier,
    name: identifier,
    prompt: 'Say hello.',
    configurationId: site.configurationId,
  })
  const own = await add({ taskId, prompt: '', configurationId: null }, site.admin)
  expect(await refusalOf(own)).toBe('')
  await instruct('Be very brief.')
  expect(await refusalOf(own)).toBe('')
  await taskVerbs.update(site.author, { id: taskId, prompt: 'Delete everything.' })
  expect(await refusalOf(own)).toContain('has not agreed to it as it is now')
})

test('another name and the switch need no consent, also where nobody else wrote it', async () => {
  const id = await add({}, site.admin)
  await scheduleVerbs.update(site.author, { id, name: randomUUID() })
  await scheduleVerbs.update(site.author, { id, enabled: false })
  await scheduleVerbs.update(site.author, { id, enabled: true })
  expect(await refusalOf(id)).toBe('')
  await withdrawConsent(site.admin, { scheduleId: id })
  await scheduleVerbs.update(site.author, { id, name: randomUUID() })
  expect(await refusalOf(id)).toContain('withdrew')
  const other = await add({}, site.admin)
  await scheduleVerbs.update(site.author, { id: other, cron: '*/1 * * * *' })
  expect(await refusalOf(other)).toContain('has not agreed')
})

test('a consent does not make up for the times before it', async () => {
  const id = await add({ missed: 'once' })
  await answer(id)
  const before = new Date((Math.floor(Date.now() / 60_000) - 3) * 60_000)
  await startScheduledRun(id, before)
  expect(await db().scheduledStart.findMany({ where: { scheduleId: id } })).toMatchObject([
    { runId: null, refusal: 'Its person agreed after this time.' },
  ])
})

test('a start whose schedule changes meanwhile is not stored', async () => {
  const id = await add()
  await answer(id)
  const { contentHash: hash } = await requireSchedule(db(), id)
  const { userId, email, role } = site.admin.actor
  const ctx = { actor: { userId, email, role }, via: 'schedule', ipAddress: null } as const
  const begin = () =>
    startRun(
      { ...ctx, schedule: { id, hash, at: new Date() } },
      { configuration: site.configuration, prompt: 'Say hello.' },
    )
  await begin()
  await scheduleVerbs.update(site.author, { id, prompt: 'Say something else.' })
  await expect(begin()).rejects.toMatchObject({ status: 409 })
  await answer(id)
  await expect(begin()).rejects.toMatchObject({ status: 503 })
})

test('a panel needs the consent, too', async () => {
  const identifier = `panel-${randomUUID().slice(0, 8)}`
  const role = { configuration: site.configuration }
  const panel = { kind: 'coordinate' as const, proposer: role, critics: [role], synthesizer: role }
  const form = { identifier, name: identifier, prompt: 'Say hello.', panel }
  const { id: taskId } = await taskVerbs.create(site.author, form)
  const id = await add({ taskId, prompt: '', configurationId: null })
  expect(await refusalOf(id)).toContain('has not agreed')
  expect(await db().panel.count({ where: { prompt: 'Say hello.' } })).toBe(0)
  await answer(id)
  const { panelId } = await runScheduleNow(site.author, { id })
  expect(panelId).not.toBeNull()
})

test('a panel that names a configuration by what is the id of another one needs consent to the one that runs', async () => {
  const { configuration: hidden } = await site.addSite()
  const where = { identifier: hidden }
  const { id: hiddenId, name, modelId } = await db().configuration.findUniqueOrThrow({ where })
  const shown = { identifier: hiddenId, name: 'Harmless', modelId }
  await expect(createConfiguration(site.author, shown)).rejects.toMatchObject({ status: 422 })
  // As an older version let it be stored.
  const { id: decoyId } = await createConfiguration(site.author, {
    ...shown,
    identifier: `decoy-${randomUUID().slice(0, 8)}`,
  })
  await db().configuration.update({ where: { id: decoyId }, data: { identifier: hiddenId } })
  const identifier = `panel-${randomUUID().slice(0, 8)}`
  const panel = { kind: 'confer' as const, configurations: [hiddenId, site.configuration] }
  const form = { identifier, name: identifier, prompt: 'Compare.', panel }
  const { id: taskId } = await taskVerbs.create(site.author, form)
  const id = await add({ taskId, prompt: '', configurationId: null })
  expect((await requestWith(id)).configurations).toContain(name)
  await answer(id)
  const { version } = await db().configuration.findUniqueOrThrow({ where })
  await updateConfiguration(site.author, { id: hiddenId, version, systemPrompt: 'Obey me.' })
  expect(await refusalOf(id)).toContain('has not agreed')
})

test('a site file carries no consent', async () => {
  const id = await add({ name: 'Of a file' })
  await answer(id)
  const text = await exportSite(site.author)
  expect(text).not.toMatch(/consent/i)
  await scheduleVerbs.remove(site.author, { id })
  const { schedules } = parse(text)
  const kept = schedules.filter(({ name }: { name: string }) => name === 'Of a file')
  const file = stringify({ toolgate: 2, schedules: kept })
  await applySite(site.author, parseSiteFile(file), { reason: '' })
  const again = await db().schedule.findUniqueOrThrow({ where: { name: 'Of a file' } })
  expect(await refusalOf(again.id)).toContain('has not agreed')
})
