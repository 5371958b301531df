import type { RequestListener } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import {
  answered,
  closeAll,
  key,
  serve,
  type Wire,
  wires,
} from '@/lib/engines/providers/__fixtures__/ask-provider'
import { providerOptions } from '@/lib/engines/providers/__fixtures__/provider-options'
import type { ProviderOptions } from '@/lib/engines/providers/provider'
import { probeConnection } from './probe-connection'

afterEach(closeAll)

const lists: Record<Wire, unknown> = {
  openai: { object: 'list', data: [{ id: 'gpt-5', object: 'model' }, { id: 'whisper-1' }] },
  'openai-compatible': [{ id: 'llama-3.3-70b', type: 'chat' }],
  anthropic: { data: [{ type: 'model', id: 'claude' }], has_more: false },
  ollama: { models: [{ name: 'qwen3:8b', model: 'qwen3:8b' }] },
}

function probe(
  wire: Wire,
  baseUrl: string,
  change: Partial<ProviderOptions> = {},
  signal = new AbortController().signal,
) {
  return probeConnection(wire, providerOptions({ baseUrl, apiKey: key, ...change }), signal)
}

describe.each(wires)('%s', (wire) => {
  it('counts the models with one GET that carries key and headers', async () => {
    const seen: unknown[] = []
    const url = await serve((message, response) => {
      seen.push([message.method, message.headers.authorization, message.headers['x-team']])
      answered(200, lists[wire])(message, response)
    })
    const result = await probe(wire, url, { headers: { 'X-Team': 'blue', Host: 'evil.invalid' } })
    expect(result).toMatchObject({ outcome: 'ok', status: 200, models: 1 })
    expect(seen).toEqual([['GET', `Bearer ${key}`, 'blue']])
  })

  it.each([
    [401, 'unauthorised', /API key.*Store a new key/],
    [403, 'forbidden', /rights/],
    [404, 'not-found', /end in \/v1/],
    [429, 'rate-limited', /Wait/],
    [500, 'server-error', /internal error/],
    [529, 'server-error', /overloaded/],
    [418, 'wrong-wire', /Check the API type/],
  ])('tells what HTTP %i means and asks once', async (status, outcome, advice) => {
    let requestCount = 0
    const url = await serve((message, response) => {
      requestCount += 1
      answered(status, { error: { message: `no ${key}` } })(message, response)
    })
    const result = await probe(wire, url)
    expect(result).toMatchObject({ outcome, status, models: null })
    expect(result.message).toMatch(advice)
    expect(result.message).not.toContain(key)
    expect(result.message).not.toContain('connection test')
    expect(requestCount).toBe(1)
  })

  it('names the host of a redirect and sends it nothing', async () => {
    let reached = 0
    const other = await serve((message, response) => {
      reached += 1
      answered(200, lists[wire])(message, response)
    })
    const url = await serve(answered(307, '', { location: `${other}/v1/models` }))
    const result = await probe(wire, url)
    expect(result).toMatchObject({ outcome: 'redirect', status: 307 })
    expect(result.message).toContain(new URL(other).host)
    expect(reached).toBe(0)
  })

  it.each<[string, RequestListener]>([
    ['a web page', answered(200, '<!doctype html>', { 'content-type': 'text/html' })],
    ['another JSON', answered(200, { ok: true })],
    ['no JSON', answered(200, 'pong')],
    ['the list of another wire', answered(200, lists[wire === 'ollama' ? 'openai' : 'ollama'])],
    ['a body without end', endless],
  ])('knows %s from its wire', async (_, listener) => {
    expect(await probe(wire, await serve(listener))).toMatchObject({ outcome: 'wrong-wire' })
  })

  it('tells apart what keeps it from an answer', async () => {
    const gone = await serve(() => {})
    await closeAll()
    expect(await probe(wire, gone)).toMatchObject({ outcome: 'refused', status: null })
    expect(await probe(wire, 'http://no-such-host.invalid')).toMatchObject({ outcome: 'dns' })
    const plain = await serve(answered(200, lists[wire]))
    expect(await probe(wire, plain.replace('http:', 'https:'))).toMatchObject({
      outcome: 'no-https',
    })
    const closing = await serve((message) => void message.socket.destroy())
    expect(await probe(wire, closing)).toMatchObject({
      outcome: 'refused',
      message: expect.stringMatching(/https:\/\/. Check that the server is running/),
    })
    const silent = await serve((message) => void message.resume())
    const slow = await probe(wire, silent, { timeouts: { firstByteMs: 60 } })
    expect(slow).toMatchObject({ outcome: 'timeout', message: expect.stringContaining('60 ms') })
    const stopped = await probe(wire, silent, {}, AbortSignal.timeout(40))
    expect(stopped.outcome).toBe('timeout')
    expect(await probe(wire, 'http://169.254.169.254')).toMatchObject({ outcome: 'egress' })
    expect(await probe(wire, plain, { privateAddressAllowed: false })).toMatchObject({
      outcome: 'egress',
      message: expect.stringContaining('allow private addresses'),
    })
  })
})

it('needs nobody for the demo', async () => {
  const options = providerOptions({ baseUrl: null })
  const result = await probeConnection('demo', options, new AbortController().signal)
  expect(result).toMatchObject({ outcome: 'ok', models: 1 })
})

function endless(...[message, response]: Parameters<RequestListener>): void {
  message.resume()
  response.writeHead(200, { 'content-type': 'application/json' })
  const chunk = '['.repeat(1_000_000)
  const more = () => {
    while (!response.destroyed && response.write(chunk));
    if (!response.destroyed) response.once('drain', more)
  }
  response.on('error', () => {})
  more()
}
