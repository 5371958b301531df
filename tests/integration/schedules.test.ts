import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { parse, stringify } from 'yaml'
import { deleteUser, updateUser } from '@/lib/domains/users/verbs'
import { counts, runScheduleNow, startScheduledRun } from '@/lib/runs/start/scheduled-runs'
import { applySite } from '@/lib/site-file/apply-site'
import { exportSite } from '@/lib/site-file/export-site'
import { parseSiteFile } from '@/lib/site-file/parse-site-file'
import { planSite } from '@/lib/site-file/plan-site'
import { requireSchedule, scheduleVerbs } from '@/lib/toolset/schedules/verbs'
import { agreeToSchedule } from '@/tests/support/agree-to-schedule'
import { db } from '@/tests/support/fixture-db'
import { turnOfPrompt } from '@/tests/support/model-server/prompt-directives'
import { type ModelServer, startModelServer } from '@/tests/support/model-server/start-model-server'
import { addPerson } from '@/tests/support/people'
import { addRunSite, type RunSite } from '@/tests/support/run-site'
import { startWorker, stopped, type Worker } from '@/tests/support/start-worker'

let server: ModelServer
let site: RunSite
let configurationId: string
let workers: Worker[] = []

beforeAll(async () => {
  server = await startModelServer({ script: turnOfPrompt })
  site = await addRunSite(server.url)
  const row = await db().configuration.findFirstOrThrow({
    where: { identifier: site.configuration },
  })
  configurationId = row.id
})

beforeEach(async () => {
  await db().$executeRaw`DELETE FROM schedules`
})

afterEach(async () => {
  await Promise.all(workers.splice(0).map(stopped))
})

afterAll(() => server.close())

const everyMinute = { name: 'Every minute', cron: '* * * * *', prompt: 'Say hello.' }

async function add(more: object = {}): Promise<string> {
  const input = { ...everyMinute, name: randomUUID(), configurationId, ...more }
  return (await scheduleVerbs.create(site.admin, input)).id
}

/** Adds a schedule that runs as a new person, who agrees to it. Returns their id and that of the schedule. */
async function addFor(role: 'admin' | 'member', more: object = {}): Promise<[string, string]> {
  const person = await addPerson(role)
  const id = await add({ ...more, userId: person.actor.userId })
  await agreeToSchedule(person, id)
  return [person.actor.userId, id]
}

const thisMinute = () => new Date(Math.floor(Date.now() / 60_000) * 60_000)
const startsOf = (scheduleId: string) =>
  db().scheduledStart.findMany({
    where: { scheduleId },
    orderBy: { at: 'asc' },
    include: { run: true },
  })

test('a schedule is added, changed, switched and deleted, and the audit has it', async () => {
  const id = await add({ name: 'Report', timeZone: 'Europe/Berlin', reason: 'asked for' })
  expect(await scheduleVerbs.read(site.admin, { id })).toMatchObject({
    name: 'Report',
    timeZone: 'Europe/Berlin',
    missed: 'skip',
    enabled: true,
    starts: [],
    runAs: { email: site.admin.actor.email },
    lastStart: null,
    next: { length: 5 },
  })
  await scheduleVerbs.update(site.admin, { id, cron: '0 7 * * 1-5', missed: 'once' })
  await scheduleVerbs.update(site.admin, { id, enabled: false, reason: 'too many' })
  await scheduleVerbs.update(site.admin, { id, enabled: false })
  expect(await scheduleVerbs.read(site.admin, { id })).toMatchObject({ next: [], missed: 'once' })
  await expect(add({ name: 'Report' })).rejects.toThrow('Another schedule has this name.')
  expect(
    (await scheduleVerbs.list(site.admin, { search: 'report', sort: 'next' })).rows,
  ).toHaveLength(1)
  await scheduleVerbs.remove(site.admin, { id })
  const entries = await db().auditEntry.findMany({
    where: { objectId: id },
    orderBy: { at: 'asc' },
  })
  expect(entries.map(({ action, reason }) => [action, reason])).toEqual([
    ['schedule.create', 'asked for'],
    ['schedule.update', ''],
    ['schedule.switch-off', 'too many'],
    ['schedule.delete', ''],
  ])
  await expect(scheduleVerbs.read(site.admin, { id })).rejects.toThrow('This schedule')
})

test('members cannot see or make schedules, and what does not exist is refused', async () => {
  const member = await addPerson('member')
  await expect(scheduleVerbs.list(member, { sort: 'next' })).rejects.toThrow()
  await expect(scheduleVerbs.create(member, { ...everyMinute, configurationId })).rejects.toThrow()
  await expect(add({ configurationId: randomUUID() })).rejects.toMatchObject({
    fields: { configurationId: 'This configuration does not exist. Pick another.' },
  })
  await expect(add({ userId: randomUUID() })).rejects.toMatchObject({
    fields: { userId: 'This person does not exist. Pick another.' },
  })
  await expect(add({ cron: '99 * * * *', timeZone: 'Mars/Base' })).rejects.toMatchObject({
    fields: {
      cron: expect.stringContaining('cannot have'),
      timeZone: expect.stringContaining('no such'),
    },
  })
})

