import { setTimeout as wait } from 'node:timers/promises'
import { DBOS } from '@dbos-inc/dbos-sdk'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { freezeSite, unfreezeSite } from '@/lib/domains/settings/freeze'
import { updateSettings } from '@/lib/domains/settings/verbs'
import { resetPassword } from '@/lib/domains/users/sign-in-verbs'
import type { Ctx } from '@/lib/kernel/context'
import { database } from '@/lib/kernel/db'
import type { Engine } from '@/lib/runs/engine/engine'
import { openEngine } from '@/lib/runs/engine/open-engine'
import type { RunQueue } from '@/lib/runs/engine/run-queue'
import { engineTimes, startEngine } from '@/lib/runs/engine/start-engine'
import { cancelRun } from '@/lib/runs/verbs'
import { db } from '@/tests/support/fixture-db'
import { turnOfPrompt } from '@/tests/support/model-server/prompt-directives'
import { type ModelServer, startModelServer } from '@/tests/support/model-server/start-model-server'
import { addPerson } from '@/tests/support/people'
import { addRunSite, collect, type RunSite, start } from '@/tests/support/run-site'
import { doInWorker, startWorker, stopped, type Worker } from '@/tests/support/start-worker'
import { onEngine, quickTimes, timersToPause } from '@/tests/support/test-engine'

const quick = { ...engineTimes, ...quickTimes }
/** `npm run proof` starts as many runs at once as is promised. */
const part = process.env.TOOLGATE_FULL_PROOF === '1' ? 1 : 0.2
let server: ModelServer
let site: RunSite
let other: RunSite
let mia: RunSite
let tom: RunSite
const open: { close: () => Promise<void> }[] = []

/** Prompts in the order of their requests, and how many were answered at once, by the first word of the prompt. */
let requests: string[] = []
const active = new Map<string, number>()
const most = new Map<string, number>()
let isHeld = false
let letGo: () => void = () => undefined
let held = Promise.resolve()

function hold(): void {
  isHeld = true
  held = new Promise((resolve) => {
    letGo = () => {
      isHeld = false
      resolve()
    }
  })
}

async function counted<T>(prompt: string, work: () => Promise<T>): Promise<T> {
  requests.push(prompt)
  const keys = ['all', prompt.split(' ')[0] ?? '']
  for (const key of keys) {
    active.set(key, (active.get(key) ?? 0) + 1)
    most.set(key, Math.max(most.get(key) ?? 0, active.get(key) ?? 0))
  }
  try {
    return await work()
  } finally {
    for (const key of keys) active.set(key, (active.get(key) ?? 0) - 1)
  }
}

beforeAll(async () => {
  await DBOS.migrate(database().url)
  server = await startModelServer({
    script: (request) =>
      counted(request.prompt, async () => {
        if (isHeld) await held
        await wait(5)
        return turnOfPrompt(request)
      }),
  })
  site = await addRunSite(server.url)
  other = await addRunSite(server.url)
  mia = { ...site, admin: await addUser() }
  tom = { ...site, admin: await addUser() }
})

/** Adds a member who may use all configurations. */
async function addUser(): Promise<Ctx> {
  const person = await addPerson('member')
  const group = await db().group.create({ data: { name: person.actor.email } })
  await db().groupMember.create({ data: { groupId: group.id, userId: person.actor.userId } })
  for (const { id } of await db().configuration.findMany())
    await db().configurationGroup.create({ data: { configurationId: id, groupId: group.id } })
  return person
}

beforeEach(() => {
  requests = []
  most.clear()
})

afterEach(async () => {
  letGo()
  for (const opened of open.splice(0)) await opened.close()
  const none = { sitePlace: null, personPlace: null, configurationPlace: null, waitsFor: null }
  await db().run.updateMany({ data: { ...none, status: 'ended', instanceId: null } })
  await limit({})
})

afterAll(() => server.close())

const limit = (limits: object) =>
  updateSettings(site.admin, { siteRuns: 256, personRuns: 32, configurationRuns: 256, ...limits })

/** Returns a queue in which each engine takes the entries that are ready, in order. */
function queueOf(begin: (runId: string) => Promise<void>): RunQueue {
  const nothing = async () => undefined
  return {
    isOpen: () => true,
    ready: nothing,
    mend: nothing,
    remove: nothing,
    take: async (count) => {
      const ready = await db().run.findMany({
        where: { waitsFor: 'server' },
        take: count,
        orderBy: [{ priority: 'asc' }, { createdAt: 'asc' }, { id: 'asc' }],
      })
      for (const { id } of ready) await begin(id)
    },
  }
}

