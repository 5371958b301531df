import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { foldRun } from '@/lib/protocol/fold-run'
import { toRunEvent } from '@/lib/runs/run-record'
import { switchTool } from '@/lib/toolset/tool-verbs'
import { db } from '../support/fixture-db'
import { turnOfPrompt } from '../support/model-server/prompt-directives'
import { type ModelServer, startModelServer } from '../support/model-server/start-model-server'
import { addRunSite, type RunSite, start } from '../support/run-site'
import { startWorker, stopped, type Worker } from '../support/start-worker'
import { setEnv } from '../support/test-process'
import { words } from '../support/words'

/** `npm run chaos` sets these: servers are killed 200 times unless TOOLGATE_CHAOS_KILLS says how often. */
const isFull = process.env.TOOLGATE_FULL_CHAOS === '1'
const killsInAll = isFull ? Number(process.env.TOOLGATE_CHAOS_KILLS ?? 200) : 5
const plans = isFull
  ? [1, 2, 5].map((servers) => ({ servers, kills: Math.ceil(killsInAll / 3) }))
  : [{ servers: 2, kills: killsInAll }]
const activeRuns = 8

/** A server is killed just after one of these events is stored, or at any moment. */
const boundaries = ['round-start', 'message', 'call-start', 'call-end', 'any moment'] as const

let server: ModelServer
let site: RunSite
let folder: string
let ledger: string
let workers: Worker[] = []

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'toolgate-chaos-'))
  ledger = path.join(folder, 'effects.txt')
  setEnv({
    TOOLGATE_EXTRA_TOOLS_DIR: path.resolve('tests/support/extra-tools'),
    TOOLGATE_TEST_APPEND_FILE: ledger,
  })
  server = await startModelServer({ script: turnOfPrompt })
  site = await addRunSite(server.url)
  await switchTool(site.admin, { name: 'append_line', enabled: true, reason: 'chaos' })
})

afterEach(async () => {
  await Promise.all(workers.splice(0).map(stopped))
})

afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

let started = 0

/** Starts a run with two writes. What it writes outside names it. */
async function startWriting(): Promise<{ runId: string; lines: string[] }> {
  started += 1
  const lines = [1, 2].map((part) => `run ${started} part ${part}.`)
  const calls = lines.map(
    (text) => `[[call append_line {"text":"${text}","delayMs":40,"delayAfterMs":40}]] [[then]]`,
  )
  const { runId } = await start(site, `${calls.join(' ')} [[say slowly 30ms: ${words(12)}]]`)
  return { runId, lines }
}

type Started = Awaited<ReturnType<typeof startWriting>>

const activeOf = (runs: Started[]) =>
  db().run.findMany({
    where: { id: { in: runs.map(({ runId }) => runId) }, NOT: { status: 'ended' } },
    select: { id: true, instanceId: true },
  })

/** Waits for a boundary in some run, and returns the worker that passed it; any worker when none does in time. */
async function workerAt(boundary: (typeof boundaries)[number], runs: Started[]): Promise<Worker> {
  const any = () => workers[Math.floor(Math.random() * workers.length)] ?? fail('No worker runs.')
  if (boundary === 'any moment') {
    await wait(Math.random() * 400)
    return any()
  }
  const where = { type: boundary, runId: { in: runs.map(({ runId }) => runId) } }
  const before = await db().runEventRow.count({ where })
  for (const deadline = Date.now() + 2_000; Date.now() < deadline; await wait(3)) {
    if ((await db().runEventRow.count({ where })) === before) continue
    const last = { where, orderBy: { at: 'desc' }, include: { run: true } } as const
    const owner = (await db().runEventRow.findFirst(last))?.run.instanceId
    const found = workers.find(({ instanceId }) => instanceId === owner)
    if (found) return found
  }
  return any()
}

function fail(why: string): never {
  throw new Error(why)
}

type Interrupted = { runId: string; killedAt: Date }

/** Kills a worker and starts another one. Returns the runs that it left. */
async function killOne(worker: Worker, runs: Started[]): Promise<Interrupted[]> {
  await stopped(worker)
  const killedAt = new Date()
  const left = (await activeOf(runs)).filter(({ instanceId }) => instanceId === worker.instanceId)
  workers = [
    ...workers.filter((each) => each !== worker),
    await startWorker({ times: 'production' }),
  ]
  return left.map(({ id: runId }) => ({ runId, killedAt }))
}

/** Returns how long each run stood still after its server was killed, in ms, in order of size. */
async function pausesOf(interrupted: Interrupted[]): Promise<number[]> {
  const pauses: number[] = []
  for (const { runId, killedAt } of interrupted) {
    const next = await db().runEventRow.findFirst({
      where: { runId, at: { gte: killedAt } },
      orderBy: { seq: 'asc' },
    })
    if (next) pauses.push(next.at.getTime() - killedAt.getTime())
  }
  return pauses.sort((a, b) => a - b)
}

