import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { createConnection } from '@/lib/domains/connections/verbs'
import { removeModelPrice, setModelPrice } from '@/lib/domains/models/price-verbs'
import { createModel } from '@/lib/domains/models/verbs'
import { previewReprice, type RepricedBatch, repriceRuns } from '@/lib/domains/usage/reprice'
import type { Ctx } from '@/lib/kernel/context'
import { ForbiddenError, NotFoundError } from '@/lib/kernel/errors'
import { newId } from '@/lib/kernel/new-id'
import { costMicroUsd, isCostAtMost, unpriced } from '@/lib/protocol/cost/cost'
import type { Prices, Usage } from '@/lib/protocol/cost/money'
import { foldRun } from '@/lib/protocol/run/fold-run'
import { readRun } from '@/lib/runs/read-run'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'
import { addRunSite, start } from '@/tests/support/run-site'
import { tickingFrom } from '@/tests/support/ticking-from'

type Call = Omit<Usage, 'estimated'> & { modelRecordId: string; costMicroUsd: number | null }

let admin: Ctx
let connectionId: string
beforeAll(async () => {
  admin = await addPerson('admin')
  const connection = { name: 'Gateway', wire: 'openai', trustZone: 'external-global' } as const
  connectionId = (await createConnection(admin, connection)).id
})

async function addModel(): Promise<string> {
  const modelId = randomUUID()
  return (await createModel(admin, { connectionId, modelId, displayName: 'Model' })).id
}

const priceOf = (input: number, output: number): Prices => ({ ...unpriced, input, output })
const day = (number: number) => `2026-10-${String(number).padStart(2, '0')}T00:00:00.000Z`

const noTokens = {
  inputTokens: 0,
  outputTokens: 0,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
}

/** Adds a run with its journal and ledger, one round per call. */
async function addRun(createdAt: string, calls: Call[], status: 'ended' | 'running' = 'ended') {
  const costs = calls.map((call) => call.costMicroUsd)
  const total = costs.includes(null) ? null : costs.reduce((a, b) => Number(a) + Number(b), 0)
  const run = await db().run.create({
    data: {
      userId: admin.actor.userId,
      status,
      request: { tools: [], maxRounds: 5 },
      prompt: 'x',
      createdAt: new Date(createdAt),
      costMicroUsd: total,
      lastSeq: calls.length * 2,
      usageRecords: {
        create: calls.map((call, index) => ({
          ...call,
          round: index + 1,
          userId: admin.actor.userId,
          modelId: 'm',
          estimated: false,
          latencyMs: 1,
          retries: 0,
          fallback: false,
        })),
      },
      events: { create: calls.flatMap(eventsOf) },
    },
  })
  return run.id
}

function eventsOf({ modelRecordId: _, costMicroUsd: cost, ...usage }: Call, index: number) {
  const round = index + 1
  const start = { round, closing: false, target: 0, offered: [], contextTokens: 1 }
  const message = {
    round,
    target: 0,
    text: 'y',
    reasoning: [],
    toolCalls: [],
    finishReason: 'stop',
    usage: { ...usage, estimated: false },
    costMicroUsd: cost,
    latencyMs: 1,
    firstTokenMs: null,
    retries: 0,
  }
  return [
    { seq: index * 2 + 1, type: 'round-start', data: start },
    { seq: index * 2 + 2, type: 'message', data: message },
  ]
}

async function repriceAll(modelId: string, batchSize = 500): Promise<RepricedBatch[]> {
  const batches: RepricedBatch[] = []
  for (let after: string | null = null; batches.length === 0 || after; ) {
    const batch = await repriceRuns(admin, { modelId, after, batchSize })
    batches.push(batch)
    after = batch.next
  }
  return batches
}

