import type { RequestListener } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { runAgent } from '@/lib/engines/runtime/run-agent'
import { eventsOf, runFixture, runInput } from '@/tests/support/run-fixture'
import { answered, closeAll, key, serve, type Wire, wires } from './__fixtures__/ask-provider'
import { providerOptions } from './__fixtures__/provider-options'
import { openProvider } from './open-provider'

afterEach(closeAll)

/** Longer than any wait in these tests except the run's own limit, which they do not reach. */
const longestWaitMs = 120_000

/** Makes a whole run of the loop against one address. Its waits are on the test clock. */
async function run(wire: Wire, baseUrl: string, { firstByteMs = 20_000 } = {}) {
  const timeouts = { connectMs: 2_000, firstByteMs, idleMs: 20_000 }
  const provider = openProvider(wire, providerOptions({ baseUrl, apiKey: key, timeouts }))
  let waitedMs = 0
  const after = (ms: number, run: () => void) => {
    if (ms <= longestWaitMs) {
      waitedMs += ms
      queueMicrotask(run)
    }
    return () => undefined
  }
  const { deps, events } = runFixture({
    deps: {
      streamModel: (_target, request, signal) => provider.stream(request, signal),
      after,
    },
  })
  const { end } = await runAgent(runInput(), deps)
  const retries = eventsOf(events, 'model-retry').length
  return { failure: end?.failure, retries, waitedMs }
}

/** Serves and counts; what came with each request is kept as text. */
async function counting(listener: RequestListener) {
  const seen: string[] = []
  const url = await serve((message, response) => {
    seen.push(JSON.stringify(message.headers))
    listener(message, response)
  })
  return { url, seen }
}

const hang: RequestListener = (message) => void message.resume()

const cutAtOnce: RequestListener = (message, response) => {
  message.resume()
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write('\n')
  setTimeout(() => response.destroy(), 5)
}

describe.each(wires)('a run over %s', (wire) => {
  it.each<[string, RequestListener, number, string, RegExp]>([
    ['401', answered(401, {}), 1, 'auth', /stores? a new one|API key/],
    ['403', answered(403, {}), 1, 'forbidden', /rights/],
    ['404', answered(404, {}), 1, 'not-found', /model id/],
    ['500', answered(500, {}), 3, 'server', /Try again later/],
    ['502', answered(502, '<html>'), 3, 'server', /Try again later/],
    ['529', answered(529, {}), 3, 'overloaded', /fallback model/],
    ['silence before the first byte', hang, 3, 'timeout', /did not start to answer within 80 ms/],
    ['a stream cut before its first word', cutAtOnce, 3, 'connection', /broke/],
    [
      'a web page with status 200',
      answered(200, '<!doctype html>', { 'content-type': 'text/html' }),
      1,
      'invalid-response',
      /web page/,
    ],
  ])('meets %s', async (_, listener, requests, category, advice) => {
    const { url, seen } = await counting(listener)
    const patience = listener === hang ? { firstByteMs: 80 } : {}
    const { failure, retries } = await run(wire, url, patience)
    expect(seen).toHaveLength(requests)
    expect(retries).toBe(requests - 1)
    expect(failure?.category).toBe(category)
    expect(failure?.advice).toMatch(advice)
    expect(JSON.stringify(failure)).not.toContain(key)
  })

  it('waits as long as Retry-After says, and no longer than a minute', async () => {
    const soon = await counting(answered(429, {}, { 'retry-after': '7' }))
    const { failure, waitedMs } = await run(wire, soon.url)
    expect(failure?.category).toBe('rate-limited')
    expect(soon.seen).toHaveLength(3)
    expect(waitedMs).toBeGreaterThanOrEqual(14_000)
    const late = await counting(answered(429, {}, { 'retry-after': '3600' }))
    await run(wire, late.url)
    expect(late.seen).toHaveLength(1)
  })

  it('stays with its host: a redirect gets neither request nor key', async () => {
    const other = await counting(answered(200, {}))
    const { url, seen } = await counting(
      answered(307, '', { location: `${other.url}/v1/chat/completions` }),
    )
    const { failure } = await run(wire, url)
    expect(failure?.advice).toContain('Redirects are not followed')
    expect([seen.length, other.seen.length]).toEqual([1, 0])
    expect(seen[0]).toContain(key)
  })

  it('tells a host without an address from one that does not support the same HTTPS', async () => {
    const unknown = await run(wire, 'http://no-such-host.invalid')
    expect(unknown).toMatchObject({ retries: 2, failure: { category: 'connection' } })
    expect(unknown.failure?.advice).toContain('cannot be resolved')
    const plain = await serve(answered(200, {}))
    const { failure } = await run(wire, plain.replace('http:', 'https:'))
    expect(failure?.advice).toContain('does not support the same HTTPS')
  })
})