test('a time starts one run as its person, however often it is handled', async () => {
  const [userId, id] = await addFor('admin')
  const at = thisMinute()
  await Promise.all([1, 2, 3].map(() => startScheduledRun(id, at)))
  await startScheduledRun(id, at)
  const [begun, ...more] = await startsOf(id)
  expect(more).toEqual([])
  expect(begun?.run).toMatchObject({ userId, prompt: 'Say hello.', source: 'schedule' })
  expect(await db().run.count({ where: { userId } })).toBe(1)
  // A server that has not heard of a change fires a time that is none any more.
  await startScheduledRun(id, new Date(at.getTime() - 30_000))
  expect(await startsOf(id)).toHaveLength(1)
})

test('its person has the rights of the moment of each run', async () => {
  const [userId, id] = await addFor('admin', { name: 'Of its person' })
  const [, forbidden] = await addFor('member')
  await startScheduledRun(forbidden, thisMinute())
  expect(await startsOf(forbidden)).toMatchObject([
    { runId: null, refusal: expect.stringMatching(/./) },
  ])
  await updateUser(site.admin, { userId, disabled: true, reason: 'left' })
  await startScheduledRun(id, thisMinute())
  expect(await startsOf(id)).toMatchObject([
    { runId: null, refusal: expect.stringContaining('is disabled') },
  ])
  await expect(runScheduleNow(site.admin, { id })).rejects.toThrow('is disabled')
  await updateUser(site.admin, { userId, disabled: false, reason: 'back' })
  const { runId } = await runScheduleNow(site.admin, { id: 'Of its person' })
  expect(await db().run.findUniqueOrThrow({ where: { id: runId ?? '' } })).toMatchObject({ userId })
  // The run is that of its person, so the audit must say who asked for it.
  const request = await db().auditEntry.findFirst({
    where: { action: 'schedule.run', objectId: id },
  })
  expect(request).toMatchObject({ actorId: site.admin.actor.userId, after: { run: runId } })
  await db().$executeRaw`UPDATE schedules SET "configurationId" = NULL`
  await expect(runScheduleNow(site.admin, { id })).rejects.toThrow('was deleted')
})

test('an API key reaches only schedules that run as its owner', async () => {
  const { userId } = (await addPerson('admin')).actor
  const withKey = { ...site.admin, via: 'api' } as const
  const [own, others] = [await add(), await add({ userId })]
  await scheduleVerbs.update(withKey, { id: own, prompt: 'Say goodbye.' })
  const tries = [
    () =>
      scheduleVerbs.create(withKey, {
        ...everyMinute,
        name: randomUUID(),
        configurationId,
        userId,
      }),
    () => scheduleVerbs.update(withKey, { id: own, userId }),
    () => scheduleVerbs.update(withKey, { id: others, prompt: 'Say goodbye.' }),
    () => scheduleVerbs.update(withKey, { id: others, userId: site.admin.actor.userId }),
    () => runScheduleNow(withKey, { id: others }),
  ]
  for (const attempt of tries) await expect(attempt()).rejects.toThrow('run as its owner')
  expect(await db().run.count({ where: { userId } })).toBe(0)
})

test('a time that was missed is skipped, or the last one counts once', async () => {
  const skipping = await requireSchedule(db(), await add({ cron: '0 * * * *' }))
  const making = { ...skipping, missed: 'once' as const }
  const now = new Date('2027-05-05T12:30:00Z').getTime()
  const at = (text: string) => new Date(`2027-05-05T${text}:00Z`)
  expect(counts(skipping, at('12:00'), now)).toBe(false)
  expect(counts(making, at('12:00'), now)).toBe(true)
  expect(counts(making, at('11:00'), now)).toBe(false)
  expect(counts(skipping, at('12:00'), at('12:01').getTime())).toBe(true)
  expect(counts({ ...making, enabled: false }, at('12:00'), now)).toBe(false)
})

