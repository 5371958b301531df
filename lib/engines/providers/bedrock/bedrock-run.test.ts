import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { providerOptions } from '@/lib/engines/providers/__fixtures__/provider-options'
import { listProviderModels } from '@/lib/engines/providers/discovery/list-provider-models'
import { probeConnection } from '@/lib/engines/providers/discovery/probe-connection'
import type { ProviderOptions } from '@/lib/engines/providers/provider'
import type { ModelEvent, ModelRequest } from '@/lib/protocol/model/message'
import { defaultModelParameters } from '@/lib/protocol/parameters/parameters'
import { type ModelServer, startModelServer } from '@/tests/support/model-server/start-model-server'
import { asPage, playedTurns, playRun } from '@/tests/support/played-run'
import { bedrockProvider } from './bedrock'

const claude = 'eu.anthropic.claude-sonnet-4-5-20250929-v1:0'
const secret = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY'
const withKey = { region: 'eu-west-1', authentication: 'key', accessKeyId: 'AKIDEXAMPLE012345' }

let server: ModelServer
beforeEach(async () => {
  server = await startModelServer({ apiKey: secret })
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await server.close()
})

const options = (change: Partial<ProviderOptions> = {}) =>
  providerOptions({ baseUrl: server.url, apiKey: secret, settings: withKey, ...change })

const request: ModelRequest = {
  modelId: claude,
  system: 'Be brief.',
  messages: [{ role: 'user', text: 'Hello' }],
  tools: [],
  parameters: defaultModelParameters,
}

async function ask(change: Partial<ProviderOptions> = {}, model: Partial<ModelRequest> = {}) {
  const log: unknown[] = []
  const onIncident = (_id: string, detail: unknown) => void log.push(detail)
  const provider = bedrockProvider(options({ onIncident, ...change }))
  const events: ModelEvent[] = []
  const signal = new AbortController().signal
  for await (const event of provider.stream({ ...request, ...model }, signal)) events.push(event)
  return { last: events.at(-1), log: JSON.stringify(log) }
}

/** Makes one run of the loop. It completes only if Amazon would accept what it sent. */
async function run({ modelId = claude, maxRounds = 5 } = {}) {
  server.queue(...playedTurns)
  return playRun(bedrockProvider(options()), { wire: 'bedrock', modelId }, maxRounds)
}

describe('a run over the Converse API', () => {
  it.each([
    ['bedrock', claude],
    ['bedrock-nova', 'eu.amazon.nova-2-lite-v1:0'],
  ])(
    'takes three rounds with thinking and two calls at once, as they are sent: %s',
    async (name, modelId) => {
      const { end } = await run({ modelId })
      expect(end).toMatchObject({ reason: 'completed' })
      expect(server.requests).toHaveLength(3)
      server.assertDone()
      await expect(asPage(name, server.requests)).toMatchFileSnapshot(
        `../__snapshots__/three-rounds/${name}.md`,
      )
    },
  )

  it('takes the closing request, which has no tools', async () => {
    const { end } = await run({ maxRounds: 2 })
    expect(end).toMatchObject({ reason: 'max-rounds' })
    expect(server.requests[2]?.body).not.toHaveProperty('toolConfig')
  })
})

describe('who asks', () => {
  it('signs with the access key of the connection, whatever the environment says', async () => {
    for (const [name, value] of Object.entries({
      AWS_ACCESS_KEY_ID: 'AKIDOTHER0123456',
      AWS_SECRET_ACCESS_KEY: 'other-secret',
      AWS_SESSION_TOKEN: 'other-token',
      AWS_BEARER_TOKEN_BEDROCK: 'other-bearer',
      AWS_REGION: 'us-east-2',
      AWS_ENDPOINT_URL: 'http://127.0.0.1:9',
      AWS_ENDPOINT_URL_BEDROCK_RUNTIME: 'http://127.0.0.1:9',
    }))
      vi.stubEnv(name, value)
    server.queue({ text: 'Hi' })
    expect((await ask()).last).toMatchObject({ type: 'finish', text: 'Hi' })
    const headers = server.requests[0]?.headers ?? {}
    expect(headers.authorization).toContain('Credential=AKIDEXAMPLE012345/')
    expect(headers.authorization).toContain('/eu-west-1/bedrock/aws4_request')
    expect(JSON.stringify(headers)).not.toMatch(/other-|wJalr/)
  })

  it('sends a Bedrock API key as bearer', async () => {
    server.queue({ text: 'Hi' })
    const settings = { region: 'eu-west-1', authentication: 'bearer' }
    expect((await ask({ settings })).last).toMatchObject({ type: 'finish', text: 'Hi' })
    expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${secret}`)
  })

  it('signs with the role of the server only where the connection says so, and keeps it out of logs', async () => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDROLE01234567')
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', secret)
    vi.stubEnv('AWS_SESSION_TOKEN', 'session+token/0123456789==')
    const role = {
      apiKey: null,
      settings: { region: 'eu-west-1', authentication: 'environment' },
    }
    server.queue({ text: 'Hi' })
    expect((await ask(role)).last).toMatchObject({ type: 'finish', text: 'Hi' })
    const headers = server.requests[0]?.headers ?? {}
    expect(headers['x-amz-security-token']).toBe('session+token/0123456789==')
    server.queue({ status: 400, body: `${secret} and session+token/0123456789==` })
    const { last, log } = await ask(role)
    expect(last).toMatchObject({ type: 'error' })
    expect(log).toContain('[key] and [key]')
    expect(log).not.toContain(secret)
    expect(log).not.toContain('session+token')
  })

  it('says that a signature is refused, and shows neither it nor the secret', async () => {
    const { last, log } = await ask({ apiKey: 'another-secret-0123456789' })
    expect(last).toMatchObject({
      type: 'error',
      failure: { category: 'auth', status: 403, advice: expect.stringContaining('Amazon refused') },
    })
    expect(log).not.toContain('another-secret')
  })

  it('says that there is nothing to sign with', async () => {
    const { last } = await ask({ apiKey: null })
    expect(last).toMatchObject({
      failure: { category: 'auth', advice: expect.stringContaining('no secret access key') },
    })
  })
})

it('is sent again without cache points to a model that refuses them, and then at once', async () => {
  const modelId = 'anthropic.claude-instant-v1'
  const body = { message: 'extraneous key [cachePoint] is not permitted' }
  server.queue({ status: 400, body }, { text: 'Hi' }, { text: 'Again' })
  expect((await ask({}, { modelId })).last).toMatchObject({ text: 'Hi', resent: 1 })
  expect((await ask({}, { modelId })).last).not.toHaveProperty('resent')
  expect(server.requests.map(({ body }) => JSON.stringify(body).includes('cachePoint'))).toEqual([
    true,
    false,
    false,
  ])
  server.assertDone()
})

describe('its models', () => {
  const signal = new AbortController().signal

  it('are those that can be asked with a stream, and profiles with the facts behind them', async () => {
    const models = await listProviderModels('bedrock', options(), signal)
    expect(
      models.map(({ modelId, displayName, vision }) => [modelId, displayName, vision]),
    ).toEqual([
      ['amazon.nova-test-v1:0', 'Nova Test', false],
      ['eu.anthropic.claude-test-v1:0', 'EU Claude Test', true],
    ])
  })

  it('are what a test asks for', async () => {
    expect(await probeConnection('bedrock', options(), signal)).toMatchObject({
      outcome: 'ok',
      models: 2,
    })
    const wrong = await probeConnection('bedrock', options({ apiKey: 'wrong-secret' }), signal)
    expect(wrong).toMatchObject({ outcome: 'unauthorised', status: 403 })
  })
})
