import type { RequestListener, ServerResponse } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { startModelServer } from '@/tests/support/model-server/start-model-server'
import { answered, ask, closeAll, closeLater, key, serve, wires } from './__fixtures__/ask-provider'

afterEach(closeAll)

const error = (message: string, more = {}) => ({ error: { message, ...more } })

/** Answers with what was sent, as some servers do with what they refuse. */
const echo = (prompt: string) => ({
  detail: [{ type: 'extra_forbidden', loc: ['body', 'seed'], input: { messages: [prompt] } }],
})

const perMinuteOfOpenAi = error(
  'Rate limit reached for gpt-5 in organization org-x on tokens per min (TPM): Limit 30000, Used 29980, Requested 900. Please try again in 1.76s. You can increase your rate limit by adding a payment method to your account at https://platform.openai.com/account/billing.',
  { type: 'tokens', param: null, code: 'rate_limit_exceeded' },
)

const perMinuteOfGemini = error(
  'You exceeded your current quota, please check your plan and billing details. Please retry in 43.8s.',
  { code: 429, status: 'RESOURCE_EXHAUSTED' },
)

describe.each(wires)('%s', (wire) => {
  it.each([
    [401, error(`Incorrect API key provided: ${key}`), 'auth'],
    [402, error('Payment required'), 'no-credit'],
    [403, error('Country not supported'), 'forbidden'],
    [404, error('The model does not exist', { code: 'model_not_found' }), 'not-found'],
    [400, error('Model Not Exist'), 'not-found'],
    [400, error('acme/gpt-9 is not a valid model ID'), 'not-found'],
    [400, error('The provided model identifier is invalid.'), 'not-found'],
    [400, error('No such thing.', { code: 'model_not_found' }), 'not-found'],
    [400, error('Unsupported parameter: temperature'), 'bad-request'],
    [400, error('The model does not support tools'), 'bad-request'],
    [400, error('Input is too long for requested model.'), 'context-length'],
    [
      400,
      error(
        'The input token count (1100000) exceeds the maximum number of tokens allowed (1048576).',
      ),
      'context-length',
    ],
    [
      400,
      error('input length and `max_tokens` exceed context limit: 190000 + 21333 > 200000'),
      'context-length',
    ],
    [
      400,
      error("This model's maximum context length is 8192 tokens", {
        code: 'context_length_exceeded',
      }),
      'context-length',
    ],
    [408, 'Request Timeout', 'bad-request'],
    [413, '<html>Request Entity Too Large</html>', 'context-length'],
    [429, error('Rate limit reached'), 'rate-limited'],
    [429, error('You exceeded your current quota', { code: 'insufficient_quota' }), 'no-credit'],
    [429, error('Your credit balance is too low to access the API.'), 'no-credit'],
    [429, perMinuteOfOpenAi, 'rate-limited'],
    [429, [perMinuteOfGemini], 'rate-limited'],
    [400, error('Your credit balance is too low to access the API.'), 'no-credit'],
    [400, error('No.', { type: 'billing_error' }), 'no-credit'],
    [403, error('Insufficient balance'), 'no-credit'],
    [422, echo('Explain billing: I exceeded your current quota of payment jokes'), 'bad-request'],
    [400, echo('Write about insufficient funds and insufficient_quota'), 'bad-request'],
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
    const headers: [string, string][] = [
      ['retry-after', 'soon'],
      ['retry-after', '-1'],
      ['retry-after', '10, 20'],
      ['retry-after', '1e3'],
      ['retry-after-ms', ''],
      ['retry-after-ms', '-5'],
    ]
    for (const [name, value] of headers) {
      const nonsense = await ask(wire, await serve(answered(429, {}, { [name]: value })))
      expect(nonsense.failure?.retryAfterMs, value).toBeNull()
    }
    const inMs = await ask(wire, await serve(answered(429, {}, { 'retry-after-ms': '250' })))
    expect(inMs.failure?.retryAfterMs).toBe(250)
  })

  it('calls an account without quota so at once, also where the answer has a time to retry', async () => {
    const body = error('Wait.', { code: 'insufficient_quota' })
    const { failure } = await ask(wire, await serve(answered(429, body, { 'retry-after': '62' })))
    expect(failure).toMatchObject({ category: 'no-credit' })
  })

  it('retries when the provider says when to and its message alone speaks of credit', async () => {
    const body = error('Your credit balance is checked again in a moment.')
    const { failure } = await ask(wire, await serve(answered(429, body, { 'retry-after': '9' })))
    expect(failure).toMatchObject({ category: 'rate-limited', retryAfterMs: 9_000 })
  })

  it('asks once: the runtime retries', async () => {
    let requestCount = 0
    const url = await serve((message, response) => {
      requestCount += 1
      answered(500, {})(message, response)
    })
    await ask(wire, url)
    expect(requestCount).toBe(1)
  })

  it('reports that nothing answers', async () => {
    const url = await serve(() => {})
    await closeAll()
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
    closeLater(server.close)
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

  it('ends an answer that does not end, even if the connection is alive', async () => {
    const url = await serve((message, response) => {
      message.resume()
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const life = setInterval(() => response.write(wire === 'ollama' ? '\n' : ': alive\n\n'), 10)
      response.on('close', () => clearInterval(life))
    })
    const { failure } = await ask(wire, url, { timeouts: { totalMs: 150 } })
    expect(failure?.category).toBe('timeout')
    expect(failure?.advice).toContain('150 ms')
  })

  it('ends an answer that goes on for more than any model writes', async () => {
    const server = await startModelServer({
      turns: [{ text: Array(9).fill('x'.repeat(1_000_000)) }],
    })
    closeLater(server.close)
    const { failure } = await ask(wire, server.url + (wire.startsWith('openai') ? '/v1' : ''))
    expect(failure?.advice).toContain('too large')
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
    closeLater(server.close)
    const middle = new AbortController()
    const stopped = await ask(wire, server.url + (wire.startsWith('openai') ? '/v1' : ''), {
      signal: middle.signal,
      onEvent: () => middle.abort({ type: 'cancelled' }),
    })
    expect(stopped.failure?.category).toBe('cancelled')
  })

  it('recognises a web page', async () => {
    const page: RequestListener = answered(200, '<!doctype html><title>Router</title>', {
      'content-type': 'text/html; charset=utf-8',
    })
    const { failure } = await ask(wire, await serve(page))
    expect(failure).toMatchObject({
      category: 'invalid-response',
      status: 200,
      cause: 'web-page',
    })
    expect(failure?.advice).toContain('web page')
  })

  it('tells a stream that broke before any text from a server that was not reached', async () => {
    const begun = (end: (response: ServerResponse) => void): RequestListener => {
      return (_message, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.flushHeaders()
        setImmediate(() => end(response))
      }
    }
    const cut = await ask(wire, await serve(begun((response) => response.destroy())))
    expect(cut.failure).toMatchObject({ category: 'connection', cause: 'broken-stream' })
    const ended = await ask(wire, await serve(begun((response) => response.end())))
    expect(ended.failure).toMatchObject({ category: 'connection', cause: 'broken-stream' })
    const timeouts = { idleMs: 50 }
    const silent = await ask(wire, await serve(begun(() => undefined)), { timeouts })
    expect(silent.failure).toMatchObject({ category: 'timeout', cause: 'broken-stream' })
    const unanswered = await ask(wire, await serve((_message, response) => response.destroy()))
    expect(unanswered.failure?.category).toBe('connection')
    expect(unanswered.failure).not.toHaveProperty('cause')
  })

  it('logs no part of a key that it echoed where the log is cut', async () => {
    const own = 'vkey.9f3a:Zq7!mB2#xL5@tR8'
    for (const [status, length] of [
      [200, 1_988],
      [200, 1_995],
      [500, 7_990],
      [500, 32 * 1024 - 12],
    ] as const) {
      const echo = `${'no '.repeat(length).slice(0, length)}${own} and more`
      const { log } = await ask(wire, await serve(answered(status, echo)), { apiKey: own })
      expect(JSON.stringify(log)).toContain('no no')
      for (let at = 0; at <= own.length - 8; at++) {
        expect(JSON.stringify(log)).not.toContain(own.slice(at, at + 8))
      }
    }
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
})
