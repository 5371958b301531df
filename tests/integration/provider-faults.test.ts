import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createConfiguration } from '@/lib/domains/configurations/verbs'
import {
  claimProbe,
  failuresToOpen,
  recordConnectionFailure,
} from '@/lib/domains/connections/health'
import { createConnection } from '@/lib/domains/connections/verbs'
import { createModel } from '@/lib/domains/models/verbs'
import { pool } from '@/lib/kernel/db'
import { foldRun, type RunState } from '@/lib/protocol/run/fold-run'
import type { Engine } from '@/lib/runs/engine/engine'
import { listRuns } from '@/lib/runs/lists/list-runs'
import { RunFilter } from '@/lib/runs/schemas'
import { cancelRun } from '@/lib/runs/verbs'
import { db } from '@/tests/support/fixture-db'
import { turnOfPrompt } from '@/tests/support/model-server/prompt-directives'
import type { ScriptedTurn } from '@/tests/support/model-server/scripted-turn'
import { type ModelServer, startModelServer } from '@/tests/support/model-server/start-model-server'
import { addPerson } from '@/tests/support/people'
import { collect, type RunSite, start } from '@/tests/support/run-site'
import { startTestEngine } from '@/tests/support/test-engine'

const key = 'sk-fault-0123456789abcdef'
let main: ModelServer
let spare: ModelServer
let engine: Engine
let held: Promise<ScriptedTurn> | null = null
let fault: ScriptedTurn | null = null

beforeAll(async () => {
  main = await startModelServer({ script: (request) => held ?? fault ?? turnOfPrompt(request) })
  spare = await startModelServer({ script: () => ({ text: 'From the spare.' }) })
  engine = await startTestEngine()
})

afterAll(async () => {
  await engine.close()
  await main.close()
  await spare.close()
})

type FaultSite = RunSite & { connectionId: string }

/** Adds a configuration of its own over `main`, and with a fallback over `spare` if asked for. */
async function addSite(options: { maxTries?: number; fallback?: boolean } = {}) {
  const admin = await addPerson('admin')
  const tag = randomUUID().slice(0, 8)
  const addModel = async (name: string, url: string) => {
    const connection = await createConnection(admin, {
      name: `${name} ${tag}`,
      wire: 'openai-compatible',
      baseUrl: `${url}/v1`,
      trustZone: 'local',
      privateAddressAllowed: true,
      apiKey: key,
      headers: { 'x-team': 'blue' },
      maxTries: options.maxTries ?? 3,
    })
    const model = { connectionId: connection.id, modelId: 'test-model', displayName: 'Test model' }
    return { modelId: (await createModel(admin, model)).id, connectionId: connection.id }
  }
  const { modelId, connectionId } = await addModel('Main', main.url)
  const fallbackModelIds = options.fallback ? [(await addModel('Spare', spare.url)).modelId] : []
  const configuration = `faults-${tag}`
  const facts = { identifier: configuration, name: `Faults ${tag}`, modelId, fallbackModelIds }
  await createConfiguration(admin, facts)
  return { admin, configuration, connectionId } satisfies FaultSite
}

async function run(site: FaultSite, prompt: string) {
  const requestCount = main.requests.length
  const { runId } = await start(site, prompt)
  const state = foldRun(await collect(site.admin, runId))
  // Records that are written together have no order among them.
  const orderBy = [{ fallback: 'asc' }, { id: 'asc' }] as const
  const usage = await db().usageRecord.findMany({ where: { runId }, orderBy: [...orderBy] })
  return { runId, state, usage, requests: main.requests.length - requestCount }
}

const health = (connectionId: string) =>
  db().connectionHealth.findUnique({ where: { connectionId } })

const broken = { category: 'server', advice: 'The provider had an internal error (HTTP 500).' }

function adviceOf(state: RunState): string {
  return state.end?.failure?.advice ?? ''
}

