import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { database } from '@/lib/kernel/db'
import { foldRun } from '@/lib/protocol/run/fold-run'
import { eventsIn } from '@/lib/protocol/run/run-delta'
import { openHeartbeats, registerInstance, thisHost } from '@/lib/runs/engine/instances'
import { type Notifications, openNotifications } from '@/lib/runs/journal/notifications'
import { siteClock } from '@/lib/runs/journal/run-clock'
import { db } from '@/tests/support/fixture-db'
import { turnOfPrompt } from '@/tests/support/model-server/prompt-directives'
import { type ModelServer, startModelServer } from '@/tests/support/model-server/start-model-server'
import { addRunSite, collect, type RunSite, start } from '@/tests/support/run-site'
import { canRunElsewhere, startWorker, stopped, type Worker } from '@/tests/support/start-worker'
import { words } from '@/tests/support/words'
import { isFullChaos, report } from '@/tests/support/writing-runs'

/** `npm run chaos` tries more runs and servers, and the times that the product promises. */
const runCount = isFullChaos ? Number(process.env.TOOLGATE_CHAOS_RUNS ?? 100) : 6
const promised = isFullChaos
  ? { here: 2_000, elsewhere: 10_000 }
  : { here: 10_000, elsewhere: 50_000 }

let server: ModelServer
let site: RunSite
let workers: Worker[] = []

beforeAll(async () => {
  server = await startModelServer({ script: turnOfPrompt })
  site = await addRunSite(server.url)
})

afterEach(async () => {
  await Promise.all(workers.splice(0).map(stopped))
})

afterAll(() => server.close())

const answer = words(isFullChaos ? 60 : 25)

/** Starts runs that answer slowly, and waits until workers are at all of them. Returns which the first worker has. */
async function startRuns(): Promise<{ runIds: string[]; ofFirst: string[] }> {
  const [first, ...others] = workers
  for (const other of others) other.kill('SIGSTOP')
  const prompt = `[[say slowly 300ms: ${answer}]] [[then]] [[say: ${randomUUID()}]]`
  const half = Math.ceil(runCount / 2)
  const begin = (count: number) =>
    Promise.all(Array.from({ length: count }, () => start(site, prompt)))
  const own = await begin(half)
  const ofFirst = own.map(({ runId }) => runId)
  const owned = () =>
    db().run.count({ where: { id: { in: ofFirst }, instanceId: first?.instanceId ?? null } })
  await expect.poll(owned).toBe(half)
  for (const other of others) other.kill('SIGCONT')
  const rest = await begin(runCount - half)
  const runIds = [...own, ...rest].map(({ runId }) => runId)
  const asking = () =>
    Promise.resolve(server.requests.filter((input) => input.prompt === prompt).length)
  await expect.poll(asking).toBeGreaterThanOrEqual(runCount)
  const rows = await db().run.findMany({
    where: { id: { in: runIds }, instanceId: first?.instanceId ?? null },
  })
  return { runIds, ofFirst: rows.map(({ id }) => id) }
}

/** Returns how long after `since` each run went on, in ms, in order of size. */
async function pausesSince(runIds: string[], since: number): Promise<number[]> {
  const firstAfter = async () => {
    const rows = await db().runEventRow.groupBy({
      by: ['runId'],
      where: { runId: { in: runIds }, type: 'request-lost', at: { gte: new Date(since) } },
      _min: { at: true },
    })
    return rows.map(({ _min }) => (_min.at?.getTime() ?? Number.NaN) - since)
  }
  await expect.poll(async () => (await firstAfter()).length).toBe(runIds.length)
  return (await firstAfter()).sort((a, b) => a - b)
}

/** Follows runs to their ends: each has one, all of its answer, and no event twice. */
async function expectWhole(runIds: string[]): Promise<void> {
  for (const runId of runIds) {
    const events = eventsIn(await collect(site.admin, runId))
    const seqs = events.map(({ seq }) => seq)
    expect(seqs).toEqual([...new Set(seqs)].sort((a, b) => a - b))
    expect(events.filter(({ type }) => type === 'run-end')).toHaveLength(1)
    const state = foldRun(events)
    expect(state.end?.reason).toBe('completed')
    expect(state.rounds.map(({ text }) => text)).toEqual([answer])
  }
}

const places = [
  ['of the same host', 'here', false],
  ['of another host', 'elsewhere', true],
] as const

for (const servers of isFullChaos ? [2, 5] : [2]) {
  for (const [whose, place, onOtherHost] of places) {
    // Without the full proof, the paused process shows that a heartbeat is missed.
    test.skipIf(onOtherHost && !(isFullChaos && canRunElsewhere()))(
      `the runs of a killed process ${whose} go on in time, with ${servers} servers`,
      async () => {
        const others = Array.from({ length: servers - 1 }, () =>
          startWorker({ times: 'production' }),
        )
        const dying = await startWorker({ times: 'production', onOtherHost })
        workers = [dying, ...(await Promise.all(others))]
        const { runIds, ofFirst } = await startRuns()
        const killedAt = Date.now()
        await stopped(dying)
        const pauses = await pausesSince(ofFirst, killedAt)
        const [middle, last] = [pauses[Math.floor(pauses.length / 2)], pauses.at(-1)]
        report(
          `${servers} servers, a process ${whose} killed: ${pauses.length} runs went on after ${middle} ms (median), ${last} ms (the last)`,
        )
        expect(last).toBeLessThan(promised[place])
        await expectWhole(runIds)
      },
      120_000,
    )
  }
}