test('the site file has schedules by name, and applies what differs', async () => {
  const person = (await addPerson('admin')).actor
  await add({ name: 'Report', cron: '0 7 * * 1-5', timeZone: 'Europe/Berlin', missed: 'once' })
  const exported = await exportSite(site.admin)
  const [kept] = parse(exported).schedules
  expect(kept).toEqual({
    name: 'Report',
    cron: '0 7 * * 1-5',
    timeZone: 'Europe/Berlin',
    missed: 'once',
    configuration: site.configuration,
    prompt: 'Say hello.',
    enabled: true,
    task: null,
    variables: {},
    runAs: site.admin.actor.email,
  })
  expect((await planSite(site.admin, parseSiteFile(exported))).steps).toEqual([])

  const text = stringify({
    toolgate: 2,
    schedules: [
      { name: 'Report', cron: '0 8 * * *', enabled: false, runAs: person.email },
      { name: 'Nightly', cron: '0 3 * * *', configuration: site.configuration, prompt: 'Tidy.' },
    ],
  })
  const { steps } = await planSite(site.admin, parseSiteFile(text))
  expect(steps).toMatchObject([
    {
      kind: 'schedules',
      key: 'Report',
      type: 'update',
      changes: [
        { field: 'cron', before: '0 7 * * 1-5', after: '0 8 * * *' },
        { field: 'runAs', before: site.admin.actor.email, after: person.email },
        { field: 'enabled', before: true, after: false },
      ],
    },
    { key: 'Nightly', type: 'create' },
  ])
  expect(await db().schedule.count()).toBe(1)
  await applySite(site.admin, parseSiteFile(text), { reason: 'a release' })
  const { rows: schedules } = await scheduleVerbs.list(site.admin, { sort: 'name' })
  const common = { configuration: { id: configurationId }, enabled: true }
  expect(schedules).toMatchObject([
    { ...common, name: 'Nightly', timeZone: 'UTC', runAs: { email: site.admin.actor.email } },
    {
      name: 'Report',
      cron: '0 8 * * *',
      timeZone: 'Europe/Berlin',
      prompt: 'Say hello.',
      enabled: false,
      missed: 'once',
      runAs: { email: person.email },
    },
  ])
  expect((await planSite(site.admin, parseSiteFile(text))).steps).toEqual([])
  const [first] = await db().auditEntry.findMany({
    where: { objectType: 'schedule', reason: 'a release' },
    orderBy: { at: 'asc' },
  })
  // Narrowing changes come first.
  expect(first?.action).toBe('schedule.switch-off')
})

test('a site file whose schedule needs what is not there is refused with the names', async () => {
  const id = await add({ name: 'Report' })
  const text = stringify({
    toolgate: 2,
    schedules: [
      { name: 'Report', configuration: null, runAs: null },
      { name: 'Nightly', cron: '0 3 * * *', configuration: 'nowhere', prompt: 'Tidy.' },
      { name: 'Weekly', runAs: 'nobody@example.org' },
    ],
  })
  expect((await planSite(site.admin, parseSiteFile(text))).problems).toEqual([
    'The schedule Report needs an account.',
    'The schedule Nightly needs the configuration nowhere, which does not exist on this site.',
    'The schedule Weekly needs the account nobody@example.org, which does not exist on this site.',
    'The schedule Report, configuration: Pick a configuration.',
  ])
  expect(() =>
    parseSiteFile(stringify({ toolgate: 2, schedules: [{ name: 'Report', cron: '99 * * * *' }] })),
  ).toThrow('cannot have')
  await expect(
    applySite(site.admin, parseSiteFile('toolgate: 2\nschedules: [{ name: Weekly }]'), {
      reason: '',
    }),
  ).rejects.toThrow('A new schedule needs cron.')
  // Deleted here, they are no problem of the file that was exported here.
  const { userId } = (await addPerson('admin')).actor
  await scheduleVerbs.update(site.admin, { id, userId })
  await deleteUser(site.admin, { userId: userId ?? '', reason: 'left' })
  await db().$executeRaw`UPDATE schedules SET "configurationId" = NULL`
  const exported = parseSiteFile(await exportSite(site.admin))
  expect(exported.schedules).toMatchObject([{ configuration: null, runAs: null }])
  expect(await planSite(site.admin, exported)).toMatchObject({ steps: [], problems: [] })
})

test('three servers start one run for each time, and one that was missed once', async () => {
  const started = Promise.all([1, 2, 3].map(() => startWorker()))
  const often = await add()
  // More often than a person may say, so that the test need not wait for minutes.
  await db().$executeRaw`UPDATE schedules SET cron = '*/2 * * * * *' WHERE id = ${often}::uuid`
  const missed = await add({ cron: '0 0 * * *', missed: 'once' })
  const skipped = await add({ cron: '0 0 * * *' })
  await db()
    .$executeRaw`UPDATE schedules SET "updatedAt" = now() - interval '3 days' WHERE id <> ${often}::uuid`
  workers = await started
  await expect.poll(async () => (await startsOf(often)).length).toBeGreaterThanOrEqual(4)
  await expect.poll(async () => (await startsOf(missed)).length).toBe(1)
  expect(await startsOf(skipped)).toEqual([])
  await scheduleVerbs.update(site.admin, { id: often, enabled: false, reason: 'enough' })
  const runs = () =>
    db().run.count({ where: { source: 'schedule', idempotencyKey: { contains: often } } })
  // A server that had read the schedule before may still start one run, and stores the start after it.
  const starts = await vi.waitFor(
    async () => {
      const stored = await startsOf(often)
      expect(await runs()).toBe(stored.length)
      return stored
    },
    { timeout: 10_000, interval: 100 },
  )
  expect(starts.every(({ refusal }) => refusal === '')).toBe(true)
  expect(new Set(starts.map(({ runId }) => runId)).size).toBe(starts.length)
  const ends = () =>
    db().run.count({
      where: { id: { in: starts.map(({ runId }) => runId ?? '') }, endReason: 'completed' },
    })
  await expect.poll(ends).toBe(starts.length)
})
