import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { budgetVerbs } from '@/lib/domains/budgets/verbs'
import { createConfiguration } from '@/lib/domains/configurations/verbs'
import { updateConnection } from '@/lib/domains/connections/update-connection'
import { createConnection } from '@/lib/domains/connections/verbs'
import { createModel } from '@/lib/domains/models/verbs'
import type { Ctx } from '@/lib/kernel/context'
import type { ConfigurationOptions } from '@/lib/protocol/parameters/parameters'
import { foldRun } from '@/lib/protocol/run/fold-run'
import type { Engine } from '@/lib/runs/engine/engine'
import { expectLedger } from '@/tests/support/expect-ledger'
import { db } from '@/tests/support/fixture-db'
import { turnOfPrompt } from '@/tests/support/model-server/prompt-directives'
import type { ScriptedTurn } from '@/tests/support/model-server/scripted-turn'
import { type ModelServer, startModelServer } from '@/tests/support/model-server/start-model-server'
import { addPerson } from '@/tests/support/people'
import { collect, type RunSite, start } from '@/tests/support/run-site'
import { startTestEngine } from '@/tests/support/test-engine'

let main: ModelServer
let spare: ModelServer
let engine: Engine
let admin: Ctx
let fault: ScriptedTurn | null = null

beforeAll(async () => {
  main = await startModelServer({ script: (request) => fault ?? turnOfPrompt(request) })
  spare = await startModelServer({ script: () => ({ text: 'From the spare.' }) })
  engine = await startTestEngine()
  admin = await addPerson('admin')
})

afterAll(async () => {
  await engine.close()
  await main.close()
  await spare.close()
})

const prices = {
  input: 3_000_000,
  output: 15_000_000,
  cachedInput: null,
  cacheWrite: null,
  reasoning: null,
}

async function addModel(url: string, name: string) {
  const connection = await createConnection(admin, {
    name: `${name} ${randomUUID().slice(0, 8)}`,
    wire: 'openai-compatible',
    baseUrl: `${url}/v1`,
    trustZone: 'local',
    privateAddressAllowed: true,
    apiKey: 'sk-fault-0123456789abcdef',
  })
  const connectionId = connection.id
  const { id } = await createModel(admin, {
    connectionId,
    modelId: 'test-model',
    displayName: 'Test model',
    contextTokens: 32_000,
    maxOutputTokens: 1_000,
    prices,
  })
  return { id, connectionId }
}

/** Adds a configuration of its own over `main` that falls back to `spare`. */
async function addSite(options: Partial<ConfigurationOptions> = {}) {
  const first = await addModel(main.url, 'Main')
  const second = await addModel(spare.url, 'Spare')
  const tag = randomUUID().slice(0, 8)
  const configuration = `fallback-${tag}`
  await createConfiguration(admin, {
    identifier: configuration,
    name: `Fallback ${tag}`,
    modelId: first.id,
    fallbackModelIds: [second.id],
    options,
  })
  return { admin, configuration, first, second }
}

async function run(site: RunSite, prompt: string, answer: ScriptedTurn | null = null) {
  fault = answer
  const requestCount = main.requests.length
  const { runId } = await start(site, prompt)
  const events = await collect(admin, runId)
  fault = null
  const orderBy = [{ fallback: 'asc' }, { id: 'asc' }] as const
  const usage = await db().usageRecord.findMany({ where: { runId }, orderBy: [...orderBy] })
  const hops = events.flatMap((event) => (event.type === 'model-fallback' ? [event.data] : []))
  return { state: foldRun(events), usage, hops, requests: main.requests.length - requestCount }
}

const page = {
  body: '<!doctype html><title>Sign in</title>',
  headers: { 'content-type': 'text/html' },
}
const refusal = (status: number, error: object): ScriptedTurn => ({ status, body: { error } })

