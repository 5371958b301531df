import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { readUsageParts, readUsageSeries, readUsageTotals } from '@/lib/domains/usage/reads'
import { repriceRuns } from '@/lib/domains/usage/reprice'
import { rollUpUsage } from '@/lib/domains/usage/usage-rows'
import { usageWindow, windowBefore } from '@/lib/domains/usage/usage-window'
import { database } from '@/lib/kernel/db'
import { db } from '../support/fixture-db'
import { addPerson } from '../support/people'
import { addRunSite } from '../support/run-site'

const dayMs = 86_400_000
const now = new Date()
/** Ids that are referred to by usage only. A run has more than one of them when it fell back. */
const [models, connections] = [1, 2].map(() =>
  Array.from({ length: 3 }, () => randomUUID() as string),
)
const windows = (['24h', '7d', '30d', '90d', '12m'] as const).flatMap((period) => {
  const window = usageWindow(period, now)
  return [window, windowBefore(window)]
})

let admin: Awaited<ReturnType<typeof addPerson>>
let people: string[]
let configurationId: string

beforeAll(async () => {
  const site = await addRunSite('http://127.0.0.1:9')
  admin = site.admin
  people = [admin.actor.userId, (await addPerson('member')).actor.userId]
  const where = { identifier: site.configuration }
  const { id, modelId } = await db().configuration.findFirstOrThrow({ where })
  configurationId = id
  models?.splice(0, 1, modelId)
})

/** Numbers between 0 and 1, the same in every run of the test. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}
const random = numbers(20_261_123)
const below = (count: number) => Math.floor(random() * count)
const often = (share: number) => random() < share

function record(runId: string, userId: string, at: number) {
  const failed = often(0.1)
  return {
    ...{ runId, userId, configurationId: often(0.9) ? configurationId : null, round: below(9) },
    connectionId: often(0.9) ? (connections?.[below(3)] ?? null) : null,
    modelRecordId: often(0.9) ? (models?.[below(3)] ?? null) : null,
    ...{ modelId: `model ${below(3)}`, inputTokens: below(9_000), outputTokens: below(900) },
    ...{ cachedInputTokens: below(90), cacheWriteTokens: below(9), reasoningTokens: below(9) },
    ...{ estimated: often(0.1), costAtMost: often(0.1), retries: often(0.1) ? below(3) : 0 },
    costMicroUsd: often(0.1) ? null : BigInt(below(3_000_000_000)) * 997n,
    reportedCostMicroUsd: often(0.2) ? BigInt(below(3_000)) : null,
    ...{ latencyMs: below(20_000), retried: failed && often(0.5), fallback: often(0.1) },
    ...{ errorCategory: failed ? 'server' : null, at: new Date(at) },
  }
}

/** Adds ended and active runs of the last two years; some go on past midnight, or to another model. */
async function addRuns(count: number): Promise<void> {
  const runs = Array.from({ length: count }, () => {
    const [id, userId] = [randomUUID(), people[below(2)] ?? '']
    const start = now.getTime() - random() ** 3 * 730 * dayMs
    const calls = Array.from({ length: 1 + below(4) }, (_, index) =>
      record(
        id,
        userId,
        Math.min(now.getTime() - 1, start + index * (often(0.1) ? dayMs : 60_000)),
      ),
    )
    // Most runs ask one model.
    const [first] = calls
    const asked = often(0.3)
      ? {}
      : {
          configurationId: first?.configurationId ?? null,
          connectionId: first?.connectionId ?? null,
          modelRecordId: first?.modelRecordId ?? null,
          modelId: first?.modelId ?? '',
        }
    const status = often(0.9) ? ('ended' as const) : ('waiting' as const)
    const run = { id, userId, status, request: {}, prompt: 'p', createdAt: new Date(start) }
    return { run, calls: calls.map((call) => ({ ...call, ...asked })) }
  })
  await db().run.createMany({ data: runs.map(({ run }) => run) })
  await db().usageRecord.createMany({ data: runs.flatMap(({ calls }) => calls) })
}

/** Returns all that pages and the API say of usage, in every period and with filters. */
async function everything() {
  const scopes = [
    { user: people[1] },
    { configuration: configurationId },
    { model: models?.[0], connection: connections?.[1] },
  ]
  const reads = windows.flatMap((window, index) =>
    [{}, scopes[index % scopes.length] ?? {}].flatMap((scope) => [
      readUsageTotals(admin, window, scope),
      readUsageParts(admin, 'day', window, scope),
      ...(['model', 'connection', 'configuration', 'user'] as const).map((by) =>
        readUsageParts(admin, by, window, scope),
      ),
      readUsageSeries(admin, 'model', models ?? [], window, scope, true),
    ]),
  )
  const answers = []
  for (const read of reads) answers.push(await read)
  return answers
}

