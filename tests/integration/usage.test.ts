import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runsOfPart, runsOfTool } from '@/app/(console)/(admin)/usage/runs-behind'
import { RunQuery, toRunFilter } from '@/app/(console)/runs/(list)/run-filter'
import { exportUsage } from '@/lib/domains/usage/export-usage'
import {
  readLastCalls,
  readToolSeries,
  readToolUsage,
  readUsageParts,
  readUsageReport,
  readUsageSeries,
  readUsageTotals,
} from '@/lib/domains/usage/reads'
import { readKeySpend, readUserSpend } from '@/lib/domains/usage/spend'
import type { UsageScope, UsageSplit } from '@/lib/domains/usage/usage-filter'
import { usageWindow, windowBefore } from '@/lib/domains/usage/usage-window'
import { lenientQuery } from '@/lib/edge/lenient-query'
import { listRuns } from '@/lib/runs/lists/list-runs'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'
import { addRunSite } from '@/tests/support/run-site'

const dayMs = 86_400_000
const now = new Date()
const window = usageWindow('7d', now)
const daysAgo = (days: number) => new Date(now.getTime() - days * dayMs)

let admin: Awaited<ReturnType<typeof addPerson>>
let member: typeof admin
let facts: { configurationId: string; modelId: string; connectionId: string }

type Call = {
  at: Date
  costMicroUsd: bigint | null
  tokens?: number
  latencyMs?: number
  fallback?: boolean
  errorCategory?: string
}

/** Adds a run with these requests to the model, and calls of the named tools. */
async function addRun(userId: string, calls: Call[], tools: [string, string, number][] = []) {
  const runId = randomUUID()
  const at = calls[0]?.at ?? now
  await db().run.create({
    data: {
      id: runId,
      userId,
      configurationId: facts.configurationId,
      status: 'ended',
      request: {},
      prompt: 'p',
      createdAt: at,
      usageRecords: {
        create: calls.map((call, index) => ({
          at: call.at,
          round: index + 1,
          userId,
          configurationId: facts.configurationId,
          connectionId: facts.connectionId,
          modelRecordId: facts.modelId,
          modelId: 'test-model',
          inputTokens: call.tokens ?? 10,
          outputTokens: 1,
          cachedInputTokens: 0,
          cacheWriteTokens: 0,
          reasoningTokens: 0,
          estimated: false,
          costMicroUsd: call.costMicroUsd,
          latencyMs: call.latencyMs ?? 100,
          retries: 0,
          fallback: call.fallback ?? false,
          errorCategory: call.errorCategory ?? null,
        })),
      },
      callRecords: {
        create: tools.map(([toolName, outcome, durationMs]) => ({
          callId: randomUUID(),
          toolName,
          userId,
          configurationId: facts.configurationId,
          outcome,
          durationMs,
          at,
        })),
      },
    },
  })
  return runId
}

beforeAll(async () => {
  const site = await addRunSite('http://127.0.0.1:9')
  admin = site.admin
  member = await addPerson('member')
  const configuration = await db().configuration.findFirstOrThrow({
    where: { identifier: site.configuration },
    include: { model: true },
  })
  facts = {
    configurationId: configuration.id,
    modelId: configuration.modelId,
    connectionId: configuration.model.connectionId,
  }
  await addRun(
    admin.actor.userId,
    [
      { at: daysAgo(1), costMicroUsd: 1n, latencyMs: 100 },
      { at: daysAgo(1), costMicroUsd: 2n, latencyMs: 300, fallback: true },
    ],
    [
      ['fetch_logs', 'ok', 10],
      ['fetch_logs', 'failed', 30],
      ['get_env', 'denied', 0],
    ],
  )
  await addRun(member.actor.userId, [
    { at: daysAgo(2), costMicroUsd: null, tokens: 1000 },
    { at: daysAgo(2), costMicroUsd: 0n, tokens: 0, errorCategory: 'server', latencyMs: 9_000 },
  ])
  await addRun(member.actor.userId, [{ at: daysAgo(10), costMicroUsd: 500n }])
})