describe('a provider that fails', () => {
  test('is asked once when it refuses the key, and the record says why', async () => {
    const site = await addSite()
    const { state, usage, requests } = await run(site, '[[status 401]]')
    expect(requests).toBe(1)
    expect(adviceOf(state)).toBe(
      'The provider refused the API key (HTTP 401). Store a new key for this connection.',
    )
    expect(usage).toMatchObject([
      { errorCategory: 'auth', retries: 0, inputTokens: 0, outputTokens: 0, fallback: false },
    ])
    // A refusal is no failure of the connection, and no answer that says it can be used.
    expect(await health(site.connectionId)).toBeNull()
    expect(main.requests.at(-1)?.headers).toMatchObject({ 'x-team': 'blue' })
  })

  test('is asked again after 429, as often as its connection says, and a record counts each try', async () => {
    const site = await addSite({ maxTries: 2 })
    const { state, usage, requests } = await run(site, '[[status 429 retry-after=0]]')
    expect(requests).toBe(2)
    expect(state.end?.failure).toMatchObject({ category: 'rate-limited', status: 429 })
    expect(usage).toMatchObject([
      { errorCategory: 'rate-limited', retries: 0, retried: true },
      { errorCategory: 'rate-limited', retries: 0, retried: false },
    ])
    expect(await health(site.connectionId)).toBeNull()
  })

  test('is rescued by the fallback chain, and both calls are counted', async () => {
    const site = await addSite({ maxTries: 1, fallback: true })
    const { state, usage, requests } = await run(site, '[[status 529]]')
    expect(requests).toBe(1)
    expect(state.rounds[0]?.text).toBe('From the spare.')
    expect(usage).toMatchObject([
      { errorCategory: 'overloaded', fallback: false, connectionId: site.connectionId },
      { errorCategory: null, fallback: true },
    ])
    expect(state.usage.inputTokens).toBe(usage.reduce((sum, used) => sum + used.inputTokens, 0))
  })

  test('that limits requests a minute is waited for, and one that is empty is not', async () => {
    const perMinute = 'Rate limit reached. Add a payment method under account/billing.'
    const requestCount = main.requests.length
    const error = { message: perMinute, code: 'rate_limit_exceeded' }
    fault = { status: 429, body: { error } }
    const waited = await run(await addSite({ maxTries: 2, fallback: true }), 'Hello?')
    expect(main.requests.length - requestCount).toBe(2)
    expect(waited.state.rounds[0]?.text).toBe('From the spare.')
    expect(waited.usage).toMatchObject([
      { errorCategory: 'rate-limited', retried: true },
      { errorCategory: 'rate-limited', retried: false },
      { errorCategory: null },
    ])

    fault = { status: 429, body: { error: { message: 'No.', code: 'insufficient_quota' } } }
    const refused = await run(await addSite(), 'Hello?')
    expect(refused.requests).toBe(1)
    expect(adviceOf(refused.state)).toContain('no credit or quota left')
    fault = null
  })

  test('that is stopped before its first word is paid for what it was sent', async () => {
    const site = await addSite()
    let answer: (turn: ScriptedTurn) => void = () => undefined
    held = new Promise((resolve) => {
      answer = resolve
    })
    const requestCount = main.requests.length
    const { runId } = await start(site, 'x'.repeat(8_000))
    await expect.poll(() => main.requests.length).toBe(requestCount + 1)
    await cancelRun(site.admin, { runId, reason: '' })
    const state = foldRun(await collect(site.admin, runId))
    answer({ text: 'Too late.' })
    held = null
    expect(state.end?.reason).toBe('cancelled')
    const usage = await db().usageRecord.findMany({ where: { runId } })
    expect(usage).toMatchObject([{ estimated: true, outputTokens: 0, errorCategory: null }])
    expect(usage[0]?.inputTokens).toBeGreaterThan(2_000)
    expect(state.usage.inputTokens).toBe(usage[0]?.inputTokens)
  })

  test('that breaks off costs what was shown, once', async () => {
    const site = await addSite()
    const { state, usage, requests } = await run(
      site,
      '[[say slowly 20ms: one two three four five]] [[cut 4]]',
    )
    expect(requests).toBe(1)
    expect(state.rounds[0]?.response?.finishReason).toBe('cut')
    expect(usage).toMatchObject([{ estimated: true }])
    expect(usage[0]?.outputTokens).toBeGreaterThan(0)
  })
})