test('a process that was paused and comes back writes nothing into the runs that another one took', async () => {
  workers = [await startWorker({ times: 'production' }), await startWorker({ times: 'production' })]
  const { runIds, ofFirst } = await startRuns()
  const [paused] = workers
  const pausedAt = Date.now()
  paused?.kill('SIGSTOP')
  const pauses = await pausesSince(ofFirst, pausedAt)
  report(`A paused process: ${pauses.length} runs went on after at most ${pauses.at(-1)} ms`)
  expect(pauses.at(-1)).toBeLessThan(promised.elsewhere)
  paused?.kill('SIGCONT')
  await expectWhole(runIds)
  const back = () => db().instance.count({ where: { id: paused?.instanceId ?? '' } })
  await expect.poll(back).toBe(1)
  const counted = await db().usageRecord.groupBy({
    by: ['runId'],
    where: { runId: { in: ofFirst } },
    _count: true,
  })
  // Each of them asked once in each process.
  expect(counted.map(({ _count }) => _count)).toEqual(ofFirst.map(() => 2))
})

test('a process is dead when its id belongs to another one now, and only where the id means something', async () => {
  const notifications = openNotifications(database().url)
  const own = { id: randomUUID(), kind: 'server' as const, host: thisHost() }
  const child = await startWorker()
  workers = [child]
  // It would remove the rows of dead processes first.
  child.kill('SIGSTOP')
  const row = await db().instance.findUniqueOrThrow({ where: { id: child.instanceId } })
  const { kind, host, pid, processStart } = row
  const add = async (more: Partial<typeof row>) =>
    (
      await db().instance.create({
        data: { kind, host, pid, processStart, ...more, id: randomUUID() },
      })
    ).id
  try {
    expect(host).toBe(own.host)
    const reused = await add({ processStart: '1' })
    const elsewhere = await add({ host: 'another machine', processStart: '1' })
    const silent = await add({ host: 'another machine', heartbeatAt: new Date(Date.now() - 7_000) })
    const heartbeats = openHeartbeats(notifications, own, 6_000)
    const dead = await heartbeats.beat()
    expect(dead).toContain(reused)
    expect(dead).toContain(silent)
    expect(dead).not.toContain(elsewhere)
    expect(dead).not.toContain(child.instanceId)
    await stopped(child)
    expect(heartbeats.findGone()).toContain(child.instanceId)
    expect(heartbeats.findGone()).not.toContain(child.instanceId)
    expect(await heartbeats.beat()).toContain(child.instanceId)
  } finally {
    await notifications.close()
    await db().instance.deleteMany()
  }
})

test('an engine that others still hear is alive whatever the clocks say, and a silent one is dead', async () => {
  const notifications = openNotifications(database().url)
  const own = { id: randomUUID(), kind: 'server' as const, host: thisHost() }
  const heartbeats = openHeartbeats(notifications, own, 1_500)
  const other = { kind: 'server' as const, host: 'another machine', pid: 1, processStart: '1' }
  const add = async () => (await db().instance.create({ data: { ...other, id: randomUUID() } })).id
  const set = (id: string, heartbeatAt: Date) =>
    db().instance.update({ where: { id }, data: { heartbeatAt } })
  const hour = 3_600_000
  try {
    const [heard, ahead, silent] = [await add(), await add(), await add()]
    await set(ahead, new Date(Date.now() + hour))
    expect(await heartbeats.beat()).toEqual([])
    for (let second = 0; second < 12; second++) {
      await wait(150)
      // As after a jump of PostgreSQL's clock by an hour.
      await set(heard, new Date(Date.now() - hour + second))
      await heartbeats.beat()
    }
    const dead = await heartbeats.beat()
    expect(dead.sort()).toEqual([ahead, silent].sort())
    // No heartbeat could arrive meanwhile, so it waits as long as at first.
    await wait(1_000)
    expect(await heartbeats.beat()).toEqual([])
    for (let beat = 0; beat < 12; beat++) {
      await wait(150)
      await heartbeats.beat()
    }
    expect((await heartbeats.beat()).sort()).toEqual([ahead, heard, silent].sort())
  } finally {
    await notifications.close()
    await db().instance.deleteMany()
  }
})

test('a heartbeat whose answer comes late does not set the clock of the site back', async () => {
  const notifications = openNotifications(database().url)
  const own = { id: randomUUID(), kind: 'server' as const, host: thisHost() }
  const late: Notifications = {
    ...notifications,
    query: async (statement) => {
      const rows = await notifications.query(statement)
      await wait(1_000)
      return rows as never
    },
  }
  try {
    const clock = siteClock(await registerInstance(database(), own))
    const before = clock.now() - performance.now()
    await openHeartbeats(late, own, 6_000, { onTime: clock.set }).beat()
    expect(Math.abs(clock.now() - performance.now() - before)).toBeLessThan(500)
  } finally {
    await notifications.close()
    await db().instance.deleteMany()
  }
})
