import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { connect } from '@/lib/engines/mcp/connection'
import { formatCount } from '@/lib/words/format'
import { startMcpServer } from '@/tests/support/mcp/http-server'
import { textTool } from '@/tests/support/mcp/script'
import type { HttpAddress } from './http-fetch'
import { mebibyte } from './server-address'

const close: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const each of close.splice(0).reverse()) await each()
})

const headers = { Authorization: 'Bearer the-token-of-the-server' }

async function started(options: Parameters<typeof startMcpServer>[0]) {
  const server = await startMcpServer(options)
  close.push(server.close)
  return server
}

async function opened(
  url: string,
  { type = 'http', privateAddressAllowed = true }: Partial<HttpAddress> = {},
) {
  const address = { type, url, headers, privateAddressAllowed }
  const connection = await connect(address, { era: null })
  close.push(connection.close)
  return connection
}

const callOf = (name: string) => ({
  name,
  inputSchema: {},
  args: { text: 'a' },
  timeoutMs: 20_000,
  signal: new AbortController().signal,
})

/** Writes a text so many times, as fast as it is read, and then what comes last. */
function flood(
  response: ServerResponse,
  text: string,
  times = Number.POSITIVE_INFINITY,
  last = '',
) {
  let left = times
  const more = () => {
    while (left > 0 && !response.destroyed) {
      left--
      if (!response.write(text)) return response.once('drain', more)
    }
    if (!response.destroyed) response.end(last)
  }
  more()
}

test('connects over HTTP with the headers of the server, pages through its tools and calls one', async () => {
  const pages = [textTool('a'), textTool('b'), textTool('c')]
  const server = await started({
    answer: ({ method, params }) => {
      if (method !== 'tools/list') return undefined
      const at = Number(params?.cursor ?? 0)
      return { tools: [pages[at]], ...(at < 2 && { nextCursor: String(at + 1) }) }
    },
  })
  const connection = await opened(server.url)
  expect(connection.facts).toMatchObject({ name: 'over-http', protocol: '2025-11-25' })
  expect((await connection.listTools()).tools).toEqual(pages)
  const { content } = await connection.callTool(callOf('a'))
  expect(content).toEqual([{ type: 'text', text: '{"name":"a","arguments":{"text":"a"}}' }])
  expect(
    server.requests.every(({ headers: got }) => got.authorization === headers.Authorization),
  ).toBe(true)
})

test('a server of the new era needs no handshake, and none when it is known', async () => {
  const server = await started({
    answer: ({ method }) => {
      const common = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' }
      if (method === 'server/discover') {
        const capabilities = { tools: {} }
        return { ...common, supportedVersions: ['2026-07-28'], capabilities }
      }
      if (method === 'tools/list') return { ...common, tools: [textTool('a')] }
      return undefined
    },
  })
  const first = await opened(server.url)
  expect(first.era).toMatchObject({ type: 'modern' })
  expect(first.facts.protocol).toBe('2026-07-28')
  expect(await first.listTools()).toMatchObject({ tools: [{}], freshMs: 10_000 })
  const before = server.requests.length
  const address = { type: 'http' as const, url: server.url, headers, privateAddressAllowed: true }
  const again = await connect(address, { era: first.era })
  close.push(again.close)
  await again.listTools()
  expect(server.requests.slice(before).map(({ method }) => method)).toEqual(['tools/list'])
})

test.each([
  [401, 'sign-in', 'asks for a sign-in (OAuth). Connect an account'],
  [403, 'refused', 'refused the request (403)'],
  [404, 'not-mcp', 'answered 404. Check its address'],
  [500, 'not-mcp', 'answered 500'],
])('an answer of %d is said in words', async (status, code, words) => {
  const server = await started({
    before: (_request, response) => {
      response.writeHead(status, { 'www-authenticate': 'Bearer' }).end('the-token-of-the-server')
      return true
    },
  })
  for (const type of ['http', 'sse'] as const) {
    await expect(opened(server.url, { type })).rejects.toMatchObject({
      code,
      message: expect.stringContaining(words),
    })
  }
})