async function openOne(host: string, mostRuns = 256): Promise<Engine> {
  const { every } = timersToPause()
  let engine: Engine | undefined
  const queue = queueOf(async (runId) => engine?.work.begin(runId))
  const config = { kind: 'server' as const, database: database(), times: quick, host, every }
  engine = await openEngine({ ...config, queue, mostRuns })
  open.push(engine)
  return engine
}

const startMany = (engine: Engine, who: RunSite, name: string, count: number) =>
  onEngine(engine, () =>
    Promise.all(Array.from({ length: count }, (_, n) => start(who, `${name} ${n}`))),
  )
const rowOf = (runId: string) => db().run.findUniqueOrThrow({ where: { id: runId } })
const left = () => db().run.count({ where: { NOT: { status: 'ended' } } })
const untilDone = () => expect.poll(left).toBe(0)

test(`the limits hold under ${200 * part} starts at once on two engines, and every run is done once`, async () => {
  await limit({ siteRuns: 9, personRuns: 4, configurationRuns: 6 })
  const [one, two] = [await openOne('one', 5), await openOne('two', 5)]
  const elsewhere = { ...mia, configuration: other.configuration }
  const runs = [await startMany(one, mia, 'mia', 70 * part)]
  runs.push(await startMany(two, tom, 'tom', 70 * part))
  runs.push(await startMany(two, site, 'ada', 30 * part))
  runs.push(await startMany(one, elsewhere, 'far', 30 * part))
  expect(runs.flat()).toHaveLength(200 * part)
  await untilDone()
  expect(requests).toHaveLength(200 * part)
  expect(new Set(requests).size).toBe(200 * part)
  const { all, ...figures } = Object.fromEntries(most)
  expect(all).toBeLessThanOrEqual(9)
  expect(all).toBeGreaterThan(1)
  expect(Math.max(figures.mia ?? 0, figures.tom ?? 0)).toBeLessThanOrEqual(4)
  const where = { OR: [{ sitePlace: { not: null } }, { waitsFor: { not: null } }] }
  expect(await db().run.count({ where })).toBe(0)
})

test(`the limit of the site holds for ${60 * part} starts at once in three processes`, async () => {
  await limit({ siteRuns: 5 })
  const workers = await Promise.all([1, 2, 3].map(() => startWorker()))
  try {
    hold()
    const promptsOf = (name: number) =>
      Array.from({ length: 20 * part }, (_, n) => `from${name} ${n}`)
    await Promise.all(
      workers.map((worker, name) => doInWorker(worker, { prompts: promptsOf(name), site })),
    )
    expect(await db().run.count({ where: { waitsFor: 'site' } })).toBe(60 * part - 5)
    await expect.poll(() => requests).toHaveLength(5)
    letGo()
    await untilDone()
    expect(new Set(requests).size).toBe(60 * part)
    expect(requests).toHaveLength(60 * part)
    expect(most.get('all')).toBe(5)
  } finally {
    await Promise.all(workers.map(stopped))
  }
})

test('a person who waits for their own limit does not hold up others', async () => {
  await limit({ siteRuns: 4, personRuns: 2 })
  const engine = await openOne('one')
  hold()
  const runs = await startMany(engine, mia, 'mia', 10)
  const [run] = await startMany(engine, tom, 'tom', 1)
  await expect.poll(() => requests.filter((prompt) => prompt.startsWith('tom'))).toHaveLength(1)
  expect((await rowOf(run?.runId ?? '')).waitsFor).toBeNull()
  const waiting = await db().run.findMany({ where: { waitsFor: { not: null } } })
  expect(waiting.map(({ waitsFor }) => waitsFor)).toEqual(Array(8).fill('person'))
  expect(runs).toHaveLength(10)
  letGo()
  await untilDone()
  expect(most.get('mia')).toBeLessThanOrEqual(2)
})

test('a person goes before programs, and those before schedules; else who came first', async () => {
  await limit({ siteRuns: 1 })
  const engine = await openOne('one')
  hold()
  const as = (via: Ctx['via']) => ({ ...site, admin: { ...site.admin, via } })
  await startMany(engine, site, 'first', 1)
  for (const via of ['schedule', 'api', 'console', 'schedule', 'cli'] as const) {
    await startMany(engine, as(via), via, 1)
    await wait(2)
  }
  letGo()
  await untilDone()
  const order = ['first', 'console', 'cli', 'api', 'schedule', 'schedule']
  expect(requests.map((prompt) => prompt.split(' ')[0])).toEqual(order)
})

