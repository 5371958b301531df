import { generateKeyPairSync } from 'node:crypto'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { providerOptions } from '@/lib/engines/providers/__fixtures__/provider-options'
import {
  askForModels,
  listProviderModels,
} from '@/lib/engines/providers/discovery/list-provider-models'
import { probeConnection } from '@/lib/engines/providers/discovery/probe-connection'
import type { ModelEvent, ModelRequest } from '@/lib/protocol/model/message'
import { defaultModelParameters, defaultOptions } from '@/lib/protocol/parameters/parameters'
import { startGoogleSignIn } from '@/tests/support/google-sign-in'
import type { ScriptedTurn } from '@/tests/support/model-server/scripted-turn'
import { type ModelServer, startModelServer } from '@/tests/support/model-server/start-model-server'
import { asPage, playedTurns, playRun } from '@/tests/support/played-run'
import { testTool } from '@/tests/support/run-fixture'
import { geminiAddresses, geminiProvider } from './gemini'

const good = 'ya29.a0Good-0123456789'
const stale = 'ya29.a0Stale-0123456789'

let signIn: Awaited<ReturnType<typeof startGoogleSignIn>>
let model: ModelServer
beforeEach(async () => {
  signIn = await startGoogleSignIn([good])
  model = await startModelServer({ apiKey: good })
})
afterEach(async () => {
  await signIn.close()
  await model.close()
})

/** Returns a connection to both servers; `log` gets what the server would log. */
function connection(change: { apiKey?: string; location?: string } = {}, log: unknown[] = []) {
  const { apiKey = signIn.keyFile, location = 'europe-west4' } = change
  return providerOptions({
    baseUrl: model.url,
    apiKey,
    headers: { 'x-team': 'one' },
    settings: {
      authentication: 'service-account',
      project: 'acme-prod',
      location,
      authority: signIn.url,
    },
    onIncident: (id, detail) => void log.push({ id, detail }),
  })
}

const request: ModelRequest = {
  modelId: 'gemini-3-test',
  system: 'Be brief.',
  messages: [{ role: 'user', text: 'Hello' }],
  tools: [],
  parameters: defaultModelParameters,
}

async function ask(
  turns: ScriptedTurn[],
  options = connection(),
  change: Partial<ModelRequest> = {},
) {
  model.queue(...turns)
  const events: ModelEvent[] = []
  const stream = geminiProvider(options).stream(
    { ...request, ...change },
    new AbortController().signal,
  )
  for await (const event of stream) events.push(event)
  return events.at(-1)
}

it('signs in with the key file, once for many requests, and asks at the place of the project', async () => {
  expect(await ask([{ text: 'Hi' }])).toMatchObject({ type: 'finish', text: 'Hi' })
  await Promise.all([ask([{ text: 'Hi' }]), ask([{ text: 'Hi' }])])
  expect(signIn.requests).toHaveLength(1)
  const [{ path, headers, form } = { path: '', headers: {}, form: {} }] = signIn.requests
  expect([path, Object.keys(form)]).toEqual(['/token', ['grant_type', 'assertion']])
  // Headers of the connection are for the provider alone.
  expect(headers['x-team']).toBeUndefined()
  expect(model.requests).toHaveLength(3)
  for (const sent of model.requests) {
    expect(sent.path).toBe(
      '/v1/projects/acme-prod/locations/europe-west4/publishers/google/models/gemini-3-test:streamGenerateContent',
    )
    expect(sent.headers).toMatchObject({ authorization: `Bearer ${good}`, 'x-team': 'one' })
    expect(sent.headers).not.toHaveProperty('x-goog-api-key')
  }
})

it.each([
  ['global', 'https://aiplatform.googleapis.com', 'https://aiplatform.googleapis.com'],
  ['eu', 'https://aiplatform.eu.rep.googleapis.com', 'https://aiplatform.googleapis.com'],
  [
    'us-central1',
    'https://us-central1-aiplatform.googleapis.com',
    'https://us-central1-aiplatform.googleapis.com',
  ],
])('has its addresses in %s', (location, host, listHost) => {
  const { list, of } = geminiAddresses({ ...connection({ location }), baseUrl: null })
  const place = `${host}/v1/projects/acme-prod/locations/${location}`
  expect(list).toBe(`${listHost}/v1beta1/publishers/google/models?pageSize=300`)
  expect(of('publishers/google/models/gemini-x')).toBe(`${place}/publishers/google/models/gemini-x`)
  expect(of('gemini-x?y')).toBe(`${place}/publishers/google/models/gemini-x%3Fy`)
  expect(of('endpoints/1234567890')).toBe(`${place}/endpoints/1234567890`)
})

it('keeps the path of a gateway', () => {
  const { list, of } = geminiAddresses({ ...connection(), baseUrl: 'https://g.example/llm/v1/' })
  expect(of('gemini-x')).toBe(
    'https://g.example/llm/v1/projects/acme-prod/locations/europe-west4/publishers/google/models/gemini-x',
  )
  expect(list).toBe('https://g.example/llm/v1beta1/publishers/google/models?pageSize=300')
})

