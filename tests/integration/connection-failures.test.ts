import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { healthPill } from '@/app/(console)/(admin)/connections/connection-words'
import { createConfiguration } from '@/lib/domains/configurations/verbs'
import {
  clearFailures,
  recordActionableFailure,
} from '@/lib/domains/connections/connection-failures'
import { setConnectionKey } from '@/lib/domains/connections/key-verbs'
import { readConnection } from '@/lib/domains/connections/reads'
import { updateConnection } from '@/lib/domains/connections/update-connection'
import { createConnection } from '@/lib/domains/connections/verbs'
import { createModel } from '@/lib/domains/models/verbs'
import { db, pool } from '@/lib/kernel/db'
import { testConnection } from '@/lib/probes/test-connection'
import type { Engine } from '@/lib/runs/engine/engine'
import { listRuns } from '@/lib/runs/lists/list-runs'
import { RunFilter } from '@/lib/runs/schemas'
import { turnOfPrompt } from '@/tests/support/model-server/prompt-directives'
import { type ModelServer, startModelServer } from '@/tests/support/model-server/start-model-server'
import { addPerson } from '@/tests/support/people'
import { collect, start } from '@/tests/support/run-site'
import { startTestEngine } from '@/tests/support/test-engine'

let server: ModelServer
let engine: Engine

beforeAll(async () => {
  server = await startModelServer({ script: turnOfPrompt, record: false })
  engine = await startTestEngine()
})

afterAll(async () => {
  await engine.close()
  await server.close()
})

/** Adds a connection with two models, each with its own configuration. */
async function addSite() {
  const admin = await addPerson('admin')
  const tag = randomUUID().slice(0, 8)
  const { id } = await createConnection(admin, {
    name: `Acts ${tag}`,
    wire: 'openai-compatible',
    baseUrl: `${server.url}/v1`,
    trustZone: 'local',
    privateAddressAllowed: true,
    apiKey: 'sk-acts-0123456789abcdef',
  })
  const addModel = async (modelId: string) => {
    const model = await createModel(admin, { connectionId: id, modelId, displayName: modelId })
    const configuration = `${modelId}-${tag}`
    await createConfiguration(admin, {
      identifier: configuration,
      name: configuration,
      modelId: model.id,
      fallbackModelIds: [],
    })
    return { configuration, modelRecordId: model.id }
  }
  const [one, two] = [await addModel('one'), await addModel('two')]
  const run = async ({ configuration }: { configuration: string }, prompt: string) => {
    const { runId } = await start({ admin, configuration }, prompt)
    await collect(admin, runId)
    return runId
  }
  const readProblems = async () => (await readConnection(admin, { id })).troubles
  return { admin, id, one, two, run, readProblems }
}

test('a key refused in a run is said of the connection until that key is answered', async () => {
  const { admin, id, one, two, run, readProblems } = await addSite()
  const runId = await run(one, '[[status 401]]')
  const connection = await readConnection(admin, { id })
  expect(connection.troubles).toMatchObject([
    { category: 'auth', status: 401, runId, ofModel: false, model: { id: one.modelRecordId } },
  ])
  expect(connection.health).toEqual({ type: 'untried' })
  expect(healthPill(connection)).toMatchObject({ state: 'error', word: 'Key refused' })
  expect(healthPill(connection).at).toBe(connection.troubles[0]?.at)
  const { rows } = await listRuns(admin, RunFilter.parse({ pageSize: 1 }))
  expect(rows).toMatchObject([{ runId, failure: { category: 'auth', connectionId: id } }])

  await run(two, '[[say: hello]]')
  expect(await readProblems()).toEqual([])
  expect(healthPill(await readConnection(admin, { id }))).toMatchObject({
    word: 'Healthy',
    at: null,
  })
})

test('a model unknown is of that model alone; each kind of failure stands by itself', async () => {
  const { one, two, run, readProblems } = await addSite()
  await run(one, '[[status 404]]')
  await run(two, '[[status 402]]')
  expect(await readProblems()).toMatchObject([
    { category: 'no-credit', ofModel: false },
    { category: 'not-found', ofModel: true, model: { modelId: 'one' } },
  ])
  await run(two, '[[say: hello]]')
  expect(await readProblems()).toMatchObject([{ category: 'not-found' }])
  await run(one, '[[say: hello]]')
  expect(await readProblems()).toEqual([])
})

test('answers of a healthy connection write nothing', async () => {
  const { id, one, run } = await addSite()
  await run(one, '[[say: hello]]')
  const version = () =>
    db().$queryRaw`SELECT xmin::text FROM connection_health WHERE "connectionId" = ${id}::uuid`
  const before = await version()
  await run(one, '[[say: hello]]')
  await run(one, '[[say: hello]]')
  expect(await version()).toEqual(before)
})

test('another key or address forgets what was said of the one before, and of an old key nothing counts', async () => {
  const { admin, id, one, run, readProblems } = await addSite()
  await run(one, '[[status 401]]')
  const openedAt = Date.now() - 1
  await setConnectionKey(admin, { id, apiKey: 'sk-acts-another-0123456789' })
  expect(await readProblems()).toEqual([])

  const old = { connectionId: id, modelRecordId: one.modelRecordId, runId: null, openedAt }
  const refused = { category: 'auth', status: 401, advice: 'Refused.' } as const
  await recordActionableFailure(pool(), { ...old, askedAt: Date.now() }, refused)
  expect(await readProblems()).toEqual([])

  await run(one, '[[status 401]]')
  await clearFailures(pool(), { ...old, askedAt: Date.now() + 60_000 })
  expect(await readProblems()).toMatchObject([{ category: 'auth' }])

  await updateConnection(admin, {
    id,
    baseUrl: `${server.url.replace('127.0.0.1', 'localhost')}/v1`,
    trustZone: 'local',
    apiKey: null,
  })
  expect(await readProblems()).toEqual([])
})

test('a test that is answered ends a refused key, and not an empty account', async () => {
  const { admin, id, one, run, readProblems } = await addSite()
  await run(one, '[[status 401]]')
  await run(one, '[[status 402]]')
  expect(await testConnection(admin, { id })).toMatchObject({ outcome: 'ok' })
  expect(await readProblems()).toMatchObject([{ category: 'no-credit' }])
})
