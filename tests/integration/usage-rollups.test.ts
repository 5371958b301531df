import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { beforeAll, expect, test } from 'vitest'
import {
  readToolSeries,
  readToolUsage,
  readUsageParts,
  readUsageSeries,
  readUsageTotals,
} from '@/lib/domains/usage/reads'
import { repriceRuns } from '@/lib/domains/usage/reprice'
import { UsagePeriod } from '@/lib/domains/usage/usage-filter'
import { rollUpUsage } from '@/lib/domains/usage/usage-rows'
import { usageWindow, windowBefore } from '@/lib/domains/usage/usage-window'
import { database } from '@/lib/kernel/db'
import { db } from '../support/fixture-db'
import { addPerson } from '../support/people'
import { addRunSite } from '../support/run-site'

const dayMs = 86_400_000
const now = new Date()
/** Ids that are referred to by usage only. A run has more than one of them when it fell back. */
const three = () => Array.from({ length: 3 }, () => randomUUID() as string)
const [models, connections] = [three(), three()]
/** `npm run proof` reads every period; the ordinary suite the shortest, the longest and one between. */
const step = process.env.TOOLGATE_FULL_PROOF === '1' ? 1 : 3
const windows = UsagePeriod.options.flatMap((period, at) => {
  if (at % step !== 0) return []
  const window = usageWindow(period, now)
  return [window, windowBefore(period, window)]
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

const tools = ['tool 0', 'tool 1', 'tool 2']
const outcomes = ['ok', 'ok', 'ok', 'failed', 'timed-out', 'unknown', 'denied', 'invalid-arguments']

function call(runId: string, userId: string, configuration: string | null, at: number) {
  return {
    ...{ runId, userId, configurationId: configuration, callId: randomUUID() as string },
    ...{ toolName: tools[below(3)] ?? '', outcome: outcomes[below(outcomes.length)] ?? '' },
    ...{ durationMs: below(20_000), at: new Date(at) },
  }
}

/** Returns the time itself, or one at the edge of its month or day. */
function atEdge(time: number): number {
  const at = new Date(time)
  const month = Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1)
  const edges = [month, month - 1, Math.floor(time / dayMs) * dayMs]
  return often(0.2) ? (edges[below(edges.length)] ?? time) : time
}

/** Adds ended and active runs of the last two years; some go on past midnight, or to another model. */
async function addRuns(count: number): Promise<void> {
  const runs = Array.from({ length: count }, () => {
    const [id, userId] = [randomUUID(), people[below(2)] ?? '']
    const start = atEdge(now.getTime() - random() ** 3 * 730 * dayMs)
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
  await db().callRecord.createMany({
    data: runs.flatMap(({ run: { id, userId }, calls }) =>
      calls.flatMap(({ configurationId: asked, at }) =>
        Array.from({ length: below(3) }, () => call(id, userId, asked, at.getTime())),
      ),
    ),
  })
}

/** Returns all that pages and the API say of usage, in every period and with filters. */
async function everything() {
  const scopes = [
    { user: people[1] },
    { configuration: configurationId },
    { model: models?.[0], connection: connections?.[1] },
    { model: models?.[1] },
    { connection: connections?.[0] },
    { user: people[0], configuration: configurationId },
  ]
  const reads = windows.flatMap((window, index) =>
    [{}, scopes[index % scopes.length] ?? {}].flatMap((scope) => [
      readUsageTotals(admin, window, scope),
      readUsageParts(admin, 'day', window, scope),
      ...(['model', 'connection', 'configuration', 'user'] as const).map((by) =>
        readUsageParts(admin, by, window, scope),
      ),
      readUsageSeries(admin, 'model', models ?? [], window, scope, 'latency'),
      readUsageSeries(admin, 'user', people.slice(1), window, scope, 'runs'),
      readToolUsage(admin, window, scope),
      readToolSeries(admin, tools, window, scope, 'latency'),
      readToolSeries(admin, tools.slice(1), window, scope, 'runs'),
    ]),
  )
  const answers = []
  for (const read of reads) answers.push(await read)
  return answers
}

type Latencies = { p50Ms: number | null; p95Ms: number | null }
const exact = (answer: unknown) =>
  JSON.stringify(answer, (key, value) => (/^p\d\dMs$/.test(key) ? undefined : value))

const rollups = ['usage_rollups', 'usage_spans', 'call_rollups', 'call_spans']

/** Compares what is read from roll-ups with the records alone: sums to the micro-dollar, latencies to two digits. */
async function expectSameSums(): Promise<void> {
  const rolled = await everything()
  const [marked, markedCalls] = await Promise.all([
    db().run.findMany({ where: { rolledUp: true }, select: { id: true } }),
    db().run.findMany({ where: { callsRolledUp: true }, select: { id: true } }),
  ])
  await db().$transaction(async (tx) => {
    // Without the roll-ups, every read adds up the records.
    await tx.run.updateMany({ data: { rolledUp: false, callsRolledUp: false } })
    for (const table of rollups)
      await tx.$executeRawUnsafe(`CREATE TABLE kept_${table} AS SELECT * FROM ${table}`)
    await tx.$executeRawUnsafe(`TRUNCATE ${rollups.join(', ')}`)
  })
  const counted = await everything()
  await db().$transaction(async (tx) => {
    for (const table of rollups) {
      await tx.$executeRawUnsafe(`INSERT INTO ${table} SELECT * FROM kept_${table}`)
      await tx.$executeRawUnsafe(`DROP TABLE kept_${table}`)
    }
    const these = (runs: { id: string }[]) => ({ where: { id: { in: runs.map(({ id }) => id) } } })
    await tx.run.updateMany({ ...these(marked), data: { rolledUp: true } })
    await tx.run.updateMany({ ...these(markedCalls), data: { callsRolledUp: true } })
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
    if (index % 4 === 1) await db().callRecord.updateMany({ where, data: { outcome: 'denied' } })
    if (index % 4 === 2)
      await db().callRecord.deleteMany({ where: { ...where, toolName: 'tool 1' } })
    const lateCall = call(id, userId, configurationId, createdAt.getTime() + dayMs)
    if (index % 4 === 3) await db().callRecord.create({ data: lateCall })
  }
  expect(await rolledUp()).toBeLessThanOrEqual(before - 90)
  const pending = { status: 'ended', callsRolledUp: false } as const
  expect(await db().run.count({ where: pending })).toBeGreaterThan(30)
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
    ...ended.flatMap(({ id, userId, createdAt }) => [
      db().usageRecord.create({ data: record(id, userId, createdAt.getTime()) }),
      db().callRecord.create({ data: call(id, userId, null, createdAt.getTime()) }),
    ]),
  ])
  await rollUp()
  await expectSameSums()
})

test('calls of runs that an older version rolled up without them are added later', async () => {
  await db().$transaction(async (tx) => {
    await tx.$executeRaw`TRUNCATE call_rollups, call_spans`
    await tx.run.updateMany({ data: { callsRolledUp: false } })
  })
  await expectSameSums()
  await rollUp()
  const ended = { status: 'ended' as const }
  expect(await db().run.count({ where: { ...ended, callsRolledUp: true } })).toBe(
    await db().run.count({ where: ended }),
  )
  expect(await db().callRollup.count()).toBeGreaterThan(50)
  await expectSameSums()
})

test('roll-ups from before they had splits get them from their rows', async () => {
  const migration = await readFile('prisma/migrations/20261124130000_split_rollups.sql', 'utf8')
  const [, filled = ''] = migration.split('-- What is rolled up already')
  expect(await db().usageSpan.count({ where: { split: 'model' } })).toBeGreaterThan(50)
  await db().$transaction(async (tx) => {
    for (const table of ['usage_rollups', 'usage_spans'])
      await tx.$executeRawUnsafe(`DELETE FROM ${table} WHERE split <> 'all'`)
    for (const statement of `--${filled}`.split(';\n')) await tx.$executeRawUnsafe(statement)
  })
  expect(await db().usageSpan.count({ where: { split: 'model' } })).toBeGreaterThan(50)
  await expectSameSums()
})

test('without runs nothing is left in them', async () => {
  await db().run.deleteMany({ where: { status: 'ended' } })
  expect(await db().usageRollup.aggregate({ _sum: { requests: true, runs: true } })).toEqual({
    _sum: { requests: 0n, runs: 0n },
  })
  expect(await db().callRollup.aggregate({ _sum: { calls: true, runs: true } })).toEqual({
    _sum: { calls: 0n, runs: 0n },
  })
  expect(await db().usageSpan.count()).toBe(0)
  expect(await db().callSpan.count()).toBe(0)
})
