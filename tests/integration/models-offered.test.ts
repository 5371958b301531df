import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { budgetVerbs } from '@/lib/domains/budgets/verbs'
import { createConnection } from '@/lib/domains/connections/verbs'
import { readModel } from '@/lib/domains/models/reads'
import { createModel } from '@/lib/domains/models/verbs'
import { readUsageParts } from '@/lib/domains/usage/reads'
import { usageWindow } from '@/lib/domains/usage/usage-window'
import type { Ctx } from '@/lib/kernel/context'
import { NotFoundError } from '@/lib/kernel/errors'
import { addDiscoveredModels, discoverModels } from '@/lib/probes/discover-models'
import { toOfferRow } from '@/lib/probes/offer-row'
import { testToolCalling } from '@/lib/probes/test-tool-calling'
import { unpriced } from '@/lib/protocol/cost/cost'
import { listRuns } from '@/lib/runs/lists/list-runs'
import { readRun } from '@/lib/runs/read-run'
import { RunFilter } from '@/lib/runs/schemas'
import { expectLedger } from '@/tests/support/expect-ledger'
import { db } from '@/tests/support/fixture-db'
import { type ModelServer, startModelServer } from '@/tests/support/model-server/start-model-server'
import { addPerson } from '@/tests/support/people'

let admin: Ctx
beforeAll(async () => {
  admin = await addPerson('admin')
})
beforeEach(async () => {
  // Tests that reach a provider are counted for each person.
  admin = await addPerson('admin')
  await db().model.deleteMany()
  await db().auditEntry.deleteMany()
})

describe('what a provider offers', () => {
  let list: unknown = { data: [] }
  let server: Server
  let listing: string
  beforeAll(async () => {
    server = createServer((_, response) => {
      response.setHeader('content-type', 'application/json').end(JSON.stringify(list))
    })
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    listing = (
      await createConnection(admin, {
        name: 'Listing',
        wire: 'openai-compatible',
        baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
        privateAddressAllowed: true,
        trustZone: 'local',
      })
    ).id
  })
  afterAll(() => void server.close())

  test('is listed with what is here already, and added as the provider says it, not the client', async () => {
    list = {
      data: [
        { id: 'known', name: 'Known' },
        { id: 'fresh', context_length: 32_000, supported_parameters: ['tools'] },
        { id: 'evil\u202e', name: 'x' },
      ],
    }
    const facts = { contextTokens: 9_000, toolCalling: 'confirmed', vision: true } as const
    const prices = { ...unpriced, input: 750_000, output: 4_500_000 }
    const model = {
      connectionId: listing,
      modelId: 'known',
      displayName: 'Model',
      ...facts,
      prices,
    }
    const { id: known } = await createModel(admin, model)
    const offers = await discoverModels(admin, { connectionId: listing })
    const rows = offers.map(toOfferRow)
    const stored = { ...facts, prices, hereId: known, toolCallingSource: 'assumed' }
    expect(rows.find(({ modelId }) => modelId === 'known')).toMatchObject(stored)
    expect(rows.find(({ modelId }) => modelId === 'fresh')).toMatchObject({
      contextTokens: 32_000,
      prices: null,
      hereId: null,
    })
    const added = await addDiscoveredModels(admin, {
      connectionId: listing,
      modelIds: ['fresh', 'known', 'not-offered'],
    })
    expect(added).toEqual({ ids: [expect.any(String)], missing: ['not-offered'] })
    expect(await readModel(admin, { id: added.ids[0] ?? '' })).toMatchObject({
      modelId: 'fresh',
      contextTokens: 32_000,
      toolCalling: 'confirmed',
      toolCallingSource: 'reported',
      prices: unpriced,
    })
    expect(
      (await addDiscoveredModels(admin, { connectionId: listing, modelIds: ['nothing'] })).ids,
    ).toEqual([])
  })

  test('fails in the words of a test of the connection', async () => {
    list = '<html>'
    await expect(discoverModels(admin, { connectionId: listing })).rejects.toThrow(
      'not with this API type',
    )
    await expect(discoverModels(admin, { connectionId: randomUUID() })).rejects.toThrow(
      NotFoundError,
    )
  })
})