it('exchanges a token that is refused once, and counts both requests', async () => {
  await signIn.close()
  signIn = await startGoogleSignIn([stale, good])
  expect(await ask([{ text: 'Hi' }])).toMatchObject({ type: 'finish', text: 'Hi', resent: 1 })
  expect(signIn.requests).toHaveLength(2)
})

it('says that Google refuses the key, with no part of it or of what it signed in the log', async () => {
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  const pem = other.export({ type: 'pkcs8', format: 'pem' }).toString()
  const file = { ...JSON.parse(signIn.keyFile), private_key: pem }
  const log: unknown[] = []
  const last = await ask([], connection({ apiKey: JSON.stringify(file) }, log))
  expect(last).toMatchObject({
    type: 'error',
    failure: {
      category: 'auth',
      advice: expect.stringContaining('Google refused to issue a token'),
    },
  })
  const text = JSON.stringify([last, log])
  const [, , signature = ''] = signIn.requests[0]?.form.assertion?.split('.') ?? []
  expect(text).toContain('Invalid JWT Signature.')
  expect(signature.length).toBeGreaterThan(100)
  expect(text).not.toContain(signature.slice(0, 20))
  for (const line of pem.split('\n').slice(1, -2)) expect(text).not.toContain(line)
  expect(model.requests).toEqual([])
})

it('gives up after a second refusal, with no token in the log', async () => {
  await signIn.close()
  signIn = await startGoogleSignIn([stale])
  const log: unknown[] = []
  expect(await ask([], connection({}, log))).toMatchObject({ failure: { category: 'auth' } })
  expect(model.requests).toHaveLength(2)
  expect(JSON.stringify(log)).not.toContain(stale)
})

it.each([
  ['nothing', null],
  ['an API key', 'AIzaSy-0123456789'],
  ['a key that cannot sign', 'broken'],
])('asks nobody with %s as its key', async (_name, apiKey) => {
  const pem = '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n'
  const broken = JSON.stringify({ ...JSON.parse(signIn.keyFile), private_key: pem })
  const key = apiKey === 'broken' ? broken : apiKey
  expect(await ask([], { ...connection(), apiKey: key })).toMatchObject({
    type: 'error',
    failure: { category: 'auth' },
  })
  expect([signIn.requests, model.requests]).toEqual([[], []])
})

it('is tested and discovered with the list of Google, page by page, and only what it can ask', async () => {
  const signal = new AbortController().signal
  expect(await probeConnection('gemini', connection(), signal)).toMatchObject({
    outcome: 'ok',
    models: 2,
  })
  const found = await listProviderModels('gemini', connection(), signal)
  expect(found.map(({ modelId }) => modelId)).toEqual(['gemini-2.5-flash', 'gemini-3-test'])
  const raw = await askForModels('gemini', connection(), signal)
  expect(raw).toMatchObject({ models: expect.objectContaining({ length: 6 }) })
  const wrong = connection({ apiKey: 'AIzaSy-0123456789' })
  expect(await probeConnection('gemini', wrong, signal)).toMatchObject({ outcome: 'unauthorised' })
})

it.each([
  ['Flex', 'flex'],
  ['priority', 'priority'],
  ['standard', undefined],
])('sends the service tier %s in a header', async (serviceTier, header) => {
  const last = await ask([{ text: 'Hi' }], connection(), {
    options: { ...defaultOptions, serviceTier },
  })
  expect(last).toMatchObject({ type: 'finish' })
  const [sent] = model.requests
  expect(sent?.body).not.toHaveProperty('serviceTier')
  expect(sent?.headers['x-vertex-ai-llm-shared-request-type']).toBe(header)
})

it('asks in no service tier that Vertex AI does not know', async () => {
  const last = await ask([], connection(), {
    options: { ...defaultOptions, serviceTier: 'scale\r\nx: y' },
  })
  expect(last).toMatchObject({ type: 'error', failure: { category: 'bad-request' } })
  expect(model.requests).toEqual([])
})

it('sends no id of a call that another provider made', async () => {
  const call = { callId: 'c', providerCallId: 'call:1', name: 'look', argumentsText: '{}' }
  const last = await ask([{ text: 'Seen.' }], connection(), {
    tools: [testTool('look')],
    messages: [
      { role: 'user', text: 'Look.' },
      { role: 'assistant', text: '', reasoning: [], toolCalls: [call] },
      { role: 'tool', providerCallId: 'call:1', name: 'look', content: 'seen', isError: false },
    ],
  })
  expect(last).toMatchObject({ type: 'finish', text: 'Seen.' })
  expect(JSON.stringify(model.requests[0]?.body)).not.toContain('call:1')
})

it('takes three rounds with thinking and two calls at once, as they are sent', async () => {
  model.queue(...playedTurns)
  const provider = geminiProvider(connection({ location: 'global' }))
  const { end } = await playRun(provider, { wire: 'gemini', modelId: 'gemini-3-test' })
  expect(end).toMatchObject({ reason: 'completed' })
  model.assertDone()
  await expect(asPage('vertex', model.requests)).toMatchFileSnapshot(
    '../__snapshots__/three-rounds/vertex.md',
  )
})
