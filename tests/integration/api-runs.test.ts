import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listApiKeys } from '@/lib/domains/api-keys/verbs'
import type { Ctx } from '@/lib/kernel/context'
import { endOf, eventsIn, isDelta } from '@/lib/protocol/run/run-delta'
import type { Engine } from '@/lib/runs/engine/engine'
import { revokeKey } from '@/lib/runs/verbs'
import { apiKeyOf, apiRoute, ask, askApi } from '@/tests/support/api-client'
import { db } from '@/tests/support/fixture-db'
import { turnOfPrompt } from '@/tests/support/model-server/prompt-directives'
import { type ModelServer, startModelServer } from '@/tests/support/model-server/start-model-server'
import { addPerson } from '@/tests/support/people'
import { promised } from '@/tests/support/promised'
import { readSse } from '@/tests/support/read-sse'
import { shownTexts } from '@/tests/support/run-fixture'
import { addRunSite, type RunSite } from '@/tests/support/run-site'
import { startTestEngine } from '@/tests/support/test-engine'
import { words } from '@/tests/support/words'

const cancelRoute = apiRoute('/runs/{runId}/cancel')
const runRoute = apiRoute('/runs/{runId}')
const runsRoute = apiRoute('/runs')

let server: ModelServer
let engine: Engine
let site: RunSite
let member: Ctx
let key: string

beforeAll(async () => {
  server = await startModelServer({ script: turnOfPrompt })
  engine = await startTestEngine()
  site = await addRunSite(server.url)
  member = await addPerson('member')
  key = await apiKeyOf(site.admin, 'runs:write', 'runs:read')
})

afterAll(async () => {
  await engine.close()
  await server.close()
})

const address = '/api/v1/runs'
const slow = (count: number) => `[[say slowly 50ms: ${words(count)}]]`

async function startRun(prompt: string): Promise<string> {
  const json = { configuration: site.configuration, prompt }
  const response = await ask(runsRoute.POST, 'POST', address, { key, json })
  return (await response.json()).runId
}

function watch(runId: string, headers: Record<string, string> = {}, as = key): Promise<Response> {
  return askApi('GET', `/runs/${runId}/events`, { key: as, headers })
}

async function read(runId: string, as = key): Promise<Response> {
  return ask(runRoute.GET, 'GET', `${address}/${runId}`, { key: as, params: { runId } })
}

