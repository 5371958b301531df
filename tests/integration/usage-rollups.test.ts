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
import { readKeySpend } from '@/lib/domains/usage/spend'
import { UsagePeriod } from '@/lib/domains/usage/usage-filter'
import { rollUpUsage } from '@/lib/domains/usage/usage-rows'
import { usageWindow, windowBefore } from '@/lib/domains/usage/usage-window'
import { database, pool } from '@/lib/kernel/db'
import { db } from '@/tests/support/fixture-db'
import { statementsOf } from '@/tests/support/statements-of'
import {
  addRuns,
  addUsageSite,
  apiKeys,
  call,
  connections,
  models,
  now,
  people,
  record,
  site,
  tools,
} from '@/tests/support/usage-history'

const dayMs = 86_400_000
/** `npm run proof` reads every period; the ordinary suite the shortest, the longest and one between. */
const step = process.env.TOOLGATE_FULL_PROOF === '1' ? 1 : 3
const windows = UsagePeriod.options.flatMap((period, at) => {
  if (at % step !== 0) return []
  const window = usageWindow(period, now)
  return [window, windowBefore(period, window)]
})

let admin: Awaited<ReturnType<typeof addUsageSite>>

beforeAll(async () => {
  admin = await addUsageSite()
})

/** Returns all that pages and the API say of usage, in every period and with filters. */
async function everything() {
  const scopes = [
    { user: people[1] },
    { configuration: site.configurationId },
    { model: models[0], connection: connections[1] },
    { model: models[1] },
    { connection: connections[0] },
    { apiKey: apiKeys[0] },
    { apiKey: apiKeys[1], model: models[0] },
    { user: people[0], configuration: site.configurationId },
  ]
  const reads = windows.flatMap((window, index) =>
    [{}, scopes[index % scopes.length] ?? {}].flatMap((scope) => [
      readUsageTotals(admin, window, scope),
      readUsageParts(admin, 'day', window, scope),
      ...(['model', 'connection', 'configuration', 'user', 'apiKey'] as const).map((by) =>
        readUsageParts(admin, by, window, scope),
      ),
      readUsageSeries(admin, 'model', models, window, scope, 'latency'),
      readUsageSeries(admin, 'user', people.slice(1), window, scope, 'runs'),
      readToolUsage(admin, window, scope),
      readToolSeries(admin, tools, window, scope, 'latency'),
      readToolSeries(admin, tools.slice(1), window, scope, 'runs'),
    ]),
  )
  const answers = []
  for (const read of reads) answers.push(await read)
  const spend = await readKeySpend(admin, apiKeys)
  answers.push(spend.sort((a, b) => a.key.localeCompare(b.key)))
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

test('the calls of a key are added up from roll-ups, not one by one', async () => {
  const window = usageWindow('30d', now)
  const sent = await statementsOf(() => readToolUsage(admin, window, { apiKey: apiKeys[0] }))
  expect(sent.map(({ text }) => text).join()).toContain('FROM call_rollups')
})

test('the sums stay the same when records of rolled up runs are added, changed and removed, and runs are deleted', async () => {
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
    const lateCall = call(id, userId, site.configurationId, createdAt.getTime() + dayMs)
    if (index % 4 === 3) await db().callRecord.create({ data: lateCall })
  }
  expect(await rolledUp()).toBeLessThanOrEqual(before - 90)
  const pending = { status: 'ended', callsRolledUp: false } as const
  expect(await db().run.count({ where: pending })).toBeGreaterThan(30)
  const [modelId = ''] = models
  const changed = await rolledUp()
  const batch = await repriceRuns(admin, { modelId })
  // More than the 120 above and the 100 that were never rolled up: some of these runs were.
  expect(batch.runs).toBeGreaterThan(220)
  expect(await rolledUp()).toBeLessThan(changed)
  await expectSameSums()
  await rollUp()
  await expectSameSums()
})