test.each<[string, ScriptedTurn, number, Record<string, unknown>]>([
  ['401', refusal(401, { message: 'No.' }), 1, { category: 'auth', status: 401 }],
  ['402', refusal(402, { message: 'Pay.' }), 1, { category: 'no-credit', status: 402 }],
  ['403', refusal(403, { message: 'No.' }), 1, { category: 'forbidden', status: 403 }],
  ['an unknown model', refusal(404, { message: 'No.' }), 1, { category: 'not-found' }],
  [
    'an empty account',
    refusal(429, { message: 'No.', code: 'insufficient_quota' }),
    1,
    { category: 'no-credit' },
  ],
  [
    'a prompt that is too long',
    refusal(400, { message: 'Too long.', code: 'context_length_exceeded' }),
    1,
    { category: 'context-length' },
  ],
  ['a web page', page, 1, { category: 'invalid-response', status: 200, cause: 'web-page' }],
  ['a stream without a word', { text: 'Never.', cutAfter: 1 }, 1, { cause: 'broken-stream' }],
  ['500 three times', { status: 500 }, 3, { category: 'server' }],
  [
    '429 three times',
    { status: 429, headers: { 'retry-after': '0' } },
    3,
    { category: 'rate-limited' },
  ],
])('R15: after %s the next model answers', async (_what, turn, requests, failure) => {
  const ran = await run(await addSite(), 'Hello?', turn)
  expect(ran.requests).toBe(requests)
  expect(ran.state.end?.reason).toBe('completed')
  expect(ran.state.rounds[0]?.text).toBe('From the spare.')
  expect(ran.hops).toMatchObject([{ round: 1, from: 0, to: 1, failure }])
  expect(ran.hops[0]?.failure.advice).toMatch(/^[A-Z].+\.$/)
  expect(ran.usage).toHaveLength(requests + 1)
  expect(ran.usage.map(({ fallback }) => fallback)).toEqual([...Array(requests).fill(false), true])
  expect(ran.usage.at(-1)?.errorCategory).toBeNull()
  // An answer that began may be charged, a refusal is not.
  const isEstimated = 'cause' in failure && failure.cause === 'broken-stream'
  expect(ran.usage[0]).toMatchObject({ estimated: isEstimated })
  expect((ran.usage[0]?.inputTokens ?? 0) > 0).toBe(isEstimated)
})

test('R15: other refusals, and kinds that the configuration switched off, end the run', async () => {
  const refused = await run(await addSite(), 'Hello?', refusal(400, { message: 'No.' }))
  expect(refused.hops).toEqual([])
  expect(refused.state.end?.failure?.category).toBe('bad-request')

  const off = await run(await addSite({ noFallbackOn: ['auth'] }), 'Hello?', { status: 401 })
  expect(off.hops).toEqual([])
  expect(off.state.end?.message).toContain('The next model was not asked')
  const hops = await run(await addSite({ noFallbackOn: ['server'] }), 'Hello?', { status: 401 })
  expect(hops.state.end?.reason).toBe('completed')
})

test('R15, M5: what was thought before the stream broke is counted and settled; text ends the run', async () => {
  const site = await addSite()
  await budgetVerbs.create(admin, {
    scope: 'site',
    scopeId: null,
    window: 'month',
    unit: 'micro-usd',
    amount: 50_000_000,
    unpriced: 'refuse',
  })
  const thought = await run(site, '[[reason: one two three four five six]] [[say: no]] [[cut 5]]')
  expect(thought.requests).toBe(1)
  expect(thought.state.rounds[0]?.text).toBe('From the spare.')
  expect(thought.usage).toMatchObject([
    { fallback: false, estimated: true, errorCategory: 'connection' },
    { fallback: true },
  ])
  expect(thought.usage[0]?.outputTokens).toBeGreaterThan(0)
  expect(thought.usage[0]?.inputTokens).toBeGreaterThan(0)
  expect(Number(thought.usage[0]?.costMicroUsd)).toBeGreaterThan(0)
  const sums = thought.usage.reduce((sum, used) => sum + Number(used.costMicroUsd), 0)
  expect(thought.state.costMicroUsd).toBe(sums)
  const row = await db().run.findFirstOrThrow({ orderBy: { createdAt: 'desc' } })
  expect(Number(row.costMicroUsd)).toBe(sums)
  await expectLedger(admin)
  const open = await db().budgetReservation.count({ where: { status: 'open' } })
  expect(open).toBe(0)

  const said = await run(
    site,
    '[[reason: hm]] [[say slowly 5ms: one two three four five]] [[cut 5]]',
  )
  expect(said.hops).toEqual([])
  expect(said.state.rounds[0]?.response?.finishReason).toBe('cut')
  await db().budget.deleteMany()
})

test('G-R: nothing is sent to a fallback that is switched off', async () => {
  const site = await addSite()
  await updateConnection(admin, {
    id: site.second.connectionId,
    enabled: false,
    reason: 'For a while.',
  })
  const requestCount = spare.requests.length
  const ran = await run(site, 'Hello?', { status: 401 })
  expect(ran.state.end?.failure?.category).toBe('auth')
  expect(ran.hops).toEqual([])
  expect(spare.requests.length).toBe(requestCount)
})
