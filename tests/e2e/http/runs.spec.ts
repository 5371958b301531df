import { expect, test } from 'playwright/test'
import { eventsIn } from '@/lib/protocol/run/run-delta'
import { readSse } from '@/tests/support/read-sse'
import { newMark } from '../support/model-requests'
import { readSite, stateFile } from '../support/site'

const newRun = (prompt: string) => ({
  data: { configuration: 'local-openai-compatible', prompt, tools: null, maxRounds: null },
})

/** Returns a client with this API key, without cookies. */
function clientOf(key: string) {
  return {
    storageState: { cookies: [], origins: [] },
    extraHTTPHeaders: { authorization: `Bearer ${key}` },
  }
}

test('a run by key: started once per idempotency key, followed, resumed, read', async ({
  playwright,
  baseURL,
}) => {
  const { adminKey } = readSite()
  const client = await playwright.request.newContext({ baseURL, ...clientOf(adminKey) })
  const headers = { 'idempotency-key': newMark() }
  const input = newRun(
    `${newMark()} [[call slow_read {"ms":10,"label":"by key"}]] [[then]] [[say: Answered by key.]]`,
  )
  const first = await client.post('/api/v1/runs', { ...input, headers })
  expect(first.status()).toBe(202)
  const { runId } = await first.json()
  expect(first.headers().location).toBe(`/api/v1/runs/${runId}`)
  const again = await client.post('/api/v1/runs', { ...input, headers })
  expect(again.status()).toBe(200)
  expect(await again.json()).toEqual({ runId })

  const address = `${baseURL}/api/v1/runs/${runId}/events`
  const authorization = `Bearer ${adminKey}`
  const stream = await fetch(address, { headers: { authorization } })
  expect(stream.headers.get('content-type')).toContain('text/event-stream')
  const events = await readSse(stream)
  expect(events.at(0)?.type).toBe('run-start')
  expect(events.at(-1)?.type).toBe('run-end')
  const journal = eventsIn(events)
  const middle = journal.find((event) => event.type === 'call-start')?.seq ?? 0
  const resumed = await readSse(
    await fetch(`${address}?after=1`, {
      headers: { authorization, 'last-event-id': String(middle) },
    }),
  )
  expect(resumed).toEqual(journal.filter((event) => event.seq > middle))
  expect(await (await client.get(`/api/v1/runs/${runId}`)).json()).toMatchObject({
    status: 'ended',
    endReason: 'completed',
    source: 'api',
    answer: 'Answered by key.',
    calls: [{ name: 'slow_read', outcome: { type: 'ok' } }],
  })
  await client.dispose()
})

test('what is downloaded of a run cannot act as a page, and is not there for others', async ({
  request,
  playwright,
  baseURL,
}) => {
  const headers = { origin: String(baseURL) }
  const prompt = `${newMark()} [[call big_result {"kilobytes":100}]] [[then]] [[say: Done.]]`
  const { runId } = await (
    await request.post('/api/v1/runs', { ...newRun(prompt), headers })
  ).json()
  const read = async () => (await request.get(`/api/v1/runs/${runId}`)).json()
  await expect.poll(async () => (await read()).status).toBe('ended')
  const [{ callId }] = (await read()).calls
  const storageState = stateFile('member')
  const member = await playwright.request.newContext({ baseURL, storageState })
  for (const [part, type] of [
    ['export', 'application/x-ndjson'],
    [`calls/${callId}/result`, 'text/plain'],
  ]) {
    const answer = await request.get(`/api/runs/${runId}/${part}`)
    expect(answer.headers()['content-type']).toContain(type)
    expect(answer.headers()['content-disposition']).toContain('attachment')
    expect(answer.headers()['x-content-type-options']).toBe('nosniff')
    expect((await member.get(`/api/runs/${runId}/${part}`)).status(), part).toBe(404)
  }
  const page = `/api/runs/${runId}/calls/${callId}/preview`
  const { 'content-security-policy': policy, 'x-frame-options': frames } = (
    await request.get(page)
  ).headers()
  expect(policy).toMatch(/^sandbox; default-src 'none';.* frame-ancestors 'self'$/)
  expect(frames).toBe('SAMEORIGIN')
  expect((await member.get(page)).status()).toBe(404)
  expect((await member.get(`/api/runs/${runId}/events`)).status()).toBe(404)
  expect((await member.get(`/runs/${runId}`)).status()).toBe(404)
  await member.dispose()
})

test('a run that nobody has is a page that says so', async ({ request }) => {
  for (const id of ['01890000-0000-7000-8000-000000000000', '..%2f..%2fetc', 'x'.repeat(3000)]) {
    expect((await request.get(`/runs/${id}`)).status()).toBe(404)
  }
})