test('a run that waits ends when it is cancelled or its account is reset, and all do when the site is frozen', async () => {
  await limit({ siteRuns: 1 })
  const engine = await openOne('one')
  hold()
  const [, second, third] = await startMany(engine, site, 'ada', 3)
  const waiting = [second, third].map((run) => run?.runId ?? '')
  const rows = await db().run.findMany({ where: { waitsFor: 'site' } })
  const [cancelled = '', frozen = ''] = rows.map(({ id }) => id)
  expect(waiting).toHaveLength(2)
  await onEngine(engine, () => cancelRun(site.admin, { runId: cancelled, reason: '' }))
  await expect.poll(async () => (await rowOf(cancelled)).endReason).toBe('cancelled')
  const [reset] = await startMany(engine, tom, 'tom', 1)
  await onEngine(engine, () => resetPassword(site.admin, { userId: tom.admin.actor.userId }))
  await expect.poll(async () => (await rowOf(reset?.runId ?? '')).endReason).toBe('revoked')
  expect((await rowOf(frozen)).waitsFor).toBe('site')
  await freezeSite(site.admin, { reason: 'A test.' })
  await expect.poll(async () => (await rowOf(frozen)).endReason).toBe('frozen')
  await unfreezeSite(site.admin, {})
  letGo()
  await untilDone()
  expect(requests).toHaveLength(1)
})

test('a start is refused where nothing can wait, and when 1,000 runs of the person wait', async () => {
  await limit({ personRuns: 1 })
  const engine = await openOne('one')
  hold()
  await startMany(engine, mia, 'mia', 1)
  const alone = { ...engine, places: { ...engine.places, queued: false } }
  await expect(start(mia, 'refused', {}, alone)).rejects.toThrow(
    'You have as many active runs as one person may have.',
  )
  const waiting = { userId: mia.admin.actor.userId, request: {}, prompt: '', waitsFor: 'person' }
  // More than the limit: the engine may look after some of them before the start counts.
  await db().run.createMany({ data: Array.from({ length: 1_100 }, () => waiting) })
  await expect(start(mia, 'too many', {}, engine)).rejects.toThrow(
    /^You have 1\d{3} runs that wait/,
  )
  await expect(start(tom, 'not mine', {}, engine)).resolves.toMatchObject({ created: true })
  await db().run.deleteMany({ where: { userId: mia.admin.actor.userId } })
  letGo()
  await untilDone()
})

test('a change of the limits counts for runs that wait', async () => {
  await limit({ siteRuns: 3 })
  const engine = await openOne('one')
  hold()
  await startMany(engine, site, 'ada', 8)
  await expect.poll(() => requests).toHaveLength(3)
  await limit({ siteRuns: 5 })
  await expect.poll(() => requests).toHaveLength(5)
  await limit({ siteRuns: 1 })
  await startMany(engine, site, 'bob', 1)
  most.clear()
  letGo()
  await untilDone()
  expect(requests).toHaveLength(9)
})

test('runs that wait survive a kill of all servers, in DBOS, and leave no workflow', async () => {
  await limit({ siteRuns: 2 })
  const workers: Worker[] = []
  const engine = await startEngine('server', quickTimes)
  try {
    hold()
    const runs = await startMany(engine, site, 'ada', 6)
    expect(await db().run.count({ where: { waitsFor: 'site' } })).toBe(4)
    const stored = () => DBOS.listWorkflows({ workflowIDs: runs.map(({ runId }) => runId) })
    const entries = await stored()
    expect(entries.map(({ status, queueName }) => `${queueName} ${status}`)).toEqual(
      Array(4).fill('waiting-runs ENQUEUED'),
    )
    await engine.close()
    workers.push(await startWorker())
    const owned = () =>
      db().run.count({ where: { instanceId: workers[0]?.instanceId ?? null, status: 'running' } })
    await expect.poll(owned).toBe(2)
    for (const worker of workers.splice(0)) worker.kill('SIGKILL')
    letGo()
    workers.push(await startWorker(), await startWorker())
    for (const { runId } of runs) await collect(site.admin, runId)
    await untilDone()
    expect(most.get('all')).toBeLessThanOrEqual(4)
    await expect.poll(async () => (await stored()).length).toBe(0)
  } finally {
    await Promise.all(workers.map(stopped))
  }
})
