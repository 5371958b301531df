import type { IncomingHttpHeaders } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { answered, ask, closeAll, key, serve, type Wire, wires } from './__fixtures__/ask-provider'
import { providerOptions } from './__fixtures__/provider-options'
import { probeConnection } from './discovery/probe-connection'

afterEach(closeAll)

const foreign = 'http://env-secret.invalid'
const foreignHeaders = [
  'Authorization: Bearer env-secret',
  'X-Api-Key: env-secret',
  'OpenAI-Organization: env-secret',
  'anthropic-version: env-secret',
  'User-Agent: env-secret',
  'Accept: env-secret',
  'Content-Type: env-secret',
  'X-Stainless-Lang: env-secret',
  'X-Gateway-Token: env-secret',
].join('\n')

/** Everything the official clients are known to read, and what Node's own `fetch` would. */
const environment: Record<string, string> = {
  ANTHROPIC_API_KEY: foreign,
  ANTHROPIC_AUTH_TOKEN: foreign,
  ANTHROPIC_BASE_URL: foreign,
  ANTHROPIC_CUSTOM_HEADERS: foreignHeaders,
  ANTHROPIC_OPEN_TELEMETRY: 'true',
  ANTHROPIC_OPEN_TELEMETRY_PROPAGATION: 'true',
  ANTHROPIC_PROFILE: 'env-secret',
  HTTP_PROXY: foreign,
  OLLAMA_API_KEY: foreign,
  OPENAI_ADMIN_KEY: foreign,
  OPENAI_API_KEY: foreign,
  OPENAI_BASE_URL: foreign,
  OPENAI_CUSTOM_HEADERS: foreignHeaders,
  OPENAI_ORG_ID: 'env-secret',
  OPENAI_PROJECT_ID: 'env-secret',
}

/** Headers that Node and undici add to any message. */
const ofTheMessage = new Set(['accept-encoding', 'connection', 'content-length', 'host'])

async function withEnvironment(work: () => Promise<unknown>): Promise<void> {
  const saved = Object.keys(environment).map((name) => [name, process.env[name]] as const)
  Object.assign(process.env, environment)
  try {
    await work()
  } finally {
    for (const [name, value] of saved) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  }
}

/** Returns the headers of the one request that `send` makes while the environment has other ones. */
async function headersOf(send: (url: string) => Promise<unknown>): Promise<IncomingHttpHeaders> {
  const seen: IncomingHttpHeaders[] = []
  const url = await serve((message, response) => {
    seen.push(message.headers)
    answered(500, {})(message, response)
  })
  await withEnvironment(() => send(url))
  expect(seen).toHaveLength(1)
  return Object.fromEntries(
    Object.entries(seen[0] ?? {}).filter(([name]) => !ofTheMessage.has(name)),
  )
}

const version = { 'anthropic-version': expect.stringMatching(/^\d{4}-\d\d-\d\d$/) }
const ofWire: Record<Wire, Record<string, unknown>> = {
  openai: {},
  'openai-compatible': {},
  anthropic: version,
  ollama: {},
}

describe.each(wires)('%s', (wire) => {
  const own = { 'user-agent': 'Toolgate', ...ofWire[wire] }
  const stream = wire === 'ollama' ? 'application/json' : 'text/event-stream'
  const asking = { ...own, accept: stream, 'content-type': 'application/json' }
  const listing = { ...own, accept: 'application/json' }
  const authorised = { authorization: `Bearer ${key}` }

  it('sends exactly its own headers, whatever the environment holds', async () => {
    expect(await headersOf((url) => ask(wire, url))).toEqual({ ...asking, ...authorised })
    expect(await headersOf((url) => list(url, key))).toEqual({ ...listing, ...authorised })
  })

  it('sends no authorisation without a key', async () => {
    expect(await headersOf((url) => ask(wire, url, { apiKey: null }))).toEqual(asking)
    expect(await headersOf((url) => list(url, null))).toEqual(listing)
  })

  function list(baseUrl: string, apiKey: string | null) {
    const options = providerOptions({ baseUrl, apiKey })
    return probeConnection(wire, options, new AbortController().signal)
  }
})

it.each(['openai', 'openai-compatible'] as const)('%s names its organisation', async (wire) => {
  const headers = await headersOf((baseUrl) =>
    probeConnection(
      wire,
      providerOptions({ baseUrl, apiKey: key, organisation: 'org-own' }),
      new AbortController().signal,
    ),
  )
  expect(headers['openai-organization']).toBe('org-own')
})
