import type { APIRequestContext, APIResponse } from '@playwright/test'
import { readSse } from '../support/read-sse'
import { newMark } from './support/model-requests'
import { readSite } from './support/site'
import { expect, test as plain } from './support/test'

// This tool is this file's alone: other files run at the same time.
const tool = 'get_runtime_info_raw'

/** `as` makes a client without cookies that sends this API key, or none. */
const test = plain.extend<{ as: (key: string | null) => Promise<APIRequestContext> }>({
  as: async ({ playwright, baseURL }, use) => {
    const made: APIRequestContext[] = []
    await use(async (key) => {
      const client = await playwright.request.newContext({
        baseURL,
        storageState: { cookies: [], origins: [] },
        ...(key !== null && { extraHTTPHeaders: { authorization: `Bearer ${key}` } }),
      })
      made.push(client)
      return client
    })
    for (const client of made) await client.dispose()
  },
})

const newRun = (prompt: string) => ({
  data: { configuration: 'local-openai-compatible', prompt, tools: null, maxRounds: null },
})

async function expectProblem(answer: APIResponse, status: number, code: string): Promise<void> {
  expect(answer.status()).toBe(status)
  expect(answer.headers()['content-type']).toContain('application/problem+json')
  const details = await answer.json()
  expect(details).toMatchObject({ type: `urn:toolgate:problem:${code}`, status })
  expect(details.title).toBeTruthy()
  expect(details.detail).toBeTruthy()
}

async function startRun(client: APIRequestContext, prompt: string): Promise<string> {
  const answer = await client.post('/api/v1/runs', newRun(prompt))
  expect(answer.status()).toBe(202)
  const { runId } = await answer.json()
  expect(answer.headers().location).toBe(`/api/v1/runs/${runId}`)
  return runId
}

test('a run by key: started once per idempotency key, followed, resumed, read', async ({
  as,
  baseURL,
}) => {
  const { keys } = readSite()
  const client = await as(keys.admin)
  const headers = { 'idempotency-key': newMark() }
  const wish = newRun(
    `${newMark()} [[call slow_read {"ms":10,"label":"by key"}]] [[then]] [[say: Answered by key.]]`,
  )
  const first = await client.post('/api/v1/runs', { ...wish, headers })
  expect(first.status()).toBe(202)
  const { runId } = await first.json()
  const again = await client.post('/api/v1/runs', { ...wish, headers })
  expect(again.status()).toBe(200)
  expect(await again.json()).toEqual({ runId })
  await expectProblem(
    await client.post('/api/v1/runs', { ...newRun('Another prompt'), headers }),
    409,
    'conflict',
  )

  const address = `${baseURL}/api/v1/runs/${runId}/events`
  const authorization = `Bearer ${keys.admin}`
  const stream = await fetch(address, { headers: { authorization } })
  expect(stream.headers.get('content-type')).toContain('text/event-stream')
  const events = await readSse(stream)
  expect(events.at(0)?.type).toBe('run-start')
  expect(events.at(-1)?.type).toBe('run-end')
  const middle = events.find((event) => event.type === 'call-start')?.seq ?? 0
  const resumed = await readSse(
    await fetch(`${address}?after=1`, {
      headers: { authorization, 'last-event-id': String(middle) },
    }),
  )
  expect(resumed).toEqual(events.filter((event) => event.seq > middle && !isDelta(event.type)))

  const summary = await (await client.get(`/api/v1/runs/${runId}`)).json()
  expect(summary).toMatchObject({
    status: 'ended',
    endReason: 'completed',
    truncated: false,
    source: 'api',
    answer: 'Answered by key.',
    rounds: 2,
    calls: [{ name: 'slow_read', outcome: { type: 'ok' } }],
  })
})

function isDelta(type: string): boolean {
  return type.endsWith('-delta')
}

test('cancel ends a run, and says so when it had ended already', async ({ as }) => {
  const client = await as(readSite().keys.admin)
  const runId = await startRun(client, `${newMark()} [[call slow_read {"ms":60000}]]`)
  const cancelled = await client.post(`/api/v1/runs/${runId}/cancel`, { data: { reason: 'Test' } })
  expect([200, 202]).toContain(cancelled.status())
  await expect
    .poll(async () => (await (await client.get(`/api/v1/runs/${runId}`)).json()).endReason)
    .toBe('cancelled')
  const late = await client.post(`/api/v1/runs/${runId}/cancel`)
  expect(late.status()).toBe(200)
  expect(await late.json()).toEqual({ status: 'ended' })
})

