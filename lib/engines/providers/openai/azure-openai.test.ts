import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { providerOptions } from '@/lib/engines/providers/__fixtures__/provider-options'
import { probeConnection } from '@/lib/engines/providers/discovery/probe-connection'
import type { ModelEvent, ModelRequest } from '@/lib/protocol/model/message'
import { defaultModelParameters } from '@/lib/protocol/parameters/parameters'
import { responsesFrames } from '@/tests/support/model-server/responses-frames'
import type { ServedAnswer } from '@/tests/support/model-server/scripted-turn'
import { startModelServer } from '@/tests/support/model-server/start-model-server'
import { asPage, playedTurns, playRun } from '@/tests/support/played-run'
import { azureOpenAiProvider } from './azure-openai'

type Asked = { path: string; headers: IncomingHttpHeaders; body: string }

const answer: ServedAnswer = {
  id: 'answer_1',
  model: 'my-deployment',
  text: ['Hi'],
  reasoning: [],
  calls: [],
  usage: null,
  finish: 'stop',
}
const chatStream = [
  '{"choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":"stop"}]}',
  '[DONE]',
]
  .map((data) => `data: ${data}\n\n`)
  .join('')

let server: Server
let url: string
let requests: Asked[]
let tokens: string[]
/** Keys and tokens that the resource accepts. */
let good: Set<string>
let secret: string
let tenant = 0
beforeEach(async () => {
  requests = []
  tokens = []
  good = new Set()
  secret = 's3cret~value+of/the=app'
  tenant += 1
  server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const path = request.url ?? ''
    requests.push({ path, headers: request.headers, body })
    if (path.endsWith('/oauth2/v2.0/token')) {
      const form = new URLSearchParams(body)
      response.setHeader('content-type', 'application/json')
      if (form.get('client_secret') !== secret) {
        response.statusCode = 401
        response.end(JSON.stringify({ error: 'invalid_client', error_description: body }))
        return
      }
      const token = `token-${tenant}-${tokens.length + 1}-abcdefgh`
      tokens.push(token)
      good.add(token)
      response.end(JSON.stringify({ token_type: 'Bearer', expires_in: 3599, access_token: token }))
      return
    }
    const bearer = request.headers.authorization?.replace('Bearer ', '') ?? ''
    if (!good.has(bearer) && request.headers['api-key'] !== 'azure-key-0123') {
      response.statusCode = 401
      response.end(JSON.stringify({ error: { code: '401', message: `Bad ${bearer}` } }))
      return
    }
    if (path === '/openai/v1/models') {
      response.setHeader('content-type', 'application/json')
      const models = [
        { id: 'gpt-x', object: 'model', capabilities: { chat_completion: true } },
        { id: 'embedding-x', object: 'model', capabilities: { chat_completion: false } },
      ]
      response.end(JSON.stringify({ object: 'list', data: models }))
      return
    }
    response.setHeader('content-type', 'text/event-stream')
    response.end(path.endsWith('/responses') ? responsesFrames(answer, true).join('') : chatStream)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(() => void server.close())

const request: ModelRequest = {
  modelId: 'my-deployment',
  system: '',
  messages: [{ role: 'user', text: 'Hello' }],
  tools: [],
  parameters: defaultModelParameters,
}

const entra = () => ({
  authentication: 'entra',
  tenantId: `tenant-${tenant}`,
  clientId: 'app-1',
  authority: url,
})

async function ask(
  options: Parameters<typeof providerOptions>[0],
  change: Partial<ModelRequest> = {},
) {
  const log: unknown[] = []
  const onIncident = (id: string, detail: unknown) => void log.push({ id, detail })
  const provider = azureOpenAiProvider(providerOptions({ baseUrl: url, onIncident, ...options }))
  const events: ModelEvent[] = []
  for await (const event of provider.stream(
    { ...request, ...change },
    new AbortController().signal,
  )) {
    events.push(event)
  }
  return { last: events.at(-1), log: JSON.stringify(log) }
}

it.each([
  ['responses', {}],
  ['chat/completions', { api: 'chat-completions' }],
])('sends a key as api-key, the deployment as model, to the v1 API: %s', async (path, settings) => {
  const { last } = await ask({ apiKey: 'azure-key-0123', settings })
  expect(last).toMatchObject({ type: 'finish', finishReason: 'stop', text: 'Hi' })
  expect(requests.map(({ path }) => path)).toEqual([`/openai/v1/${path}`])
  expect(requests[0]?.headers['api-key']).toBe('azure-key-0123')
  expect(requests[0]?.headers.authorization).toBeUndefined()
  expect(JSON.parse(requests[0]?.body ?? '')).toMatchObject({
    model: 'my-deployment',
    stream: true,
  })
})

it('asks for one token, as client credentials, and keeps it', async () => {
  const options = { apiKey: secret, settings: entra(), headers: { 'x-team': 'one' } }
  await Promise.all([ask(options), ask(options)])
  const { last } = await ask(options)
  expect(last).toMatchObject({ type: 'finish', text: 'Hi' })
  const [first, ...others] = requests.filter(({ path }) => path.includes('oauth2'))
  expect(others).toEqual([])
  expect(first?.path).toBe(`/tenant-${tenant}/oauth2/v2.0/token`)
  expect(Object.fromEntries(new URLSearchParams(first?.body))).toEqual({
    grant_type: 'client_credentials',
    client_id: 'app-1',
    client_secret: secret,
    scope: 'https://cognitiveservices.azure.com/.default',
  })
  // Headers of the connection are for the provider alone.
  expect(first?.headers['x-team']).toBeUndefined()
  const models = requests.filter(({ path }) => path.endsWith('/responses'))
  expect(models.map(({ headers }) => headers.authorization)).toEqual(
    Array(3).fill(`Bearer ${tokens[0]}`),
  )
  expect(models.map(({ headers }) => headers['x-team'])).toEqual(['one', 'one', 'one'])
  expect(JSON.stringify(models)).not.toContain('s3cret')
})

it('exchanges a token that is refused once, and counts both requests', async () => {
  const options = { apiKey: secret, settings: entra() }
  await ask(options)
  good.clear()
  expect((await ask(options)).last).toMatchObject({ type: 'finish', text: 'Hi', resent: 1 })
  expect(tokens).toHaveLength(2)
})

it('gives up after a second refusal, with neither token nor secret in the log', async () => {
  const options = { apiKey: secret, settings: entra() }
  await ask(options)
  good = new (class extends Set<string> {
    override add(value: string) {
      return value === '' ? super.add(value) : this
    }
  })()
  const { last, log } = await ask(options)
  expect(last).toMatchObject({ type: 'error', failure: { category: 'auth', status: 401 } })
  expect(tokens).toHaveLength(2)
  expect(log).toContain('Bad [key]')
  for (const token of tokens) expect(log).not.toContain(token)
})

it('says that a client secret is refused, and asks again when the next request needs one', async () => {
  const options = { apiKey: 'wrong~secret+value', settings: entra() }
  const { last, log } = await ask(options)
  expect(last).toMatchObject({
    type: 'error',
    failure: { category: 'auth', advice: expect.stringContaining('Microsoft Entra ID refused') },
  })
  expect(log).not.toContain('wrong~secret')
  expect(log).not.toContain(encodeURIComponent('wrong~secret+value'))
  secret = 'wrong~secret+value'
  expect((await ask(options)).last).toMatchObject({ type: 'finish' })
})

it('tests a connection with its list of models, both ways to sign in', async () => {
  const signal = new AbortController().signal
  const tested = (options: Parameters<typeof providerOptions>[0]) =>
    probeConnection('azure-openai', providerOptions({ baseUrl: url, ...options }), signal)
  expect(await tested({ apiKey: 'azure-key-0123' })).toMatchObject({ outcome: 'ok', models: 1 })
  expect(await tested({ apiKey: secret, settings: entra() })).toMatchObject({ outcome: 'ok' })
  expect(await tested({ apiKey: 'no', settings: entra() })).toMatchObject({
    outcome: 'unauthorised',
  })
})

it('sends nothing back that was written over the other API', async () => {
  const call = { callId: 'c', providerCallId: 'call_1', name: 'look', argumentsText: '{}' }
  const messages: ModelRequest['messages'] = [
    { role: 'user', text: 'Look.' },
    {
      role: 'assistant',
      text: '',
      reasoning: [],
      toolCalls: [call],
      native: '[{"type":"reasoning","id":"rs_1","summary":[]}]',
    },
    { role: 'tool', providerCallId: 'call_1', name: 'look', content: 'seen', isError: false },
  ]
  const bodyOf = async (settings: Record<string, string>) => {
    await ask({ apiKey: 'azure-key-0123', settings }, { messages })
    return requests.at(-1)?.body ?? ''
  }
  expect(await bodyOf({})).toContain('rs_1')
  const chat = await bodyOf({ api: 'chat-completions' })
  expect(chat).not.toContain('rs_1')
  expect(chat).toContain('"call_1"')
})

it('takes three rounds with thinking and two calls at once, as they are sent', async () => {
  const model = await startModelServer({ turns: [...playedTurns] })
  const provider = azureOpenAiProvider(
    providerOptions({ baseUrl: `${model.url}/v1`, apiKey: 'azure-key-0123' }),
  )
  const { end } = await playRun(provider, { wire: 'azure-openai', modelId: 'my-deployment' })
  await model.close()
  expect(end).toMatchObject({ reason: 'completed' })
  model.assertDone()
  await expect(asPage('azure-openai', model.requests)).toMatchFileSnapshot(
    '../__snapshots__/three-rounds/azure-openai.md',
  )
})