test.each([
  [400, -32602, 'refused', 'date must be YYYY-MM-DD\n{"field":"date"}'],
  [422, 7, 'refused', 'date must be YYYY-MM-DD\n{"field":"date"}'],
  [500, -32000, 'refused', 'date must be YYYY-MM-DD\n{"field":"date"}'],
  [401, -32000, 'sign-in', ''],
])(
  'the error of the protocol in an answer of %d (%d) says why',
  async (status, code, as, answer) => {
    const server = await started({
      answer: ({ method, id }, response) => {
        if (method !== 'tools/call') return undefined
        response.writeHead(status, { 'content-type': 'application/json' })
        const error = { code, message: 'date must be YYYY-MM-DD', data: { field: 'date' } }
        response.end(JSON.stringify({ jsonrpc: '2.0', id, error }))
      },
    })
    const connection = await opened(server.url)
    await expect(connection.callTool(callOf('a'))).rejects.toMatchObject({ code: as, answer })
  },
)

test.each([
  ['{"jsonrpc":"2.0","id":1,"result":{"content":[]}}', 'application/json'],
  ['<html>', 'application/json'],
  ['{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"No"}}', 'text/html'],
])(
  'of an answer of 500 that is no error of the protocol nothing is told: %s',
  async (body, type) => {
    const server = await started({
      answer: ({ method }, response) => {
        if (method !== 'tools/call') return undefined
        response.writeHead(500, { 'content-type': type }).end(body)
      },
    })
    const connection = await opened(server.url)
    await expect(connection.callTool(callOf('a'))).rejects.toMatchObject({
      code: 'not-mcp',
      answer: '',
      message: expect.stringContaining('answered 500'),
    })
  },
)

test.each(['http', 'sse'] as const)(
  'an address where nothing answers (%s) is said in words',
  async (type) => {
    const server = await startMcpServer({})
    await server.close()
    await expect(opened(server.url, { type })).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining('Nothing answers at this address.'),
    })
  },
)

test('an address that nobody allowed is refused, also after a redirect', async () => {
  const inside = await started({ tools: [textTool('secret')] })
  for (const type of ['http', 'sse'] as const) {
    const input = opened(inside.url, { type, privateAddressAllowed: false })
    await expect(input).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringContaining('on this machine'),
    })
  }
  expect(inside.requests).toEqual([])
  const outside = await started({
    before: (_request, response) => {
      response.writeHead(307, { location: inside.url }).end()
      return true
    },
  })
  await expect(opened(outside.url)).rejects.toMatchObject({ name: 'ServerError' })
  expect(inside.requests).toEqual([])
})

test('a list with too many tools is not read', async () => {
  const page = { tools: Array.from({ length: 1_001 }, () => textTool('a')) }
  const server = await started({
    answer: ({ method }) => (method === 'tools/list' ? page : undefined),
  })
  const connection = await opened(server.url)
  await expect(connection.listTools()).rejects.toMatchObject({
    code: 'too-much',
    message: expect.stringContaining(`${formatCount(1_000)} tools`),
  })
})

test.each([
  ['the same page again and again', 'again', 'same page of its tools'],
  ['a cursor that is no text', 5, 'something else than a text'],
  ['a cursor without end', 'x'.repeat(5_000), 'something else than a text'],
])('a list with %s is read as far as it goes, and says so', async (_name, nextCursor, words) => {
  const server = await started({
    answer: ({ method }) =>
      method === 'tools/list' ? { tools: [textTool('a')], nextCursor } : undefined,
  })
  const { tools, incomplete } = await (await opened(server.url)).listTools()
  expect(tools[0]).toEqual(textTool('a'))
  expect(incomplete).toContain(words)
})