describe('POST /api/v1/runs', () => {
  test('starts a run at once and says where it is', async () => {
    const json = { configuration: site.configuration, prompt: '[[say hello]]' }
    const response = await ask(runsRoute.POST, 'POST', address, { key, json })
    const { runId } = await response.json()
    expect(response.status).toBe(202)
    expect(response.headers.get('location')).toBe(`${address}/${runId}`)
    await readSse(await watch(runId))
  })

  test('gives the same run for the same idempotency key, and refuses it for another prompt', async () => {
    const headers = { 'idempotency-key': randomUUID() }
    const json = { configuration: site.configuration, prompt: '[[say hello]]' }
    const send = (prompt: string) =>
      ask(runsRoute.POST, 'POST', address, { key, headers, json: { ...json, prompt } })
    const first = await send('[[say hello]]')
    const again = await send('[[say hello]]')
    expect([first.status, again.status]).toEqual([202, 200])
    expect(await again.json()).toEqual(await first.json())
    expect((await send('[[say other]]')).status).toBe(409)
  })

  test('says how the cost cap of a run stands, and takes “off” only where nothing else caps the run', async () => {
    const prompt = '[[say hello]]'
    const begin = async (configuration: string, costCap: object) =>
      ask(runsRoute.POST, 'POST', address, { key, json: { configuration, prompt, costCap } })
    const capped = await (await begin(site.configuration, { limitMicroUsd: 1 })).json()
    await readSse(await watch(capped.runId))
    const summary = await (await read(capped.runId)).json()
    expect(summary.costCap).toEqual({
      mode: 'warn',
      limitMicroUsd: 1,
      decision: null,
      observedMicroUsd: summary.costMicroUsd,
      exceeded: true,
      blocked: false,
      operatorPrompt: null,
    })
    const free = await begin(site.configuration, { mode: 'off' })
    const { runId } = await free.json()
    await readSse(await watch(runId))
    expect((await (await read(runId)).json()).costCap).toBeNull()

    const other = await addRunSite(server.url)
    const where = { identifier: other.configuration }
    await db().configuration.update({
      where,
      data: { costCapMicroUsd: 500_000, costCapMode: 'warn' },
    })
    const refused = await begin(other.configuration, { mode: 'off' })
    expect(refused.status).toBe(422)
    expect(await refused.text()).toContain('which a run cannot lift')
  })

  test.each(['a\0', '\ud800'])('takes a prompt with %j, but no other text with it', async (bad) => {
    const json = { configuration: site.configuration, prompt: `[[say hello]]${bad}` }
    const response = await ask(runsRoute.POST, 'POST', address, { key, json })
    expect(response.status).toBe(202)
    const { runId } = await response.json()
    await readSse(await watch(runId))
    expect((await (await read(runId)).json()).status).toBe('ended')

    const refused = await ask(runsRoute.POST, 'POST', address, {
      key,
      json: { ...json, tools: ['get_env', bad] },
    })
    expect(refused.status).toBe(422)
    expect(Object.keys((await refused.json()).errors)).toEqual(['tools.1'])
    const reason = { key, json: { reason: bad }, params: { runId } }
    const cancelled = await ask(cancelRoute.POST, 'POST', `${address}/${runId}/cancel`, reason)
    expect(cancelled.status).toBe(422)
  })

  test('refuses a search for text that cannot be stored', async () => {
    expect((await ask(runsRoute.GET, 'GET', `${address}?search=%00`, { key })).status).toBe(422)
  })

  test('takes only fields it knows', async () => {
    const json = { configuration: site.configuration, prompt: 'hello', max_rounds: 3 }
    const response = await ask(runsRoute.POST, 'POST', address, { key, json })
    expect(response.status).toBe(422)
    expect(JSON.stringify(await response.json())).toContain('max_rounds')
  })

  test.each([
    ['{"prompt":', 400, 'application/json'],
    ['prompt=hello', 415, 'application/x-www-form-urlencoded'],
    [`{"prompt":"${'a'.repeat(1024 * 1024)}"}`, 413, 'application/json'],
  ])('refuses a body it cannot take: %.12s', async (body, status, type) => {
    const headers = { 'content-type': type }
    const response = await ask(runsRoute.POST, 'POST', address, { key, headers, body })
    expect(response.status).toBe(status)
    expect(response.headers.get('content-type')).toBe('application/problem+json')
    expect(await response.json()).toMatchObject({ status, instance: address })
  })

  test('refuses strangers, keys without the scope, and configurations of others', async () => {
    const json = { configuration: site.configuration, prompt: 'hello' }
    const nobody = await ask(runsRoute.POST, 'POST', address, { json })
    expect(nobody.status).toBe(401)
    expect(nobody.headers.get('www-authenticate')).toBe('Bearer')
    const reader = await apiKeyOf(site.admin, 'runs:read')
    expect((await ask(runsRoute.POST, 'POST', address, { key: reader, json })).status).toBe(403)
    const foreign = await apiKeyOf(member, 'runs:write')
    expect((await ask(runsRoute.POST, 'POST', address, { key: foreign, json })).status).toBe(404)
  })
})

describe('GET /api/v1/runs/:id', () => {
  test('tells the answer and how each call ended', async () => {
    const runId = await startRun(
      '[[call list_groups {}]] [[call no_such_tool {}]] [[then]] [[say all is well]]',
    )
    await readSse(await watch(runId))
    const response = await read(runId)
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({
      runId,
      status: 'ended',
      endReason: 'completed',
      truncated: false,
      answer: 'all is well',
      rounds: 2,
      source: 'api',
      model: 'test-model',
      calls: [
        {
          name: 'list_groups',
          round: 1,
          state: 'ended',
          outcome: { type: 'ok', truncated: false },
        },
        { name: 'no_such_tool', round: 1, outcome: { type: 'denied' } },
      ],
      usage: { estimated: false },
      cacheSavedMicroUsd: 0,
    })
  })

  test.each([
    'not-an-id',
    '../../etc/passwd',
    '01a20071-0000-7000-8000-000000000000',
    'a'.repeat(5000),
  ])('answers 404 for %.20s', async (runId) => {
    expect((await read(runId)).status).toBe(404)
  })

  test('answers 404 for a run of someone else', async () => {
    const runId = await startRun('[[say hello]]')
    await readSse(await watch(runId))
    const foreign = await apiKeyOf(member, 'runs:read', 'runs:write')
    expect((await read(runId, foreign)).status).toBe(404)
    expect((await watch(runId, {}, foreign)).status).toBe(404)
    const params = { runId }
    const cancelled = await ask(cancelRoute.POST, 'POST', address, { key: foreign, params })
    expect(cancelled.status).toBe(404)
  })
})

