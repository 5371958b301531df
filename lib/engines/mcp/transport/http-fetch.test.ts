import type { ServerResponse } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { connect } from '@/lib/engines/mcp/connection'
import { startMcpServer } from '@/tests/support/mcp/http-server'
import { textTool } from '@/tests/support/mcp/script'

const close: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const each of close.splice(0).reverse()) await each()
})

async function started(options: Parameters<typeof startMcpServer>[0]) {
  const server = await startMcpServer(options)
  close.push(server.close)
  return server
}

async function opened(url: string, { type = 'http' }: { type?: 'http' | 'sse' } = {}) {
  const address = { type, url, headers: {}, privateAddressAllowed: true }
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

const nulls = {
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities: { tools: { listChanged: null }, logging: null, experimental: null },
    serverInfo: { name: 'nulls', version: '1', title: null, icons: null, websiteUrl: null },
    instructions: null,
    _meta: null,
  },
  'tools/list': { tools: [textTool('a')], nextCursor: null, _meta: null, ttlMs: null },
  'tools/call': {
    content: [{ type: 'text', text: '{"a":null}', annotations: null, _meta: null }],
    structuredContent: { a: null },
    isError: null,
    _meta: null,
  },
}
const sentNulls = (method: string) => new Map<string, unknown>(Object.entries(nulls)).get(method)

/** Starts a server of the older form that answers on its one stream. */
async function startedOlder(
  answerTo: (method: string, id: unknown) => unknown,
  isLost: () => boolean = () => false,
) {
  let stream: ServerResponse | undefined
  return started({
    before: ({ method }, response) => {
      if (method === 'POST' && isLost()) {
        response.writeHead(404).end('No such session')
        return true
      }
      if (method !== 'GET') return false
      stream = response.writeHead(200, { 'content-type': 'text/event-stream' })
      stream.write('event: endpoint\ndata: /mcp\n\n')
      return true
    },
    answer: ({ method, id }, response) => {
      response.writeHead(202).end()
      stream?.write(`data: ${JSON.stringify(answerTo(method, id))}\n\n`)
    },
  })
}

test.each(['json', 'events', 'sse'] as const)(
  'null for what the protocol leaves open is absent on every wire (%s)',
  async (wire) => {
    const whole = (method: string, id: unknown) => {
      const result = sentNulls(method)
      const error = { code: -32601, message: 'No', data: null }
      return { jsonrpc: '2.0', id, ...(result ? { result, error: null } : { error, result: null }) }
    }
    const server =
      wire === 'sse'
        ? await startedOlder(whole)
        : await started({
            answer: ({ method, id }, response) => {
              const text = JSON.stringify(whole(method, id))
              const type = wire === 'json' ? 'application/json' : 'text/event-stream'
              response.writeHead(200, { 'content-type': type })
              response.end(wire === 'json' ? text : `event: message\ndata: ${text}\n\n`)
            },
          })
    const connection = await opened(server.url, { type: wire === 'sse' ? 'sse' : 'http' })
    expect(connection.facts.name).toBe('nulls')
    expect(await connection.listTools()).toMatchObject({ tools: [textTool('a')], incomplete: null })
    expect(await connection.callTool(callOf('a'))).toEqual({
      content: [{ type: 'text', text: '{"a":null}' }],
      structuredContent: { a: null },
    })
  },
)

test('null of a definition of the newest era is absent', async () => {
  const tool = { ...textTool('a'), title: null, annotations: { readOnlyHint: null }, _meta: null }
  const server = await started({
    answer: ({ method }) => {
      const common = { resultType: 'complete', ttlMs: 0, cacheScope: 'private', _meta: null }
      if (method === 'server/discover') {
        const capabilities = { tools: { listChanged: null }, prompts: null }
        return { ...common, supportedVersions: ['2026-07-28'], capabilities, instructions: null }
      }
      return method === 'tools/list' ? { ...common, tools: [tool], nextCursor: null } : undefined
    },
  })
  const connection = await opened(server.url)
  expect(connection.era.type).toBe('modern')
  expect((await connection.listTools()).tools).toEqual([{ ...textTool('a'), annotations: {} }])
})

test.each([
  ['is no JSON', 'application/json', '{"jsonrpc":"2.0","id":ID,"result":{"a":NaN}}', 'not-mcp'],
  ['is no JSON', 'text/event-stream', '{"jsonrpc":"2.0","id":ID,"result":{"a":NaN}}', 'not-mcp'],
  ['is no message', 'text/event-stream', '{"id":ID,"result":{"content":[]}}', 'not-mcp'],
  ['is of another request', 'application/json', '{"jsonrpc":"2.0","id":99,"result":{}}', 'ended'],
  ['is of another request', 'text/event-stream', '{"jsonrpc":"2.0","id":99,"result":{}}', 'ended'],
  [
    'is no result of a tool',
    'application/json',
    '{"jsonrpc":"2.0","id":ID,"result":{"content":5}}',
    'not-mcp',
  ],
])('an answer that %s (%s) ends its call at once', async (_name, type, raw, code) => {
  const server = await started({
    answer: ({ method, id }, response) => {
      if (method !== 'tools/call') return undefined
      const text = raw.replace('ID', String(id))
      response.writeHead(200, { 'content-type': type })
      response.end(type === 'application/json' ? text : `: hi\n\ndata: ping\n\ndata: ${text}\n\n`)
    },
  })
  const connection = await opened(server.url)
  await expect(connection.callTool(callOf('a'))).rejects.toMatchObject({ code })
})

