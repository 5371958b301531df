import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { notePageFailure } from '@/lib/edge/guarded-request'
import { outageDigest, outageWords } from '@/lib/protocol/outage'
import { guardRequests } from './guard-requests'

let server: Server
let url: string

beforeAll(async () => {
  Object.assign(process.env, {
    DATABASE_URL: 'postgresql://nobody@127.0.0.1:9/none',
    NEXTAUTH_SECRET: randomBytes(32).toString('base64'),
    TOOLGATE_VAULT_KEY: randomBytes(32).toString('base64'),
    TOOLGATE_URL: 'https://toolgate.example.org',
  })
  guardRequests(readRouterState)
  server = createServer(async (request, response) => response.end(await text(request)))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

/** Reads the header as strictly as the framework does, as far as these tests go. */
function readRouterState(header: string | string[] | undefined): void {
  if (header === undefined) return
  const state: unknown = JSON.parse(decodeURIComponent(String(header)))
  if (!Array.isArray(state) || state.length < 2) throw new Error('This is no router state.')
}

afterAll(() => server.close())

const post = (path: string, body: string, headers = {}) =>
  fetch(`${url}${path}`, { method: 'POST', body, headers })

test('a request within the limits reaches the server whole', async () => {
  expect(await (await fetch(url)).text()).toBe('')
  const body = 'x'.repeat(16 * 1024)
  expect(await (await post('/api/auth/callback/credentials', body)).text()).toBe(body)
})

test('every answer keeps browsers to https where the address is https', async () => {
  for (const answer of [await fetch(url), await fetch(`${url}/%`)]) {
    expect(answer.headers.get('strict-transport-security')).toBe('max-age=31536000')
  }
})

test.each(['/api/v1/runs/%', '/runs/%E0%A4', '/%'])('refuses the address %s', async (path) => {
  const answer = await fetch(url + path)
  expect(answer.status).toBe(400)
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(answer.headers.get('content-type')).toBe('application/problem+json')
  expect(await answer.json()).toMatchObject({
    detail: expect.stringContaining('%'),
    instance: path,
  })
})

test.each(['{nonsense', '%7Bnonsense', '%5B%22%22%5D', 'x'.repeat(5_000)])(
  'refuses the router state %s, which the framework would write a stack trace about',
  async (state) => {
    const answer = await fetch(url, { headers: { 'next-router-state-tree': state } })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ detail: expect.stringContaining('cannot be read') })
  },
)

test('lets the router state of a browser through, and refuses actions that no page has', async () => {
  const state = encodeURIComponent(JSON.stringify(['', { children: ['sign-in', {}] }]))
  expect((await fetch(url, { headers: { 'next-router-state-tree': state } })).status).toBe(200)
  expect((await post('/sign-in', '[]', { 'next-action': 'a'.repeat(42) })).status).toBe(200)
  for (const action of ['x', `${'a'.repeat(42)}0`, '__proto__']) {
    const answer = await post('/sign-in', '[]', { 'next-action': action })
    expect([answer.status, await answer.json()]).toEqual([
      404,
      { code: 'unknown-action', message: 'There is no such action. Reload the page.' },
    ])
  }
})

const fields = (count: number, field = 'a') => Array.from({ length: count }, () => field).join('&')

const longestPlace = `${'9'.repeat(10)}.${'9'.repeat(10)}.${'9'.repeat(10)}`

/** Sends the address as it is, without a client that would write it in another way. */
async function statusOf(
  target: string,
  headers: Record<string, string> = {},
  input = server,
): Promise<string> {
  const { port } = input.address() as AddressInfo
  const sent = { host: 'localhost', connection: 'close', ...headers }
  const lines = Object.entries(sent).map(([name, value]) => `${name}: ${value}\r\n`)
  const socket = connect(port, '127.0.0.1')
  socket.write(`GET ${target} HTTP/1.1\r\n${lines.join('')}\r\n`)
  return (await text(socket)).split(' ')[1] ?? ''
}

test.each([
  ['more than 100 fields', `/sign-in?${fields(101)}`],
  ['as many fields as fit', `/api/health?${fields(7_400)}`],
  ['empty fields', `/icon.svg?${fields(101, '')}`],
  ['fields behind a second question mark', `/runs?a?${fields(101)}`],
  ['fields behind a number sign', `/runs#?${fields(101)}`],
  ['an address with scheme and host', `http://localhost/sign-in?${fields(101)}`],
  ['a path with two slashes', `//sign-in?${fields(101)}`],
  ['a query of more than 4 KiB', `/sign-in?a=${'x'.repeat(4_095)}`],
  ['a query of more than 4 KiB, encoded', `/sign-in?a=${'%26'.repeat(1_365)}`],
  [
    'a sign-in at a provider with more than 8 KiB',
    `/api/auth/callback/oidc?a=${'x'.repeat(8_191)}`,
  ],
  ['a sign-in at a provider with more than 100 fields', `/api/auth/callback/oidc?${fields(101)}`],
  ['a path of more than 100 parts', '/a'.repeat(101)],
  ['a path of more than 4 KiB', `/${'x'.repeat(4_096)}`],
])('refuses %s before anything else reads it', async (_what, target) => {
  expect(await statusOf(target)).toBe('414')
})