describe('GET /api/v1/runs/:id/events', () => {
  test('streams while the run goes on, and goes on after the event that was seen last', async () => {
    const runId = await startRun(slow(30))
    const beginning = await readSse(await watch(runId), (event) => event.type !== 'text-delta')
    const begun = eventsIn(beginning)
    const piece = beginning.at(-1)
    if (!piece || !isDelta(piece)) throw new Error('No piece of the answer came.')
    const lastSeen = `${begun.length}.1.${endOf(piece)}`
    const rest = await readSse(await watch(runId, { 'last-event-id': lastSeen }))
    const journal = [...begun, ...eventsIn(rest)]
    expect(journal.map(({ seq }) => seq)).toEqual(journal.map((_, index) => index + 1))
    expect(journal.at(-1)?.type).toBe('run-end')
    const pieces = [...beginning, ...rest].filter(isDelta)
    expect(pieces.map(({ offset }) => offset)).toEqual([0, ...pieces.slice(0, -1).map(endOf)])
    const message = journal.find((event) => event.type === 'message')
    expect(shownTexts(pieces).join('')).toBe(message?.data.text)

    const done = await watch(runId, { 'last-event-id': String(journal.length) })
    expect(done.status).toBe(204)
    for (const id of ['x', '1.', '1.2', '1.2.x', '1.2.3.4']) {
      expect((await watch(runId, { 'last-event-id': id })).status).toBe(422)
    }
  })

  test('ends within 5 s after the key was revoked', async () => {
    const runId = await startRun(
      '[[say slowly 400ms: one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen]]',
    )
    const passing = await apiKeyOf(site.admin, 'runs:read')
    const response = await watch(runId, {}, passing)
    const prefix = passing.slice(0, 9)
    const listed = (await listApiKeys(site.admin)).find((one) => one.prefix === prefix)
    await revokeKey(site.admin, { keyId: listed?.id ?? '' })
    const revokedAt = Date.now()
    const events = await readSse(response)
    expect(Date.now() - revokedAt).toBeLessThan(promised(5_000))
    expect(events.at(-1)?.type).not.toBe('run-end')
    await ask(cancelRoute.POST, 'POST', address, { key, params: { runId } })
    await readSse(await watch(runId))
  })
})

describe('POST /api/v1/runs/:id/cancel', () => {
  test('stops a run once; asking again changes nothing', async () => {
    const runId = await startRun(slow(200))
    const send = (json?: unknown) =>
      ask(cancelRoute.POST, 'POST', `${address}/${runId}/cancel`, { key, params: { runId }, json })
    await readSse(await watch(runId), (event) => event.type !== 'text-delta')
    const first = await send({ reason: 'No longer needed' })
    expect(first.status).toBe(202)
    expect(await first.json()).toEqual({ status: 'cancelling' })
    const events = await readSse(await watch(runId))
    expect(events.at(-1)).toMatchObject({ type: 'run-end', data: { reason: 'cancelled' } })
    const again = await send()
    expect(again.status).toBe(200)
    expect(await again.json()).toEqual({ status: 'ended' })
    expect((await send({ why: 'x' })).status).toBe(422)
  })
})

test.each([
  ['with the type of JSON and no body', { headers: { 'content-type': 'application/json' } }],
  [
    'with a length of 0',
    { headers: { 'content-type': 'application/json', 'content-length': '0' } },
  ],
  ['with an empty chunked body', { body: new Blob([]).stream() }],
  ['with no type and no body', {}],
])('POST /api/v1/runs/:id/cancel %s cancels', async (_words, request) => {
  const runId = await startRun(slow(200))
  const params = { runId }
  const path = `${address}/${runId}/cancel`
  const malformed = { headers: { 'content-type': 'application/json' }, body: '{' }
  const refused = await ask(cancelRoute.POST, 'POST', path, { key, params, ...malformed })
  expect(refused.status).toBe(400)
  const untyped = await ask(cancelRoute.POST, 'POST', path, { key, params, body: '{}' })
  expect(untyped.status).toBe(415)
  const cancelled = await ask(cancelRoute.POST, 'POST', path, { key, params, ...request })
  expect(cancelled.status).toBe(202)
  const events = await readSse(await watch(runId))
  expect(events.at(-1)).toMatchObject({ type: 'run-end', data: { reason: 'cancelled' } })
})

describe('GET /api/v1/runs', () => {
  test('lists what the account may see, filtered', async () => {
    const prompt = `[[say ${randomUUID()}]]`
    const runId = await startRun(prompt)
    await readSse(await watch(runId))
    const list = async (query: string, as = key) => {
      const response = await ask(runsRoute.GET, 'GET', `${address}?${query}`, { key: as })
      return { status: response.status, body: await response.json() }
    }
    const search = encodeURIComponent(prompt.slice(6, 30))
    const found = await list(`search=${search}&status=ended`)
    expect(found.body).toMatchObject({ total: 1, page: 1, pageSize: 50, runs: [{ runId }] })
    const { apiKeyId } = await db().run.findUniqueOrThrow({ where: { id: runId } })
    const ofKey = (id: string | null) => list(`search=${search}&apiKey=${id}`)
    expect((await ofKey(apiKeyId)).body).toMatchObject({ total: 1, runs: [{ runId }] })
    expect((await ofKey(randomUUID())).body).toMatchObject({ total: 0, runs: [] })
    const foreign = await apiKeyOf(member, 'runs:read')
    expect((await list(`search=${search}`, foreign)).body).toMatchObject({ total: 0, runs: [] })
    expect((await list('page=0')).status).toBe(422)
  })
})
