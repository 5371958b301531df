import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { ProviderFailure } from '@/lib/protocol/failure'
import type { ModelEvent, ModelRequest } from '@/lib/protocol/model-event'
import { startModelServer } from '@/tests/support/model-server/start-model-server'
import { openProvider } from './open-provider'
import type { ProviderTimeouts } from './provider'

const wires = ['openai', 'openai-compatible', 'anthropic', 'ollama'] as const
type Wire = (typeof wires)[number]

const key = 'sk-secret-key-0123456789'

const request: ModelRequest = {
  modelId: 'm',
  system: '',
  messages: [{ role: 'user', text: 'Hello' }],
  tools: [],
  parameters: {
    temperature: null,
    topP: null,
    maxOutputTokens: null,
    stop: [],
    seed: null,
    reasoningEffort: null,
  },
}

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

async function serve(listener: RequestListener): Promise<string> {
  const server: Server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

type Asked = { events: ModelEvent[]; failure: ProviderFailure | null; log: unknown[] }

async function ask(
  wire: Wire,
  baseUrl: string,
  change: {
    signal?: AbortSignal
    timeouts?: Partial<ProviderTimeouts>
    onEvent?: (event: ModelEvent) => void
    apiKey?: string | null
  } = {},
): Promise<Asked> {
  const log: unknown[] = []
  let made = 0
  const provider = openProvider(wire, {
    baseUrl,
    apiKey: change.apiKey === undefined ? key : change.apiKey,
    organisation: null,
    onIncident: (incidentId, detail) => log.push({ incidentId, detail }),
    newId: () => `incident-${++made}`,
    ...(change.timeouts ? { timeouts: change.timeouts } : {}),
  })
  const events: ModelEvent[] = []
  for await (const event of provider.stream(
    request,
    change.signal ?? new AbortController().signal,
  )) {
    events.push(event)
    change.onEvent?.(event)
  }
  const last = events.at(-1)
  expect(events.filter((event) => event.type === 'finish' || event.type === 'error')).toEqual([
    last,
  ])
  const failure = last?.type === 'error' ? last.failure : null
  if (failure) ProviderFailure.parse(failure)
  return { events, failure, log }
}

const answered =
  (status: number, body: unknown, headers: Record<string, string> = {}): RequestListener =>
  (message, response) => {
    message.resume()
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }

const error = (message: string, more = {}) => ({ error: { message, ...more } })

describe.each(wires)('%s', (wire) => {
  it.each([
    [401, error(`Incorrect API key provided: ${key}`), 'auth'],
    [402, error('Payment required'), 'forbidden'],
    [403, error('Country not supported'), 'forbidden'],
    [404, error('The model does not exist', { code: 'model_not_found' }), 'not-found'],
    [400, error('Unsupported parameter: temperature'), 'bad-request'],
    [
      400,
      error("This model's maximum context length is 8192 tokens", {
        code: 'context_length_exceeded',
      }),
      'context-length',
    ],
    [413, '<html>Request Entity Too Large</html>', 'context-length'],
    [429, error('Rate limit reached'), 'rate-limited'],
    [429, error('You exceeded your current quota', { code: 'insufficient_quota' }), 'forbidden'],
    [500, error('Internal error'), 'server'],
    [502, '<html>Bad gateway</html>', 'server'],
    [503, 'no', 'overloaded'],
    [
      529,
      { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
      'overloaded',
    ],
  ])('tells what HTTP %i %j means', async (status, body, category) => {
    const { failure, log } = await ask(wire, await serve(answered(status, body)))
    expect(failure).toMatchObject({
      category,
      status,
      incidentId: 'incident-1',
      retryAfterMs: null,
    })
    expect(failure?.advice).toMatch(/^[A-Z].*\.$/)
    expect(JSON.stringify(failure)).not.toContain(key)
    expect(failure?.advice).not.toContain('Incorrect')
    expect(log).toHaveLength(1)
    expect(JSON.stringify(log)).not.toContain(key)
    expect(JSON.stringify(log)).toContain('incident-1')
  })

  it('reads Retry-After in seconds and as a date', async () => {
    const inSeconds = await ask(wire, await serve(answered(429, {}, { 'retry-after': '7' })))
    expect(inSeconds.failure?.retryAfterMs).toBe(7_000)
    const date = new Date(Date.now() + 30_000).toUTCString()
    const asDate = await ask(wire, await serve(answered(429, {}, { 'retry-after': date })))
    expect(asDate.failure?.retryAfterMs).toBeGreaterThan(25_000)
    expect(asDate.failure?.retryAfterMs).toBeLessThanOrEqual(30_000)
    const nonsense = await ask(wire, await serve(answered(429, {}, { 'retry-after': 'soon' })))
    expect(nonsense.failure?.retryAfterMs).toBeNull()
  })

  it('asks once: the runtime retries', async () => {
    let asked = 0
    const url = await serve((message, response) => {
      asked += 1
      answered(500, {})(message, response)
    })
    await ask(wire, url)
    expect(asked).toBe(1)
  })

  it('says that nothing answers', async () => {
    const url = await serve(() => {})
    await closers.pop()?.()
    const { failure } = await ask(wire, url)
    expect(failure).toMatchObject({ category: 'connection', status: null })
    expect(failure?.advice).toContain('refused')
  })

  it('says that a host is unknown, or that an address or key cannot be sent', async () => {
    const unknown = await ask(wire, 'http://no-such-host.invalid')
    expect(unknown.failure?.category).toBe('connection')
    const scheme = await ask(wire, 'ftp://127.0.0.1')
    expect(scheme.failure?.category).toBe('bad-request')
    const pasted = await ask(wire, 'http://127.0.0.1:1', { apiKey: 'sk-first line\nsecond … line' })
    expect(pasted.failure?.category).toBe('bad-request')
    expect(JSON.stringify([pasted.failure, pasted.log])).not.toContain('second')
  })

  it('gives up when the first byte does not come', async () => {
    const url = await serve((message) => void message.resume())
    const { failure } = await ask(wire, url, { timeouts: { firstByteMs: 150 } })
    expect(failure?.category).toBe('timeout')
    expect(failure?.advice).toContain('150 ms')
  })

  it('gives up when the answer falls silent, and keeps what was shown', async () => {
    const server = await startModelServer({ turns: [{ text: 'One two three four', hangAfter: 4 }] })
    closers.push(server.close)
    const { failure, events } = await ask(
      wire,
      server.url + (wire.startsWith('openai') ? '/v1' : ''),
      {
        timeouts: { idleMs: 150 },
      },
    )
    expect(failure?.category).toBe('timeout')
    expect(events.some((event) => event.type === 'text-delta')).toBe(true)
  })

  it('ends at once when it is cancelled before, while waiting, and in the middle', async () => {
    const waiting = await serve((message) => void message.resume())
    const before = await ask(wire, waiting, { signal: AbortSignal.abort() })
    expect(before.failure?.category).toBe('cancelled')
    expect(before.log).toEqual([])

    const later = new AbortController()
    const pending = ask(wire, waiting, { signal: later.signal })
    setTimeout(() => later.abort(), 50)
    expect((await pending).failure?.category).toBe('cancelled')

    const server = await startModelServer({ turns: [{ text: 'One two three four', hangAfter: 4 }] })
    closers.push(server.close)
    const middle = new AbortController()
    const startedAt = Date.now()
    const stopped = await ask(wire, server.url + (wire.startsWith('openai') ? '/v1' : ''), {
      signal: middle.signal,
      onEvent: () => middle.abort({ type: 'cancelled' }),
    })
    expect(stopped.failure?.category).toBe('cancelled')
    expect(Date.now() - startedAt).toBeLessThan(2_000)
  })

  it('recognises a web page', async () => {
    const page: RequestListener = answered(200, '<!doctype html><title>Router</title>', {
      'content-type': 'text/html; charset=utf-8',
    })
    const { failure } = await ask(wire, await serve(page))
    expect(failure).toMatchObject({ category: 'invalid-response', status: 200 })
    expect(failure?.advice).toContain('web page')
  })

  it.each([
    ['an empty body', ''],
    ['plain JSON', '{"ok":true}'],
    ['a list', '[1,2]'],
    ['binary', '\u0000\u0001\u0002'],
  ])('refuses %s with status 200', async (_, body) => {
    const { failure } = await ask(
      wire,
      await serve(answered(200, body, { 'content-type': 'application/octet-stream' })),
    )
    expect(failure?.category).toBe('invalid-response')
  })

  it('follows no redirect, so that the key stays with its host', async () => {
    const reached: unknown[] = []
    const other = await serve((message, response) => {
      reached.push(message.headers)
      answered(200, {})(message, response)
    })
    for (const status of [301, 302, 303, 307, 308]) {
      const { failure } = await ask(
        wire,
        await serve(answered(status, '', { location: `${other}/v1/chat/completions` })),
      )
      expect(failure).toMatchObject({ category: 'invalid-response', status })
    }
    expect(reached).toEqual([])
  })

  it('recognises a server that does not speak HTTP', async () => {
    const server = createTcpServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => socket.end('SSH-2.0-OpenSSH_9.6\r\n'))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    closers.push(() => new Promise((resolve) => server.close(() => resolve())))
    const { failure } = await ask(
      wire,
      `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    )
    expect(failure?.category).toBe('invalid-response')
  })

  it('sends no authorisation without a key, whatever the environment holds', async () => {
    const names = [
      'OPENAI_API_KEY',
      'ANTHROPIC_API_KEY',
      'ANTHROPIC_AUTH_TOKEN',
      'OLLAMA_API_KEY',
      'OPENAI_ADMIN_KEY',
      'HTTP_PROXY',
    ] as const
    const saved = names.map((name) => [name, process.env[name]] as const)
    for (const name of names) process.env[name] = 'http://env-secret.invalid'
    const seen: string[] = []
    try {
      const url = await serve((message, response) => {
        seen.push(JSON.stringify(message.headers))
        answered(500, {})(message, response)
      })
      await ask(wire, url, { apiKey: null })
    } finally {
      for (const [name, value] of saved) {
        if (value === undefined) delete process.env[name]
        else process.env[name] = value
      }
    }
    expect(seen).toHaveLength(1)
    expect(seen[0]).not.toMatch(/authorization|x-api-key|env-secret|proxy/i)
  })
})

describe('openai-compatible', () => {
  it('asks again without a field that the server refuses by name, and remembers', async () => {
    const bodies: Record<string, unknown>[] = []
    const server = await serve(async (message, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of message) chunks.push(chunk)
      const body = JSON.parse(Buffer.concat(chunks).toString())
      bodies.push(body)
      if (body.stream_options) {
        answered(422, { detail: [{ type: 'extra_forbidden', loc: ['body', 'stream_options'] }] })(
          message,
          response,
        )
        return
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(
        'data: {"choices":[{"index":0,"delta":{"content":"ok"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
      )
    })
    for (const _ of [1, 2]) {
      const { events } = await ask('openai-compatible', server)
      expect(events.at(-1)).toMatchObject({ type: 'finish', text: 'ok' })
    }
    expect(bodies.map((body) => 'stream_options' in body)).toEqual([true, false, false])
  })

  it('says that a connection without address needs one', async () => {
    const { failure } = await ask('openai-compatible', '')
    expect(failure).toMatchObject({ category: 'bad-request', status: null })
    expect(failure?.advice).toContain('no base URL')
  })
})