test('an address that is too long is refused in words', async () => {
  const answer = await fetch(`${url}/api/v1/runs?${fields(101)}`)
  expect(await answer.json()).toMatchObject({
    status: 414,
    title: 'Address too long',
    detail:
      'The query of the address may have at most 100 fields and 4 KiB. Shorten it, or leave out what is not needed.',
  })
})

test.each([
  ['100 fields', `/runs?${fields(100)}`],
  ['4 KiB', `/runs?a=${'x'.repeat(4_094)}`],
  ['a long code of a provider', `/api/auth/callback/oidc?code=${'x'.repeat(8_000)}&state=y`],
  [
    'a long code, at the same path in other letters',
    `/api//%61uth/callback/oidc?a=${'x'.repeat(8_000)}`,
  ],
  [
    'as many runs as one stream has',
    `/api/events?${fields(100, `run=${crypto.randomUUID()}:${longestPlace}`)}`,
  ],
])('lets %s through', async (_what, target) => {
  expect(await statusOf(target)).toBe('200')
})

test('a request for another protocol is guarded like all others, also when it is the first one', async () => {
  const fresh = createServer((_request, response) => response.end())
  fresh.on('upgrade', (_request, socket) => socket.end('HTTP/1.1 101 Unguarded\r\n\r\n'))
  fresh.listen(0, '127.0.0.1')
  await once(fresh, 'listening')
  const upgrade = { connection: 'upgrade', upgrade: 'websocket' }
  expect(await statusOf(`/sign-in?${fields(101)}`, upgrade, fresh)).toBe('414')
  expect(await statusOf('/sign-in', { ...upgrade, connection: 'upgrade, close' }, fresh)).toBe(
    '200',
  )
  fresh.close()
})

test('refuses more cookies than a browser keeps, and router states deeper than any page', async () => {
  const cookies = (count: number) => Array.from({ length: count }, (_, at) => `c${at}=1`).join('; ')
  expect(await statusOf('/runs', { cookie: cookies(200) })).toBe('200')
  expect(await statusOf('/runs', { cookie: cookies(201) })).toBe('431')
  const state = (depth: number) => `${'["",{"a":'.repeat(depth)}["",{}]${'}]'.repeat(depth)}`
  expect(await statusOf('/runs', { 'next-router-state-tree': state(99) })).toBe('200')
  expect(await statusOf('/runs', { 'next-router-state-tree': state(100) })).toBe('400')
})

test('an encoded path has the limit of the path it means', async () => {
  const body = 'x'.repeat(20_000)
  for (const path of ['/%61pi/auth/x', '//api///auth/x', '/s%69gn-in']) {
    expect((await post(path, body)).status, path).toBe(413)
  }
})

test('an action that is too long is refused in the form its sender reads', async () => {
  const answer = await post('/setup', 'x'.repeat(20_000), { 'next-action': '1' })
  expect(answer.status).toBe(413)
  expect(answer.headers.get('content-type')).toBe('text/plain')
  expect(await answer.json()).toEqual({
    code: 'too-large',
    message: 'This is larger than 16 KiB, the maximum here.',
  })
})

test('a stranger, or a made-up session, may not send what a person may', async () => {
  const body = 'x'.repeat(20_000)
  for (const headers of [{}, { cookie: '__Host-next-auth.session-token=made-up' }]) {
    const answer = await post('/api/v1/runs', body, headers)
    expect(answer.status).toBe(401)
    expect(await answer.text()).toContain('Sign in, or send a valid API key')
  }
})

/** Answers as the framework does: it tells its hook of the error, and then answers 500. */
async function answerAfter(
  error: Error,
): Promise<{ status: number; headers: Headers; text: string }> {
  const failing = createServer(async (_request, response) => {
    await Promise.resolve()
    notePageFailure(error)
    response.statusCode = 500
    const page =
      '<!DOCTYPE html><html id="__next_error__"><body class="x"><script></script></body></html>'
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.setHeader('content-length', page.length)
    response.end(page)
  })
  failing.listen(0, '127.0.0.1')
  await once(failing, 'listening')
  const { port } = failing.address() as AddressInfo
  const answer = await fetch(`http://127.0.0.1:${port}/runs`, {
    headers: { connection: 'close' },
  })
  failing.close()
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

test.each([
  ['away', 503, '5'],
  ['crowded', 503, '5'],
  ['stopped', 503, '5'],
  ['full', 507, '60'],
] as const)(
  'a page that fails because the database is %s answers %d, in words',
  async (outage, status, seconds) => {
    const digest = outageDigest(outage)
    const answer = await answerAfter(Object.assign(new Error('no'), { digest }))
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([status, seconds])
    const { title, text } = outageWords[outage]
    expect(answer.text).toContain(
      `<body class="x"><noscript><h1>${title}</h1><p>${text}</p></noscript>`,
    )
    expect(answer.text).toMatch(/<\/html>$/)
  },
)

test('a page that fails for another reason answers 500', async () => {
  const { status, headers, text } = await answerAfter(
    Object.assign(new Error('no'), { digest: '123' }),
  )
  expect([status, headers.get('retry-after')]).toEqual([500, null])
  expect(text).not.toContain('noscript')
})
