import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { budgetVerbs } from '@/lib/domains/budgets/verbs'
import { findConfiguration } from '@/lib/domains/configurations/reads'
import { createConfiguration } from '@/lib/domains/configurations/verbs'
import { addKey, changeKey, setConnectionKey } from '@/lib/domains/connections/key-verbs'
import { listKeys } from '@/lib/domains/connections/list-keys'
import { pauseKey, takeKey } from '@/lib/domains/connections/take-key'
import { createConnection } from '@/lib/domains/connections/verbs'
import { createModel } from '@/lib/domains/models/verbs'
import type { Ctx } from '@/lib/kernel/context'
import { db, pool } from '@/lib/kernel/db'
import { testConnection } from '@/lib/probes/test-connection'
import { foldRun } from '@/lib/protocol/run/fold-run'
import type { Engine } from '@/lib/runs/engine/engine'
import type { ScriptedTurn, ServedRequest } from '@/tests/support/model-server/scripted-turn'
import { type ModelServer, startModelServer } from '@/tests/support/model-server/start-model-server'
import { addPerson } from '@/tests/support/people'
import { collect, start } from '@/tests/support/run-site'
import { startTestEngine } from '@/tests/support/test-engine'

let main: ModelServer
let spare: ModelServer
let engine: Engine
let admin: Ctx
/** Answer to each key; without an entry it is a good one. */
let answers: Record<string, ScriptedTurn> = {}

const keyOf = (request: ServedRequest) =>
  request.headers.authorization?.replace('Bearer ', '') ?? ''
const first = 'sk-first-0123456789abcdef'
const second = 'sk-second-0123456789abcdef'

beforeAll(async () => {
  main = await startModelServer({
    script: (request) => answers[keyOf(request)] ?? { text: `From ${keyOf(request)}.` },
  })
  spare = await startModelServer({ script: () => ({ text: 'From the spare.' }) })
  engine = await startTestEngine()
  admin = await addPerson('admin')
})

afterAll(async () => {
  await engine.close()
  await main.close()
  await spare.close()
})

const connect = (url: string) =>
  createConnection(admin, {
    name: `Pool ${randomUUID().slice(0, 8)}`,
    wire: 'openai-compatible',
    baseUrl: `${url}/v1`,
    trustZone: 'local',
    privateAddressAllowed: true,
    apiKey: first,
  })

async function addModel(connectionId: string) {
  const model = { connectionId, modelId: 'test-model', displayName: 'Test model' }
  return (await createModel(admin, model)).id
}

/** Adds a connection with two keys, and a configuration that falls back to another one if asked for. */
async function addSite({ fallback = false } = {}) {
  const { id: connectionId } = await connect(main.url)
  const { id } = await addKey(admin, { id: connectionId, label: 'second', apiKey: second })
  const modelId = await addModel(connectionId)
  const fallbackModelIds = fallback ? [await addModel((await connect(spare.url)).id)] : []
  const configuration = `pool-${randomUUID().slice(0, 8)}`
  const facts = { identifier: configuration, name: configuration, modelId, fallbackModelIds }
  await createConfiguration(admin, facts)
  answers = {}
  return { connectionId, secondId: id, configuration, admin }
}

type Site = Awaited<ReturnType<typeof addSite>>

async function run(site: Site) {
  const requestCount = main.requests.length
  const { runId } = await start(site, 'Hello?')
  const state = foldRun(await collect(admin, runId))
  const usage = await db().usageRecord.findMany({ where: { runId }, orderBy: { fallback: 'asc' } })
  return { state, usage, keys: main.requests.slice(requestCount).map(keyOf) }
}

const only = (site: Site, label: string) =>
  changeKey(admin, { id: site.connectionId, key: label, enabled: false })