/** Requests on both sides of midnight, one of them to a model at another connection. */
describe('a run that goes on past midnight', () => {
  let runIds: string[] = []
  beforeAll(async () => {
    const midnight = Math.floor(daysAgo(3).getTime() / dayMs) * dayMs
    const around = (at: number): Call[] =>
      [-60_000, 60_000].map((ms) => ({ at: new Date(at + ms), costMicroUsd: 7n }))
    runIds = [
      await addRun(admin.actor.userId, around(midnight), [['get_env', 'ok', 1]]),
      await addRun(member.actor.userId, around(window.from.getTime()), [['get_env', 'ok', 1]]),
    ]
    const other = { modelRecordId: randomUUID(), connectionId: randomUUID() }
    await db().usageRecord.updateMany({ where: { runId: runIds[0], round: 2 }, data: other })
  })
  afterAll(() => db().run.deleteMany({ where: { id: { in: runIds } } }))

  test.each<{ by: Exclude<UsageSplit, 'tool'>; model?: true }>([
    { by: 'model' },
    { by: 'connection' },
    { by: 'configuration' },
    { by: 'user' },
    { by: 'day' },
    { by: 'day', model: true },
  ])('leads to the runs it counted: %o', async ({ by, model }) => {
    const scope: UsageScope = model ? { model: facts.modelId, connection: facts.connectionId } : {}
    const listed = async (href: string | null) => {
      const query = Object.fromEntries(new URL(href ?? '', 'http://t').searchParams)
      return (await listRuns(admin, toRunFilter(lenientQuery(RunQuery, query)))).total
    }
    const parts = await readUsageParts(admin, by, window, scope)
    expect(parts.length).toBeGreaterThan(0)
    for (const part of parts) {
      expect(await listed(runsOfPart(by, part, window, scope)), part.label).toBe(part.runs)
    }
    for (const tool of await readToolUsage(admin, window, scope)) {
      expect(await listed(runsOfTool(tool.toolName, window, scope)), tool.toolName).toBe(tool.runs)
    }
  })
})