test('an answer that is no message ends its call at once on the older wire', async () => {
  const server = await startedOlder((method, id) => {
    const result = sentNulls(method) ?? {}
    return method === 'tools/call' ? { id, result } : { jsonrpc: '2.0', id, result }
  })
  const connection = await opened(server.url, { type: 'sse' })
  await expect(connection.callTool(callOf('a'))).rejects.toMatchObject({ code: 'not-mcp' })
})

test('an answer that does not say to what, alone in its body, is the answer', async () => {
  const server = await started({
    answer: ({ method }, response) => {
      if (method !== 'tools/call') return undefined
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end('{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"No JSON"}}')
    },
  })
  const connection = await opened(server.url)
  await expect(connection.callTool(callOf('a'))).rejects.toMatchObject({ code: 'refused' })
})

test('a session that a server of the older form does not know any more is said, and that the call did not run', async () => {
  let isLost = false
  const answers = (method: string, id: unknown) => {
    const error = { code: -32601, message: 'No' }
    const result = sentNulls(method)
    return { jsonrpc: '2.0', id, ...(result ? { result } : { error }) }
  }
  const server = await startedOlder(answers, () => isLost)
  const connection = await opened(server.url, { type: 'sse' })
  isLost = true
  await expect(connection.callTool(callOf('a'))).rejects.toMatchObject({
    code: 'session-ended',
    message: expect.stringContaining('(404), so the call did not run'),
  })
})

/** Starts a server that takes one token, and connects to it with what `tokens` gives for each request. */
async function ofAccount(tokens: () => string | null, headers: Record<string, string> = {}) {
  const state = { taken: 'token-one-of-kim-1', challenge: 'Bearer scope="notes:read"', status: 401 }
  const seen: (string | undefined)[] = []
  const server = await started({
    tools: [textTool('a')],
    before: ({ headers: { authorization } }, response) => {
      seen.push(authorization)
      response.setHeader('mcp-session-id', 'one')
      if (authorization === `Bearer ${state.taken}`) return false
      response.writeHead(state.status, { 'www-authenticate': state.challenge }).end()
      return true
    },
    answer: ({ method, headers: { authorization } }) =>
      method === 'tools/call'
        ? { content: [{ type: 'text', text: `${authorization}` }] }
        : undefined,
  })
  const token = async () => tokens()
  const { url } = server
  const address = { type: 'http' as const, url, headers, privateAddressAllowed: true, token }
  const connecting = connect(address, { era: { type: 'legacy' } })
  connecting.then((connection) => close.push(connection.close)).catch(() => undefined)
  return { connecting, seen, state }
}

const challenge = { resourceMetadataUrl: null, scope: 'notes:read', error: null }

test('a token is asked for each request, and taken out of what the server sends', async () => {
  let token = 'token-one-of-kim-1'
  const { connecting, seen, state } = await ofAccount(() => token)
  const connection = await connecting
  const before = await connection.callTool(callOf('a'))
  token = 'token-two-of-kim-2'
  state.taken = token
  const after = await connection.callTool(callOf('a'))
  for (const result of [before, after]) {
    expect(result).toMatchObject({ content: [{ text: 'Bearer [secret]' }] })
  }
  expect(seen.at(-1)).toBe('Bearer token-two-of-kim-2')
})

test.each([
  ['no token', null, 'asks for a sign-in'],
  ['another token', 'token-of-another-1', 'Sign in again'],
])('a server that gets %s says what it asks for', async (_what, token, words) => {
  const { connecting } = await ofAccount(() => token)
  await expect(connecting).rejects.toMatchObject({
    code: 'sign-in',
    message: expect.stringContaining(words),
    challenge,
  })
})

test('a token that ends in a session is asked for, and one with too few scopes too', async () => {
  const { connecting, state } = await ofAccount(() => 'token-one-of-kim-1')
  const connection = await connecting
  state.taken = 'another'
  await expect(connection.callTool(callOf('a'))).rejects.toMatchObject({
    code: 'sign-in',
    challenge,
  })
  state.challenge = ''
  await expect(connection.callTool(callOf('a'))).rejects.toMatchObject({ code: 'session-ended' })
  state.status = 403
  await expect(connection.callTool(callOf('a'))).rejects.toMatchObject({ code: 'refused' })
  state.challenge = 'Bearer error="insufficient_scope", scope="notes:write"'
  await expect(connection.callTool(callOf('a'))).rejects.toMatchObject({
    code: 'scope',
    challenge: { scope: 'notes:write', error: 'insufficient_scope' },
  })
})

test('the token of an account is sent instead of a header of the server', async () => {
  const headers = { Authorization: 'Bearer token-of-the-site' }
  const { connecting, seen } = await ofAccount(() => 'token-one-of-kim-1', headers)
  await connecting
  expect(new Set(seen)).toEqual(new Set(['Bearer token-one-of-kim-1']))
})