test.each<[string, ScriptedTurn, string]>([
  ['is refused', { status: 401 }, 'auth'],
  ['has no credit', { status: 402 }, 'no-credit'],
  ['is not allowed', { status: 403 }, 'forbidden'],
  ['is limited', { status: 429, headers: { 'retry-after': '30' } }, 'rate-limited'],
])(
  'a key that %s is left alone, and another one is asked at once',
  async (_what, turn, category) => {
    const site = await addSite({ fallback: true })
    await only(site, 'second')
    await changeKey(admin, { id: site.connectionId, key: 'second', weight: 1 })
    answers = { [first]: turn }
    await changeKey(admin, { id: site.connectionId, key: 'main', weight: 1_000 })
    await changeKey(admin, { id: site.connectionId, key: 'second', enabled: true })
    let ran = await run(site)
    // By weight the first one is picked first nearly always.
    for (let tries = 0; !ran.keys.includes(first) && tries < 10; tries++) ran = await run(site)
    expect(ran.keys).toEqual([first, second])
    expect(ran.state.end?.reason).toBe('completed')
    expect(ran.state.rounds[0]?.notes[0]).toMatchObject({
      type: 'key-change',
      data: { from: 'main', to: 'second', failure: { category } },
    })
    expect(JSON.stringify(ran.state.rounds[0]?.notes)).not.toContain('0123456789abcdef')
    expect(ran.usage).toMatchObject([{ fallback: false, retries: 1, errorCategory: null }])
    const keys = await listKeys(admin, { id: site.connectionId })
    expect(keys).toMatchObject([
      { label: 'main', isOwn: true, lastFour: 'cdef', health: { type: 'paused', category } },
      { label: 'second', isOwn: false, health: { type: 'ready' } },
    ])
    // Neither a failure of the connection, nor asked again.
    const { connectionId } = site
    expect(await db().connectionFailure.count({ where: { connectionId } })).toBe(0)
    expect((await run(site)).keys).toEqual([second])
  },
)

test('when no key is left the next model is asked, and nothing is sent while all are left alone', async () => {
  const site = await addSite({ fallback: true })
  answers = { [first]: { status: 401 }, [second]: { status: 401 } }
  const ran = await run(site)
  expect(ran.keys.toSorted()).toEqual([first, second])
  expect(ran.state.rounds[0]?.text).toBe('From the spare.')
  expect(ran.usage).toMatchObject([{ errorCategory: 'auth', retries: 1 }, { fallback: true }])
  const again = await run(site)
  expect(again.keys).toEqual([])
  expect(again.state.rounds[0]?.notes[0]?.data).toMatchObject({
    failure: { category: 'auth', cause: 'keys-busy', advice: expect.stringContaining('refused') },
  })
  // A proof that a key works ends its pause: a test, or a new key.
  answers = {}
  expect((await testConnection(admin, { id: site.connectionId })).outcome).toBe('ok')
  expect(await listKeys(admin, { id: site.connectionId })).toMatchObject([
    { health: { type: 'ready' } },
    { health: { type: 'paused' } },
  ])
  await setConnectionKey(admin, { id: site.connectionId, apiKey: first })
  expect((await run(site)).keys).toEqual([first])
})

test('a run stays with its key, and a used-up limit hands over to the next key, then to the next model', async () => {
  const site = await addSite({ fallback: true })
  const { connectionId } = site
  await changeKey(admin, { id: connectionId, key: 'main', requestsPerMinute: 1 })
  await changeKey(admin, { id: connectionId, key: 'second', requestsPerMinute: 2 })
  const keys = [await run(site), await run(site), await run(site)].flatMap((ran) => ran.keys)
  expect(keys.toSorted()).toEqual([first, second, second])
  const ran = await run(site)
  expect(ran.keys).toEqual([])
  expect(ran.state.rounds[0]?.text).toBe('From the spare.')
  expect(ran.state.rounds[0]?.notes[0]?.data).toMatchObject({
    failure: { category: 'rate-limited', cause: 'keys-busy' },
  })
  expect(await listKeys(admin, { id: connectionId })).toMatchObject([
    { health: { type: 'limited' } },
    { health: { type: 'limited' } },
  ])
})

test('the next model answers when one key is refused and the other is busy, and the sent request counts', async () => {
  const site = await addSite({ fallback: true })
  const { connectionId } = site
  await changeKey(admin, { id: connectionId, key: 'second', requestsPerMinute: 1 })
  await takeKey(pool(), wanted(site))
  answers = { [first]: { status: 401 } }
  const ran = await run(site)
  expect(ran.keys).toEqual([first])
  expect(ran.state.rounds[0]?.text).toBe('From the spare.')
  const [failure] = ran.state.rounds[0]?.notes ?? []
  expect(failure?.data).toMatchObject({
    failure: {
      category: 'auth',
      status: 401,
      advice: expect.stringMatching(/refused the API key.+Every key of .+ has reached its limit/),
    },
  })
  expect(ran.usage).toMatchObject([{ errorCategory: 'auth', retries: 0 }, { fallback: true }])
})