describe('usage', () => {
  test('adds up what is in the window, and only that', async () => {
    expect(await readUsageTotals(admin, window, {})).toMatchObject({
      calls: 4,
      runs: 2,
      inputTokens: 1020,
      outputTokens: 4,
      costMicroUsd: 3,
      unpriced: 1,
      errors: 1,
      rescues: 1,
      p50Ms: 100,
    })
    expect(await readUsageTotals(admin, windowBefore('7d', window), {})).toMatchObject({
      calls: 1,
      costMicroUsd: 500,
    })
    const nobody = { user: randomUUID() }
    expect(await readUsageTotals(admin, window, nobody)).toMatchObject({ calls: 0, p50Ms: null })
  })

  test.each(['model', 'connection', 'configuration', 'user', 'day'] as const)(
    'by %s is the same sum in parts, in the table and in the chart',
    async (by) => {
      const whole = await readUsageTotals(admin, window, {})
      const parts = await readUsageParts(admin, by, window, {})
      const keys = parts.slice(0, 1).flatMap(({ key }) => key ?? [])
      const points = await readUsageSeries(admin, by, keys, window, {}, 'latency')
      for (const figure of [
        'calls',
        'costMicroUsd',
        'inputTokens',
        'unpriced',
        'errors',
      ] as const) {
        const sum = (rows: { [figure: string]: unknown }[]) =>
          rows.reduce((total, row) => total + Number(row[figure]), 0)
        expect(sum(parts), figure).toBe(whole[figure])
        expect(sum(points), figure).toBe(whole[figure])
      }
      expect(parts.every(({ label }) => label !== '')).toBe(true)
    },
  )

  test('in more parts than are shown still adds up: the others are one', async () => {
    const runId = await addRun(member.actor.userId, [{ at: daysAgo(4), costMicroUsd: 3n }])
    const like = await db().usageRecord.findFirstOrThrow({ where: { runId }, omit: { id: true } })
    const records = Array.from({ length: 205 }, (_, round) => ({
      ...like,
      round,
      modelRecordId: randomUUID(),
      modelId: `model ${round}`,
    }))
    await db().usageRecord.createMany({ data: records })
    const [whole, parts] = await Promise.all([
      readUsageTotals(admin, window, {}),
      readUsageParts(admin, 'model', window, {}),
    ])
    expect(parts).toHaveLength(201)
    const rest = parts.at(-1)
    expect(rest).toMatchObject({ key: null, label: 'All others', detail: '6 more', rest: true })
    expect(rest?.runs).toBe(1)
    for (const figure of ['calls', 'costMicroUsd', 'inputTokens', 'unpriced'] as const) {
      expect(parts.reduce((sum, part) => sum + part[figure], 0)).toBe(whole[figure])
    }
    expect(await readUsageReport(admin, { period: '7d', by: 'model' })).toMatchObject({
      totals: { ...whole, unpriced: 1, cost: expect.stringMatching(/^at least \$0\.000/) },
      parts: expect.arrayContaining([expect.objectContaining({ ...rest })]),
    })
    await db().run.delete({ where: { id: runId } })
  })

  test('of a key is that of the runs it started, for its owner and for admins', async () => {
    const { userId } = member.actor
    const data = { userId, name: 'CI', prefix: 'tg_1', tokenHash: randomUUID(), scopes: [] }
    const { id: apiKey } = await db().apiKey.create({ data })
    const record = { at: new Date(), costMicroUsd: 40n }
    const runs = [await addRun(userId, [record]), await addRun(userId, [record])]
    await db().run.update({ where: { id: runs[0] }, data: { apiKeyId: apiKey } })
    const own = { calls: 1, runs: 1, costMicroUsd: 40 }
    const today = usageWindow('7d', new Date(Date.now() + 60_000))
    expect(await readUsageTotals(admin, today, { apiKey })).toMatchObject(own)
    expect(await readUsageParts(admin, 'user', today, { apiKey })).toMatchObject([
      { key: userId, ...own },
    ])
    expect(await readToolUsage(admin, today, { apiKey })).toEqual([])
    expect(runsOfTool('get_env', today, { apiKey })).toContain(`apiKey=${apiKey}&`)
    for (const ctx of [admin, member]) {
      expect(await readKeySpend(ctx, [apiKey, randomUUID()])).toMatchObject([
        { key: apiKey, ...own, cost: '$0.00004' },
      ])
    }
    expect(await readKeySpend(await addPerson('member'), [apiKey])).toEqual([])
    const { thisMonth } = await readUserSpend(admin, userId)
    expect(thisMonth.costMicroUsd).toBeGreaterThanOrEqual(80)
    await db().run.deleteMany({ where: { id: { in: runs } } })
    await db().apiKey.delete({ where: { id: apiKey } })
  })

  test('says how tools do, also those nobody asked for lately', async () => {
    const tools = await readToolUsage(admin, window, {})
    expect(tools).toMatchObject([
      { toolName: 'fetch_logs', calls: 2, ok: 1, failed: 1, p50Ms: 20 },
      { toolName: 'get_env', calls: 1, denied: 1, p50Ms: null },
    ])
    const narrowed = { model: facts.modelId, user: member.actor.userId }
    expect(await readToolUsage(admin, window, narrowed)).toEqual([])
    const points = await readToolSeries(admin, ['get_env'], window, {}, 'calls')
    expect(points.map(({ part, calls }) => [part, calls])).toEqual(
      expect.arrayContaining([
        ['get_env', 1],
        [null, 2],
      ]),
    )
    expect((await readLastCalls(admin)).get('get_env')).toBe(daysAgo(1).toISOString())
  })

  test('can be taken along whole, which is audited', async () => {
    const read = async (format: 'csv' | 'ndjson') => {
      const pieces: string[] = []
      for await (const piece of await exportUsage(admin, { period: '7d', format }))
        pieces.push(piece)
      return pieces.join('').trim().split(/\r?\n/)
    }
    const rows = (await read('ndjson')).map((line) => JSON.parse(line))
    expect(rows.map(({ costMicroUsd }) => costMicroUsd)).toEqual([null, 0, 1, 2])
    expect(rows[0]).toMatchObject({ user: member.actor.email, model: 'test-model', round: 1 })
    expect(await read('csv')).toHaveLength(5)
    expect(await db().auditEntry.count({ where: { action: 'usage.export' } })).toBe(2)
  })

  test('is for admins', async () => {
    await expect(readUsageTotals(member, window, {})).rejects.toThrow('admin')
    await expect(readUsageParts(member, 'user', window, {})).rejects.toThrow('admin')
    await expect(readToolUsage(member, window, {})).rejects.toThrow('admin')
    await expect(exportUsage(member, { format: 'csv' })).rejects.toThrow('admin')
  })
})