type Latencies = { p50Ms: number | null; p95Ms: number | null }
const exact = (answer: unknown) =>
  JSON.stringify(answer, (key, value) => (/^p\d\dMs$/.test(key) ? undefined : value))

/** Compares what is read from roll-ups with the records alone: sums to the micro-dollar, latencies to two digits. */
async function expectSameSums(): Promise<void> {
  const rolled = await everything()
  const marked = await db().run.findMany({ where: { rolledUp: true }, select: { id: true } })
  await db().$transaction(async (tx) => {
    // Without the roll-ups, every read adds up the records.
    await tx.run.updateMany({ data: { rolledUp: false } })
    await tx.$executeRaw`CREATE TABLE kept AS SELECT * FROM usage_rollups`
    await tx.$executeRaw`CREATE TABLE kept_spans AS SELECT * FROM usage_spans`
    await tx.$executeRaw`TRUNCATE usage_rollups, usage_spans`
  })
  const counted = await everything()
  await db().$transaction(async (tx) => {
    await tx.$executeRaw`INSERT INTO usage_rollups SELECT * FROM kept`
    await tx.$executeRaw`INSERT INTO usage_spans SELECT * FROM kept_spans`
    await tx.$executeRaw`DROP TABLE kept, kept_spans`
    const ids = marked.map(({ id }) => id)
    await tx.run.updateMany({ where: { id: { in: ids } }, data: { rolledUp: true } })
  })
  expect(rolled.map(exact)).toEqual(counted.map(exact))
  const latencies = (answers: unknown[]) => answers.flat() as Latencies[]
  const expected = latencies(counted)
  for (const [index, { p50Ms, p95Ms }] of latencies(rolled).entries()) {
    for (const [said, is] of [
      [p50Ms, expected[index]?.p50Ms],
      [p95Ms, expected[index]?.p95Ms],
    ]) {
      expect(Math.abs((said ?? 0) - (is ?? 0))).toBeLessThanOrEqual((is ?? 0) * 0.05 + 0.5)
    }
  }
}

const rolledUp = () => db().run.count({ where: { rolledUp: true } })
const rollUp = () => rollUpUsage(database())

test('sums of roll-ups and records are those of the records', async () => {
  await addRuns(700)
  await rollUp()
  expect(await rolledUp()).toBe(await db().run.count({ where: { status: 'ended' } }))
  await addRuns(100)
  await expectSameSums()
})

test('they stay so when records of rolled up runs are added, change and go, and runs go', async () => {
  const before = await rolledUp()
  const runs = await db().run.findMany({ where: { rolledUp: true }, take: 120 })
  for (const [index, { id, userId, createdAt }] of runs.entries()) {
    const where = { runId: id }
    if (index % 4 === 0) await db().run.delete({ where: { id } })
    if (index % 4 === 1) await db().usageRecord.updateMany({ where, data: { costMicroUsd: 5n } })
    if (index % 4 === 2)
      await db().usageRecord.deleteMany({ where: { ...where, estimated: false } })
    const late = record(id, userId, createdAt.getTime() + dayMs)
    if (index % 4 === 3) await db().usageRecord.create({ data: late })
  }
  expect(await rolledUp()).toBeLessThanOrEqual(before - 90)
  const [modelId = ''] = models ?? []
  const batch = await repriceRuns(admin, { modelId, batchSize: 50 })
  expect(batch.runs).toBe(50)
  expect(await rolledUp()).toBeLessThan(before - 120)
  await expectSameSums()
  await rollUp()
  await expectSameSums()
})

test('they stay so when records are added while they are rolled up by several processes', async () => {
  await addRuns(300)
  const ended = await db().run.findMany({
    where: { status: 'ended' },
    take: 300,
    orderBy: { id: 'desc' },
  })
  await Promise.all([
    rollUp(),
    rollUp(),
    ...ended.map(({ id, userId, createdAt }) =>
      db().usageRecord.create({ data: record(id, userId, createdAt.getTime()) }),
    ),
  ])
  await rollUp()
  await expectSameSums()
})
