import type { ChildProcess } from 'node:child_process'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { checkBudgets } from '@/lib/budgets/check-budgets'
import { createBudget } from '@/lib/budgets/create-budget'
import { db } from '@/lib/db'
import { worstCostMicroUsd } from '@/lib/protocol/cost'
import { foldRun, type RunState } from '@/lib/protocol/fold-run'
import { cancelRun } from '@/lib/runs/cancel-run'
import { startEngine } from '@/lib/runs/engine'
import { inLanes } from '@/lib/runs/in-lanes'
import { closeWake } from '@/lib/runs/wake'
import { turnOfPrompt } from '../support/model-server/prompt-directives'
import { type ModelServer, startModelServer } from '../support/model-server/start-model-server'
import { addRunSite, collect, type RunSite, start } from '../support/run-site'
import { startWorker } from '../support/start-worker'

const prices = {
  input: 3_000_000,
  output: 15_000_000,
  cachedInput: 300_000,
  cacheWrite: 3_750_000,
  reasoning: null,
}
/** What the model of this site may cost a call at most: 4,000 tokens of output, and 1,000 of input to be sure. */
const worst = worstCostMicroUsd(1_000, 4_000, prices) ?? 0
/** 1,000 tokens in, 3,800 out: close to the worst, as money for ten has to be nearly enough for ten. */
const usage = '[[usage 1000 3800]]'
const cost = 1_000 * 3 + 3_800 * 15

let server: ModelServer
let site: RunSite

beforeAll(async () => {
  server = await startModelServer({ script: turnOfPrompt, record: false })
  site = await addRunSite(server.url)
})

beforeEach(async () => {
  await db().budget.deleteMany()
})

afterAll(async () => {
  await closeWake()
  await server.close()
})

async function work(prompt: string): Promise<RunState> {
  const { runId } = await start(site, prompt)
  return foldRun(await collect(site.admin, runId))
}

const siteBudget = { scope: 'site', window: 'day', unit: 'micro-usd' } as const

describe('SPEC M2: 50 runs at once with money for 10, in one process', () => {
  test('never spend more, and at least 9 are let in', async () => {
    const engine = await startEngine('server')
    try {
      await runFifty()
    } finally {
      await engine.drain()
    }
  }, 90_000)
})

describe('SPEC M2: two processes on one database', () => {
  let workers: ChildProcess[] = []
  beforeAll(async () => {
    workers = await Promise.all([startWorker(), startWorker()])
  }, 90_000)
  afterAll(async () => {
    await Promise.all(workers.map(stopped))
  })

  test('never spend more for 50 runs at once, and at least 9 are let in', async () => {
    await runFifty()
    const owners = await db().run.groupBy({ by: ['instanceId'], orderBy: { instanceId: 'asc' } })
    expect(owners.length).toBeGreaterThanOrEqual(2)
  }, 90_000)

  test('what a killed one held is free again, and nothing is counted twice', async () => {
    await createBudget(site.admin, { ...siteBudget, amount: 100 * worst })
    await work(`[[say: done]] ${usage}`)
    const hanging = await Promise.all(
      Array.from({ length: 6 }, () => start(site, '[[say: one two three four]] [[hang 2]]')),
    )
    const open = () => db().budgetReservation.findMany({ where: { status: 'open' } })
    await expect.poll(open, { timeout: 15_000 }).toHaveLength(6)
    const [first] = await open()
    const dead = await db().instance.findUniqueOrThrow({ where: { id: first?.instanceId } })
    const held = (await open()).filter(({ instanceId }) => instanceId === dead.id)
    workers.find(({ pid }) => pid === dead.pid)?.kill('SIGKILL')

    const left = () =>
      db().budgetReservation.count({ where: { status: 'open', instanceId: dead.id } })
    await expect.poll(left, { timeout: 30_000 }).toBe(0)
    for (const { callId } of held) {
      expect(await db().budgetReservation.findFirst({ where: { callId } })).toMatchObject({
        status: 'released',
        settled: 0n,
      })
    }
    // The other process asks again for those runs, and holds for each of them once.
    await expect.poll(open, { timeout: 15_000 }).toHaveLength(6)
    await Promise.all(hanging.map(({ runId }) => cancelRun(site.admin, runId, '')))
    await Promise.all(hanging.map(({ runId }) => collect(site.admin, runId)))
    await expect.poll(open, { timeout: 15_000 }).toHaveLength(0)
    await expectLedger()
    const [counter] = await db().budgetCounter.findMany()
    expect(counter?.reserved).toBe(0n)
  }, 90_000)
})

async function runFifty(): Promise<void> {
  await createBudget(site.admin, { ...siteBudget, amount: 10 * worst })
  const runIds: string[] = []
  await inLanes(Array(50).fill(`[[wait 100ms]] [[say: done]] ${usage}`), 4, async (prompt) => {
    runIds.push((await start(site, prompt)).runId)
  })
  const states = await Promise.all(
    runIds.map(async (runId) => foldRun(await collect(site.admin, runId))),
  )
  const completed = states.filter(({ end }) => end?.reason === 'completed')
  const refused = states.filter(({ end }) => end?.reason === 'budget')
  expect(completed.length + refused.length).toBe(50)
  expect(completed.length).toBeGreaterThanOrEqual(9)
  expect(refused[0]?.end?.message).toContain('"Site, per day" has no room left')
  expect(refused.every(({ end }) => end?.truncated)).toBe(true)

  const [counter] = await db().budgetCounter.findMany()
  expect(counter).toMatchObject({ reserved: 0n, spent: BigInt(completed.length * cost) })
  expect(Number(counter?.spent)).toBeLessThanOrEqual(10 * worst)
  await expectLedger()
}

/** Counters equal the ledger, and the ledger the usage records, to the micro-dollar. */
async function expectLedger(): Promise<void> {
  expect((await checkBudgets(site.admin)).differences).toEqual([])
  const settled = await db().budgetReservation.findMany({ where: { status: 'settled' } })
  const records = await db().usageRecord.findMany({
    where: { id: { in: settled.map(({ callId }) => callId) } },
  })
  const sum = (figures: (bigint | null)[]) => figures.reduce((a, b) => Number(a) + Number(b), 0)
  expect(sum(settled.map((row) => row.settled))).toBe(sum(records.map((row) => row.costMicroUsd)))
}

async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await new Promise((resolve) => child.once('exit', resolve))
}