test.each([
  ['application/json', ''],
  ['text/event-stream', 'data: '],
])('an answer without end as %s is cut off', async (type, start) => {
  const server = await started({
    answer: ({ method }, response) => {
      if (method !== 'tools/call') return undefined
      response.writeHead(200, { 'content-type': type })
      response.write(start)
      flood(response, 'x'.repeat(64 * 1024))
      return 'written'
    },
  })
  const connection = await opened(server.url)
  await expect(connection.callTool(callOf('a'))).rejects.toMatchObject({
    code: 'too-much',
    message: expect.stringContaining('more than 10 MiB'),
  })
})

test.each([
  ['breaks the connection off', (response: ServerResponse) => response.destroy()],
  [
    'sends less than it says',
    (response: ServerResponse) => {
      response.writeHead(200, {
        'content-type': 'application/json',
        'content-length': '1000000000',
      })
      response.write('{"jsonrpc"', () => response.destroy())
    },
  ],
])('a server that %s in a call ended it', async (_name, breakOff) => {
  const server = await started({
    answer: ({ method }, response) => {
      if (method !== 'tools/call') return undefined
      breakOff(response)
      return 'written'
    },
  })
  const connection = await opened(server.url)
  await expect(connection.callTool(callOf('a'))).rejects.toMatchObject({ code: 'ended' })
})

const event = JSON.stringify({
  jsonrpc: '2.0',
  method: 'x',
  params: { text: 'x'.repeat(mebibyte) },
})

test.each([
  ['that say nothing, without end', Number.POSITIVE_INFINITY, `: ${'x'.repeat(mebibyte)}\n\n`],
  ['that nobody asked for', 10, `data: ${event}\n\n`],
])('a stream of events %s is cut off', async (_name, times, text) => {
  const server = await started({
    answer: ({ method, id }, response) => {
      if (method !== 'tools/call') return undefined
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const answer = JSON.stringify({ jsonrpc: '2.0', id, result: { content: [] } })
      flood(response, text, times, `data: ${answer}\n\n`)
      return 'written'
    },
  })
  const connection = await opened(server.url)
  await expect(connection.callTool(callOf('a'))).rejects.toMatchObject({
    code: 'too-much',
    message: expect.stringContaining('more than it may'),
  })
})

test.each(['http', 'sse'] as const)(
  'a server (%s) that ends its stream at once, and wants to be asked again at once, waits',
  async (type) => {
    const streams: string[] = []
    const server = await started({
      before: (request, response) => {
        if (request.method !== 'GET') return false
        streams.push(request.url ?? '')
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        const endpoint = type === 'sse' ? 'event: endpoint\ndata: /mcp\n\n' : ''
        response.end(`retry: 0\nid: ${streams.length}\n\n${endpoint}`)
        return true
      },
    })
    const stop = new AbortController()
    const address = { type, url: server.url, headers, privateAddressAllowed: true }
    const opening = connect(address, { era: { type: 'legacy' }, signal: stop.signal }).then(
      (connection) => void close.push(connection.close),
      () => undefined,
    )
    await expect.poll(() => streams.length).toBeGreaterThan(1)
    const before = streams.length
    await sleep(500)
    expect(streams.length - before).toBeLessThanOrEqual(1)
    stop.abort()
    await opening
  },
)

test('a request of the server to the client is refused with a sentence', async () => {
  const server = await started({
    answer: ({ method }) => {
      const common = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' }
      if (method === 'server/discover') {
        return { ...common, supportedVersions: ['2026-07-28'], capabilities: { tools: {} } }
      }
      if (method !== 'tools/call') return undefined
      const requested = { method: 'elicitation/create', params: { mode: 'form', message: 'Who?' } }
      return { resultType: 'input_required', inputRequests: { who: requested } }
    },
  })
  const connection = await opened(server.url)
  await expect(connection.callTool(callOf('a'))).rejects.toMatchObject({ code: 'asks-back' })
})