test('the sums stay the same when records are added while several processes roll them up', async () => {
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

test('the sums stay the same when a key is removed from the runs that it started', async () => {
  const before = await rolledUp()
  const [gone = ''] = apiKeys.splice(2)
  await db().apiKey.delete({ where: { id: gone } })
  expect(await rolledUp()).toBeLessThan(before - 50)
  await expectSameSums()
  await rollUp()
  await expectSameSums()
  const left = await db().usageRollup.aggregate({ where: { apiKeyId: gone }, _max: { runs: true } })
  expect(left._max.runs).toBe(0n)
  const ofCalls = await db().callRollup.aggregate({
    where: { apiKeyId: gone },
    _max: { calls: true },
  })
  expect(ofCalls._max.calls).toBe(0n)
})

const migration = (name: string) => readFile(`prisma/migrations/${name}.sql`, 'utf8')

/** Leaves tables and functions as they were before roll-ups of calls had keys, and no call rolled up. */
const withoutKeysOfCalls = `
  TRUNCATE call_rollups, call_spans;
  UPDATE runs SET "callsRolledUp" = false;
  DROP TRIGGER taken_out_of_key_calls ON runs;
  DROP FUNCTION take_run_of_key_out_of_call_rollups, roll_up_calls;
  ALTER TABLE call_rollups DROP COLUMN "apiKeyId", ADD CONSTRAINT call_rollups_pkey PRIMARY KEY
    (split, grain, "toolName", start, "userId", "configurationId");
  ALTER TABLE call_spans DROP COLUMN "apiKeyId", ADD CONSTRAINT call_spans_pkey PRIMARY KEY
    (split, start, "runId", "toolName", "configurationId", "userId");`

test('roll-ups of calls from before they had keys get them', async () => {
  const before = await migration('20261124130000_split_rollups')
  const keys = await migration('20261126131600_call_rollups_of_keys')
  const [, made = ''] = before.split('CREATE FUNCTION roll_up_calls')
  const [rollUpCalls] = made.split('-- As with usage: a run')
  await pool().query(`${withoutKeysOfCalls} CREATE FUNCTION roll_up_calls${rollUpCalls}`)
  await rollUp()
  const callsRolledUp = () => db().run.count({ where: { callsRolledUp: true } })
  const all = await callsRolledUp()
  await pool().query(`BEGIN; ${keys} COMMIT`)
  expect(await callsRolledUp()).toBeLessThan(all - 100)
  await expectSameSums()
  await rollUp()
  expect(await callsRolledUp()).toBe(all)
  await expectSameSums()
  expect(await db().callRollup.count({ where: { apiKeyId: { in: apiKeys } } })).toBeGreaterThan(50)
})

/** Leaves tables and functions as they were before roll-ups had keys, and nothing rolled up. */
const withoutKeys = `
  TRUNCATE usage_rollups, usage_spans;
  UPDATE runs SET "rolledUp" = false;
  DROP TRIGGER taken_out_of_key ON runs;
  DROP FUNCTION take_run_of_key_out_of_rollups;
  DROP VIEW usage_splits;
  ALTER TABLE usage_rollups DROP COLUMN "apiKeyId", ADD CONSTRAINT usage_rollups_pkey PRIMARY KEY
    (split, grain, start, "userId", "configurationId", "connectionId", "modelRecordId", "modelId");
  ALTER TABLE usage_spans DROP COLUMN "apiKeyId", ADD CONSTRAINT usage_spans_pkey PRIMARY KEY
    (split, start, "runId", "connectionId", "modelRecordId", "modelId", "configurationId", "userId");`

test('roll-ups from before they had splits and keys get them', async () => {
  const splits = await migration('20261124130000_split_rollups')
  const keys = await migration('20261126012445_usage_rollups_of_keys')
  const functions = splits.slice(
    splits.indexOf('CREATE VIEW usage_splits'),
    splits.indexOf('-- Adds the call records'),
  )
  const [, filled = ''] = splits.split('-- What is rolled up already')
  await pool().query(withoutKeys + functions)
  await rollUp()
  const onlyAll = ['usage_rollups', 'usage_spans'].map(
    (table) => `DELETE FROM ${table} WHERE split <> 'all';`,
  )
  await pool().query(`BEGIN; ${onlyAll.join('')} --${filled} COMMIT`)
  const before = await rolledUp()
  await pool().query(`BEGIN; ${keys} COMMIT`)
  expect(await rolledUp()).toBeLessThan(before - 100)
  expect(await db().usageSpan.count({ where: { split: 'model' } })).toBeGreaterThan(50)
  await expectSameSums()
  await rollUp()
  await expectSameSums()
  expect(await db().usageRollup.count({ where: { apiKeyId: { in: apiKeys } } })).toBeGreaterThan(50)
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