test('the run waits for the busy key when the other one is refused', async () => {
  const site = await addSite()
  const { connectionId } = site
  await changeKey(admin, { id: connectionId, key: 'second', requestsPerMinute: 1 })
  await takeKey(pool(), wanted(site, { tried: [await ownKey(connectionId)] }))
  // Its minute is nearly over, and not so soon that the first request waits for it.
  await db().$executeRaw`
    UPDATE connection_keys SET "windowStart" = now() AT TIME ZONE 'UTC' - interval '53 seconds'
    WHERE id = ${site.secondId}::uuid`
  answers = { [first]: { status: 401 } }
  const ran = await run(site)
  expect(ran.keys).toEqual([first, second])
  expect(ran.state.end?.reason).toBe('completed')
  expect(ran.state.rounds[0]?.notes[0]).toMatchObject({
    type: 'retry',
    data: { failure: { category: 'auth', status: 401, cause: 'others-busy' } },
  })
  // Without a key that could answer, no run waits.
  await pauseKey(pool(), site.secondId, {
    ms: 60_000,
    category: 'auth',
    advice: 'No.',
    openedAt: Date.now() + 1_000,
  })
  const over = await run(site)
  expect(over.keys).toEqual([])
  expect(over.state.end?.reason).toBe('provider-error')
  expect(over.state.rounds[0]?.notes).toEqual([])
})

test('a budget without room for one more request keeps a run from its next key', async () => {
  const site = await addSite()
  const budget = { window: 'day', unit: 'requests', amount: 1 } as const
  const { id } = await findConfiguration(admin, site.configuration)
  await budgetVerbs.create(admin, { ...budget, scope: 'configuration', scopeId: id })
  answers = { [first]: { status: 401 }, [second]: { status: 401 } }
  const ran = await run(site)
  expect(ran.keys).toHaveLength(1)
  expect(ran.state.end).toMatchObject({
    reason: 'budget',
    message: expect.stringMatching(/used up, .* Limit: 1 request, spent: 1 request/),
    failure: { category: 'auth' },
  })
  expect(ran.state.rounds[0]?.notes).toEqual([])
  expect(ran.usage).toMatchObject([{ errorCategory: 'auth', retries: 0 }])
})

test('the remaining quota that a provider reports lowers the limit', async () => {
  const site = await addSite()
  const headers = { 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '5m0s' }
  answers = { [first]: { text: 'Last one.', headers }, [second]: { text: 'Last one.', headers } }
  const keys = [await run(site), await run(site)].flatMap((ran) => ran.keys)
  expect(keys.toSorted()).toEqual([first, second])
  expect(await listKeys(admin, { id: site.connectionId })).toMatchObject([
    { health: { type: 'limited' } },
    { health: { type: 'limited' } },
  ])
})

const ownKey = async (connectionId: string) =>
  (await db().connectionKey.findFirstOrThrow({ where: { connectionId, secretId: null } })).id

const wanted = (site: Site, fields = {}) => ({
  connectionId: site.connectionId,
  secretId: null,
  tokens: 10,
  reports: [],
  tried: [],
  preferred: null,
  ...fields,
})

test('M: limits hold for requests at the same moment, in tokens as in requests', async () => {
  const site = await addSite()
  const { connectionId } = site
  const ask = (fields = {}) =>
    Promise.all(Array.from({ length: 40 }, () => takeKey(pool(), wanted(site, fields))))
  await changeKey(admin, { id: connectionId, key: 'second', requestsPerMinute: 7 })
  expect((await ask()).filter(({ key }) => key).length).toBe(7)
  const other = await addSite()
  await changeKey(admin, { id: other.connectionId, key: 'second', tokensPerMinute: 55 })
  const taken = await Promise.all(Array.from({ length: 40 }, () => takeKey(pool(), wanted(other))))
  expect(taken.filter(({ key }) => key).length).toBe(5)
})