describe('tool calling', () => {
  let server: ModelServer
  let served: string
  beforeAll(async () => {
    server = await startModelServer()
    const local = { wire: 'openai-compatible', trustZone: 'local' } as const
    const address = { baseUrl: `${server.url}/v1`, privateAddressAllowed: true }
    served = (await createConnection(admin, { name: 'Served', ...local, ...address })).id
  })
  afterAll(() => server.close())

  test('is tested with one real call, which is held, counted and listed like every other', async () => {
    const prices = { ...unpriced, input: 1_000_000, output: 2_000_000 }
    const model = { connectionId: served, modelId: 'test-model', displayName: 'Served', prices }
    const { id } = await createModel(admin, model)
    const usage = {
      inputTokens: 50,
      outputTokens: 5,
      cachedInputTokens: 0,
      cacheWriteTokens: 0,
      reasoningTokens: 0,
    }
    server.queue(
      { calls: [{ name: 'report_number', arguments: { number: 7 } }], usage },
      { text: 'Seven!' },
      { status: 500, body: 'secret detail' },
    )
    expect(await testToolCalling(admin, { id })).toMatchObject({
      outcome: 'confirmed',
      usage: { inputTokens: 50 },
      costMicroUsd: 60,
    })
    const [request] = server.requests
    expect(request?.offered).toEqual(['report_number'])
    const stored = await readModel(admin, { id })
    expect(stored).toMatchObject({ toolCalling: 'confirmed', toolCallingSource: 'tested' })
    expect(Date.parse(stored.toolCallingTestedAt ?? '')).toBeGreaterThan(Date.now() - 60_000)

    const budget = { scope: 'site', window: 'day', unit: 'requests' } as const
    const { id: budgetId } = await budgetVerbs.create(admin, { ...budget, amount: 1 })
    expect((await testToolCalling(admin, { id })).outcome).toBe('unsupported')
    const refused = await testToolCalling(admin, { id })
    expect(refused).toMatchObject({ outcome: 'failed', usage: null, costMicroUsd: null })
    expect(refused.message).toContain('Daily site budget used up')
    await budgetVerbs.update(admin, { id: budgetId, amount: 5, unpriced: 'refuse' })
    const failed = await testToolCalling(admin, { id })
    expect(failed).toMatchObject({ outcome: 'failed', usage: null })
    expect(failed.message).not.toContain('secret')
    expect((await readModel(admin, { id })).toolCalling).toBe('unsupported')
    const entries = await db().auditEntry.findMany({
      where: { action: 'model.test-tools' },
      orderBy: { id: 'asc' },
    })
    expect(entries.map(({ after }) => after)).toMatchObject([
      { outcome: 'confirmed', costMicroUsd: 60 },
      { outcome: 'unsupported' },
      { outcome: 'failed' },
      { outcome: 'failed' },
    ])
    const records = await db().usageRecord.findMany({ orderBy: { at: 'asc' } })
    expect(records).toMatchObject([
      { modelRecordId: id, costMicroUsd: 60n, inputTokens: 50, configurationId: null, retries: 0 },
      { modelRecordId: id, errorCategory: null },
      { modelRecordId: id, costMicroUsd: 0n, errorCategory: 'server', retries: 0 },
    ])
    // The failed request counts as one, too.
    expect(await db().budgetCounter.findMany()).toMatchObject([{ spent: 2n, reserved: 0n }])
    await expectLedger(admin)

    const { rows } = await listRuns(admin, RunFilter.parse({ sort: 'started' }))
    expect(rows.map((row) => [row.configurationName, row.status, row.endReason])).toEqual([
      ['test of a model', 'ended', 'completed'],
      ['test of a model', 'ended', 'completed'],
      ['test of a model', 'ended', 'budget'],
      ['test of a model', 'ended', 'provider-error'],
    ])
    const { events } = await readRun(admin, rows[0]?.runId ?? '')
    expect(events.map(({ type }) => type)).toEqual([
      'run-start',
      'round-start',
      'message',
      'call-end',
      'run-end',
    ])
    const window = usageWindow('7d', new Date())
    expect(await readUsageParts(admin, 'configuration', window, {})).toMatchObject([
      { label: 'Tests of models', calls: 3, runs: 3 },
    ])
    // Its tool is nobody's, and has no health.
    expect(await db().callRecord.count()).toBe(0)
    expect(await db().run.count({ where: { NOT: { status: 'ended' } } })).toBe(0)
    server.assertDone()
  })
})