/** How often an effect may be seen, by the outcome of its call. A call is denied when the gates cannot be read. */
const fitting: Record<string, readonly [number, number]> = {
  ok: [1, 1],
  unknown: [0, 1],
  denied: [0, 0],
  none: [0, 0],
}

/** Checks that each run ended once, that no event of it is missing, and that the effects outside are those it tells of. */
async function expectWhole(runs: Started[]): Promise<{ unknown: number }> {
  const effects = (await readFile(ledger, 'utf8').catch(() => '')).split('\n')
  let unknown = 0
  for (const { runId, lines } of runs) {
    const rows = await db().runEventRow.findMany({ where: { runId }, orderBy: { seq: 'asc' } })
    expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_row, place) => place + 1))
    const state = foldRun(rows.map(toRunEvent))
    expect(rows.filter(({ type }) => type === 'run-end')).toHaveLength(1)
    expect(state.end?.reason, state.end?.message).toBe('completed')
    expect(state.rounds.at(-1)?.text).toBe(words(12))
    const calls = state.rounds.flatMap((round) => round.calls)
    expect(calls).toHaveLength(lines.length)
    for (const line of lines) {
      const told = calls.find(({ argumentsText }) => argumentsText.includes(line))?.state
      const times = effects.filter((effect) => effect === line).length
      const outcome = told?.type === 'ended' ? told.outcome.type : 'none'
      if (outcome === 'unknown') unknown += 1
      const [least, most] = fitting[outcome] ?? fail(`A call ended as ${outcome}.`)
      expect(times, `${line} ${outcome}`).toBeGreaterThanOrEqual(least)
      expect(times, `${line} ${outcome}`).toBeLessThanOrEqual(most)
    }
  }
  return { unknown }
}

const untilEnded = (runs: Started[]) =>
  expect.poll(async () => (await activeOf(runs)).length, { timeout: 90_000, interval: 200 }).toBe(0)

test.each(plans)(
  '$kills kills of $servers servers lose no run, double no write and miss no event',
  async ({ servers, kills }) => {
    workers = await Promise.all(
      Array.from({ length: servers }, () => startWorker({ times: 'production' })),
    )
    const runs: Started[] = []
    const interrupted: Interrupted[] = []
    for (let kill = 0; kill < kills; kill++) {
      const missing = activeRuns - (await activeOf(runs)).length
      runs.push(...(await Promise.all(Array.from({ length: missing }, startWriting))))
      const boundary = boundaries[kill % boundaries.length] ?? 'any moment'
      interrupted.push(...(await killOne(await workerAt(boundary, runs), runs)))
    }
    await untilEnded(runs)
    const { unknown } = await expectWhole(runs)
    const pauses = await pausesOf(interrupted)
    const at = (share: number) => pauses[Math.floor((pauses.length - 1) * share)]
    console.log(
      `${servers} servers, ${kills} kills: ${runs.length} runs, 0 lost, 0 doubled, 0 events missing; ${unknown} writes of unknown outcome; ${pauses.length} times a run stood still: ${at(0.5)} ms (median), ${at(0.95)} ms (95 %), ${at(1)} ms (longest)`,
    )
    expect(interrupted.length).toBeGreaterThan(0)
  },
  120_000 + killsInAll * 10_000,
)

test('runs go on after all connections to PostgreSQL were cut', async () => {
  workers = [await startWorker({ times: 'production' }), await startWorker({ times: 'production' })]
  const runs = await Promise.all(Array.from({ length: activeRuns }, startWriting))
  for (let cut = 0; cut < (isFull ? 5 : 2); cut++) {
    await wait(300)
    await db().$queryRaw`
      SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`
  }
  await untilEnded(runs)
  await expectWhole(runs)
}, 120_000)

test.skipIf(!isFull)(
  'a server whose connections are all busy for longer than a dead one is silent keeps its runs',
  async () => {
    const worker = await startWorker({ times: 'production' })
    workers = [worker]
    const runs = await Promise.all(Array.from({ length: 40 }, startWriting))
    await wait(200)
    const held = db().$executeRaw`
      DO $$ BEGIN LOCK TABLE runs IN ACCESS EXCLUSIVE MODE; PERFORM pg_sleep(9); END $$`
    workers.push(await startWorker({ times: 'production' }))
    await held
    const owners = await db().instance.findMany({ where: { id: worker.instanceId } })
    expect(owners).toHaveLength(1)
    await untilEnded(runs)
    await expectWhole(runs)
  },
  120_000,
)