test('tools are listed, switched with a reason and set back, and the page agrees', async ({
  as,
  page,
}) => {
  const client = await as(readSite().keys.admin)
  const put = (data: unknown) => client.put(`/api/v1/tools/${tool}`, { data })
  await expectProblem(await put({ enabled: true }), 422, 'invalid-input')
  await expectProblem(await put({ enabled: 'yes' }), 422, 'invalid-input')
  await expectProblem(await put({ enabled: true, why: 'x' }), 422, 'invalid-input')
  const switched = await put({ enabled: true, reason: 'Asked by a test' })
  expect(await switched.json()).toMatchObject({
    enabled: true,
    source: 'override',
    override: { reason: 'Asked by a test', changedByLabel: 'admin@example.org' },
  })
  await page.goto(`/tools?search=${tool}`)
  await expect(page.getByRole('switch', { name: tool })).toBeChecked()
  await expect(page.getByRole('main')).toContainText('Asked by a test')

  const reset = await client.delete(`/api/v1/tools/${tool}`)
  expect(await reset.json()).toMatchObject({ enabled: false, source: 'default', override: null })
  const { tools } = await (await client.get('/api/v1/tools')).json()
  const found = tools.find((each: { name: string }) => each.name === tool)
  expect(found).toMatchObject({ enabled: false, requiresAdmin: true, effect: 'read' })
  await expectProblem(
    await client.put('/api/v1/tools/constructor', { data: { enabled: true, reason: 'x' } }),
    404,
    'not-found',
  )
})

test('keys and cookies: what is missing, too little, another site or a stranger is refused', async ({
  as,
  page,
}) => {
  const { keys } = readSite()
  const nobody = await as(null)
  const answer = await nobody.get('/api/v1/runs')
  await expectProblem(answer, 401, 'unauthenticated')
  expect(answer.headers()['www-authenticate']).toBe('Bearer')
  await expectProblem(await (await as('tg_wrong')).get('/api/v1/runs'), 401, 'unauthenticated')

  const reader = await as(keys.readOnly)
  expect((await reader.get('/api/v1/runs')).status()).toBe(200)
  await expectProblem(await reader.post('/api/v1/runs', newRun('x')), 403, 'forbidden')
  await expectProblem(await reader.get('/api/v1/tools'), 403, 'forbidden')

  const member = await as(keys.member)
  await expectProblem(await member.get('/api/v1/tools'), 403, 'forbidden')
  const adminRun = await startRun(await as(keys.admin), `${newMark()} [[say: Not yours.]]`)
  for (const path of ['', '/events']) {
    const refused = await member.get(`/api/v1/runs/${adminRun}${path}`)
    await expectProblem(refused, 404, 'not-found')
  }

  const headers = { origin: 'https://evil.example' }
  const foreign = await page.request.post('/api/v1/runs', { ...newRun('x'), headers })
  await expectProblem(foreign, 403, 'forbidden')
})

test('what makes no sense is answered with the status that says why', async ({ as, baseURL }) => {
  const { keys } = readSite()
  const client = await as(keys.admin)
  const json = { 'content-type': 'application/json' }
  const post = (data: string, headers = json) => client.post('/api/v1/runs', { data, headers })
  await expectProblem(await client.get('/api/v1/nothing'), 404, 'not-found')
  await expectProblem(await client.get('/api/v1/runs/not-an-id'), 404, 'not-found')
  await expectProblem(await client.get(`/api/v1/runs/${crypto.randomUUID()}`), 404, 'not-found')

  const wrongMethod = await client.patch('/api/v1/runs', { data: {} })
  await expectProblem(wrongMethod, 405, 'method-not-allowed')
  expect(wrongMethod.headers().allow).toBe('GET, POST, HEAD, OPTIONS')
  expect((await post('{"half":')).status()).toBeGreaterThanOrEqual(400)
  const misspelt = await client.post('/api/v1/runs', {
    data: { ...newRun('x').data, maxRound: 3 },
  })
  await expectProblem(misspelt, 422, 'invalid-input')
  const empty = await client.post('/api/v1/runs', newRun(''))
  await expectProblem(empty, 422, 'invalid-input')
  expect((await empty.json()).errors).toHaveProperty('prompt')
  const huge = await post(JSON.stringify(newRun('x'.repeat(1_100_000)).data))
  expect(huge.status()).toBe(413)
  const unknown = { ...newRun('x').data, configuration: 'nobody-has-this' }
  await expectProblem(await client.post('/api/v1/runs', { data: unknown }), 404, 'not-found')

  const cursor = await fetch(`${baseURL}/api/v1/runs/${crypto.randomUUID()}/events?after=x`, {
    headers: { authorization: `Bearer ${keys.admin}` },
  })
  expect([404, 422]).toContain(cursor.status)
  await cursor.body?.cancel()
})