describe('the circuit of a connection', () => {
  test('opens after five failures in a row; then nothing is sent and the trace says so', async () => {
    const site = await addSite({ maxTries: 1 })
    for (let failed = 1; failed < failuresToOpen; failed++) {
      await recordConnectionFailure(pool(), site.connectionId, broken)
    }
    expect((await run(site, '[[status 500]]')).requests).toBe(1)
    expect(await health(site.connectionId)).toMatchObject({ failures: 5, lastCategory: 'server' })

    const closed = await run(site, '[[say: hello]]')
    expect(closed.requests).toBe(0)
    expect(closed.state.end?.failure?.category).toBe('circuit-open')
    expect(adviceOf(closed.state)).toMatch(/failed 5 times in a row, so it is paused for another/)
    expect(closed.usage).toEqual([])
    // The list of runs says why all the same.
    const { rows } = await listRuns(site.admin, RunFilter.parse({ pageSize: 1 }))
    expect(rows).toMatchObject([
      { failure: { category: 'circuit-open', connectionId: site.connectionId } },
    ])
  })

  test('lets one request of any process try after its pause, and closes when that is answered', async () => {
    const site = await addSite({ maxTries: 1, fallback: true })
    for (let failed = 0; failed < failuresToOpen; failed++) {
      await recordConnectionFailure(pool(), site.connectionId, broken)
    }
    const rescued = await run(site, '[[say: hello]]')
    expect(rescued.requests).toBe(0)
    expect(rescued.state.rounds[0]?.text).toBe('From the spare.')
    // No request was made of the first model, so none is counted.
    expect(rescued.usage).toMatchObject([{ errorCategory: null, fallback: true }])

    await endPause(site.connectionId)
    let answer: (turn: ScriptedTurn) => void = () => undefined
    held = new Promise((resolve) => {
      answer = resolve
    })
    const requestCount = main.requests.length
    const runs = Array.from({ length: 6 }, () => run(site, 'Anybody there?'))
    await expect.poll(async () => (await endedOf(site)).length).toBe(6)
    expect(main.requests.length - requestCount).toBe(1)
    answer({ text: 'From the main.' })
    held = null
    const texts = (await Promise.all(runs)).map(({ state }) => state.rounds[0]?.text)
    expect(texts.filter((text) => text === 'From the main.')).toHaveLength(1)
    expect(texts.filter((text) => text === 'From the spare.')).toHaveLength(5)
    expect(await health(site.connectionId)).toMatchObject({ failures: 0, openUntil: null })
    expect((await run(site, '[[say: hello]]')).requests).toBe(1)
  })

  test('stays open for another pause when the try fails, and the claim is one for all', async () => {
    const { connectionId } = await addSite()
    for (let failed = 0; failed < failuresToOpen; failed++)
      await recordConnectionFailure(pool(), connectionId, broken)
    expect(await claimProbe(pool(), connectionId, 70_000)).toMatchObject({
      type: 'open',
      failures: 5,
    })
    await endPause(connectionId)
    const claims = await Promise.all(
      Array.from({ length: 20 }, () => claimProbe(pool(), connectionId, 70_000)),
    )
    expect(claims.filter(({ type }) => type === 'probe')).toHaveLength(1)
    await recordConnectionFailure(pool(), connectionId, broken)
    const again = await claimProbe(pool(), connectionId, 70_000)
    expect(again).toMatchObject({ type: 'open', failures: 6 })
    expect(again.type === 'open' && again.leftMs).toBeGreaterThan(25_000)
  })
})

test('the first answer of a connection is kept, and the next writes nothing', async () => {
  const site = await addSite()
  const { connectionId } = site
  await run(site, '[[say: hello]]')
  expect(await health(connectionId)).toMatchObject({ failures: 0, lastFailedAt: null })
  const version = () => db().$queryRaw`SELECT xmin::text, xmax::text FROM connection_health
    WHERE "connectionId" = ${connectionId}::uuid`
  const first = await version()
  await run(site, '[[say: hello]]')
  expect(await version()).toEqual(first)
})

test('each ended tool call leaves a record with its tool, outcome and duration', async () => {
  const site = await addSite()
  const prompt = '[[call list_groups {}]] [[call no_such_tool {}]] [[then]] [[say: done]]'
  const { runId } = await run(site, prompt)
  const records = await db().callRecord.findMany({ where: { runId }, orderBy: { toolName: 'asc' } })
  expect(records).toMatchObject([
    { toolName: 'list_groups', outcome: 'ok', userId: site.admin.actor.userId },
    { toolName: 'no_such_tool', outcome: 'denied' },
  ])
  expect(records.every(({ durationMs }) => durationMs >= 0)).toBe(true)
})

async function endPause(connectionId: string): Promise<void> {
  const openUntil = new Date(Date.now() - 60_000)
  await db().connectionHealth.update({ where: { connectionId }, data: { openUntil } })
}

/** Runs of this site that ended, except the one that holds the try. */
async function endedOf({ admin }: RunSite) {
  const where = { userId: admin.actor.userId, status: 'ended' } as const
  return db().run.findMany({ where })
}