describe('past costs', () => {
  test('follow the price that held when a run began, call by call, in ledger, run and journal', async () => {
    const modelRecordId = await addModel()
    const other = await addModel()
    const call = { ...noTokens, inputTokens: 1_000_001, outputTokens: 10, modelRecordId }
    const early = await addRun(day(1), [{ ...call, costMicroUsd: null }])
    const mixed = await addRun(day(12), [
      { ...call, costMicroUsd: null },
      { ...call, modelRecordId: other, costMicroUsd: 77 },
    ])
    const going = await addRun(day(12), [{ ...call, costMicroUsd: null }], 'running')
    await setModelPrice(admin, { id: modelRecordId, validFrom: day(10), prices: priceOf(3, 1) })
    expect(await previewReprice(admin, { modelId: modelRecordId })).toEqual({
      runs: 1,
      calls: 1,
      beforeMicroUsd: 0,
      beforeUnpriced: 1,
      afterMicroUsd: 4,
      afterUnpriced: 0,
      runsInFlight: 1,
    })
    expect(await repriceAll(modelRecordId)).toEqual([
      { runs: 1, calls: 1, beforeMicroUsd: 0, afterMicroUsd: 4, next: null },
    ])

    const { events, costMicroUsd: total } = await readRun(admin, mixed)
    expect(total).toBe(81)
    expect(events.at(-1)).toMatchObject({
      seq: 5,
      type: 'repriced',
      data: {
        costs: [
          { round: 1, costMicroUsd: 4 },
          { round: 2, costMicroUsd: 77 },
        ],
        costMicroUsd: 81,
        by: admin.actor.email,
      },
    })
    const state = foldRun(events)
    expect(state.costMicroUsd).toBe(81)
    expect(state.rounds.map(({ response }) => response?.costMicroUsd)).toEqual([4, 77])
    expect(state.repricedAt).toBeGreaterThan(Date.now() - 60_000)
    for (const id of [early, going]) {
      expect((await readRun(admin, id)).events.at(-1)?.type).toBe('message')
    }
    expect(
      await db().auditEntry.findMany({ where: { action: 'model.reprice-runs' } }),
    ).toMatchObject([{ objectId: modelRecordId, after: { runs: 1, calls: 1, costMicroUsd: 4 } }])

    // Again: nothing is left to do, and nothing more is written.
    expect(await repriceAll(modelRecordId)).toMatchObject([{ runs: 0, calls: 0 }])
    expect((await readRun(admin, mixed)).events).toHaveLength(5)
  })

  test('become unknown again when their price was a mistake', async () => {
    const modelRecordId = await addModel()
    const call = { ...noTokens, inputTokens: 5, modelRecordId, costMicroUsd: 9 }
    const runId = await addRun(day(3), [call])
    const { id } = await setModelPrice(admin, {
      id: modelRecordId,
      validFrom: day(2),
      prices: priceOf(1_800_000, 0),
    })
    expect((await previewReprice(admin, { modelId: modelRecordId })).calls).toBe(0)
    await removeModelPrice(admin, { id: modelRecordId, priceId: id, reason: 'of another model' })
    expect(await previewReprice(admin, { modelId: modelRecordId })).toMatchObject({
      afterUnpriced: 1,
    })
    await repriceAll(modelRecordId)
    expect((await readRun(admin, runId)).costMicroUsd).toBeNull()
  })

  test('stop after any batch and go on, and two at once write each run once', async () => {
    const modelRecordId = await addModel()
    const call = { ...noTokens, outputTokens: 7, modelRecordId, costMicroUsd: null }
    const runs = await Promise.all(Array.from({ length: 7 }, () => addRun(day(5), [call])))
    await setModelPrice(admin, {
      id: modelRecordId,
      validFrom: day(4),
      prices: priceOf(0, 1_000_000),
    })
    const first = await repriceRuns(admin, { modelId: modelRecordId, batchSize: 3 })
    expect(first).toMatchObject({ runs: 3, afterMicroUsd: 21 })
    expect((await previewReprice(admin, { modelId: modelRecordId })).runs).toBe(4)
    const both = await Promise.all([repriceAll(modelRecordId, 2), repriceAll(modelRecordId, 3)])
    const done = both.flat().reduce((sum, batch) => sum + batch.runs, 0)
    expect(done).toBe(4)
    const where = { runId: { in: runs }, type: 'repriced' }
    expect(await db().runEventRow.count({ where })).toBe(7)
  })

  test('are the same in SQL as in the loop, for random tokens and prices', async () => {
    const modelRecordId = await addModel()
    const random = randomFrom(20_261_122)
    const some = (most: number) => Math.floor(random() * most)
    const price = () => (random() < 0.25 ? null : some(2_147_483_648))
    const table: { validFrom: string; prices: Prices }[] = []
    const long = { aboveTokens: 100_000_000, inputPercent: 200, outputPercent: 150 }
    for (const [index, from] of [4, 9, 17, 25].entries()) {
      const prices = { ...unpriced, input: some(9_999_999), output: price() }
      const rest = { cachedInput: price(), cacheWrite: price(), reasoning: price() }
      const longPrompt = index % 2 === 0 ? long : null
      table.push({ validFrom: day(from), prices: { ...prices, ...rest, longPrompt } })
    }
    for (const row of table) await setModelPrice(admin, { id: modelRecordId, ...row })
    const facts = { userId: admin.actor.userId, modelId: 'm', modelRecordId, estimated: false }
    const call = (runId: string, round: number) => ({
      ...facts,
      runId,
      round,
      inputTokens: some(2_000_000_000),
      outputTokens: some(1_000),
      cachedInputTokens: random() < 0.4 ? 0 : some(1_000_000_000),
      cacheWriteTokens: random() < 0.4 ? 0 : some(1_000_000_000),
      reasoningTokens: random() < 0.5 ? 0 : some(2_000),
      costMicroUsd: some(2) === 0 ? null : 5,
      latencyMs: 1,
      retries: 0,
      fallback: false,
    })
    const runs = Array.from({ length: 120 }, () => ({
      id: newId(),
      userId: admin.actor.userId,
      status: 'ended' as const,
      request: { tools: null, maxRounds: 5 },
      prompt: 'x',
      createdAt: new Date(day(1 + some(30))),
    }))
    await db().run.createMany({ data: runs })
    const calls = runs.flatMap(({ id }) => [call(id, 1), call(id, 2)])
    await db().usageRecord.createMany({ data: calls })
    await repriceAll(modelRecordId, 50)
    const records = await db().usageRecord.findMany({
      where: { modelRecordId },
      include: { run: true },
    })
    expect(records).toHaveLength(240)
    const known = { total: 0 }
    for (const record of records) {
      const began = record.run.createdAt.toISOString()
      const prices = table.findLast((row) => row.validFrom <= began)?.prices ?? unpriced
      const usage = { ...record, reportedCostMicroUsd: undefined }
      const expected = costMicroUsd(usage, prices)
      expect(record.costMicroUsd === null ? null : Number(record.costMicroUsd)).toBe(expected)
      if (expected !== null) known.total += 1
      if (expected !== null && expected !== 5)
        expect(record.costAtMost).toBe(isCostAtMost(usage, prices))
    }
    expect(known.total).toBeGreaterThan(20)
    expect(known.total).toBeLessThan(220)
    expect((await previewReprice(admin, { modelId: modelRecordId })).calls).toBe(0)
  })

  test('begin with the prices of the very moment that the run says it began', async () => {
    const site = await addRunSite('http://127.0.0.1:9')
    const where = { identifier: site.configuration }
    const { modelId } = await db().configuration.findFirstOrThrow({ where })
    await db().modelPrice.deleteMany({ where: { modelRecordId: modelId } })
    const from = Date.parse(day(3))
    // Another price each second, and each look at the clock is a second later.
    const prices = Array.from({ length: 500 }, (_, second) => ({
      modelRecordId: modelId,
      createdByLabel: 'x',
      output: 0,
      input: second,
      validFrom: new Date(from + second * 1_000),
    }))
    await db().modelPrice.createMany({ data: prices })
    vi.stubGlobal('Date', tickingFrom(from))
    const { runId } = await start(site, 'x').finally(() => vi.unstubAllGlobals())
    const { createdAt, events } = await readRun(site.admin, runId)
    const input = (Date.parse(createdAt) - from) / 1_000
    expect(events[0]?.data).toMatchObject({ snapshot: { targets: [{ prices: { input } }] } })
  })

  test('are for admins, and for models that are there', async () => {
    const modelId = await addModel()
    const member = await addPerson('member')
    await expect(previewReprice(member, { modelId })).rejects.toThrow(ForbiddenError)
    await expect(repriceRuns(member, { modelId })).rejects.toThrow(ForbiddenError)
    await expect(previewReprice(admin, { modelId: randomUUID() })).rejects.toThrow(NotFoundError)
    await expect(repriceRuns(admin, { modelId: randomUUID() })).rejects.toThrow(NotFoundError)
  })
})

/** Returns a generator of the same numbers every time (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}
