import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import { closeAll, serve } from '@/lib/engines/providers/__fixtures__/ask-provider'
import { providerOptions } from '@/lib/engines/providers/__fixtures__/provider-options'
import type { Message, ModelEvent, ModelRequest } from '@/lib/protocol/model/message'
import { defaultModelParameters, defaultOptions } from '@/lib/protocol/parameters/parameters'
import { testTool } from '@/tests/support/run-fixture'
import { geminiProvider } from './gemini'
import { geminiBody, ownIdPrefix } from './gemini-request'

afterEach(closeAll)

const parameters = defaultModelParameters
const request: ModelRequest = {
  modelId: 'gemini-3.1-pro',
  system: '',
  messages: [{ role: 'user', text: 'Hello' }],
  tools: [],
  parameters,
}

function bodyOf(more: Partial<ModelRequest>) {
  return JSON.parse(Buffer.from(geminiBody({ ...request, ...more })).toString())
}

/** Returns the events of one answer over a real connection, and the paths that were requested. */
async function ask(
  status: number,
  body: string,
  { headers = {}, address = '', modelId = request.modelId } = {},
) {
  const paths: string[] = []
  const url = await serve((message, response) => {
    paths.push(message.url ?? '')
    expect(message.headers['x-goog-api-key']).toBe('key-0123456789')
    expect(message.headers).not.toHaveProperty('authorization')
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
  })
  const provider = geminiProvider(
    providerOptions({ baseUrl: `${url}${address}`, apiKey: 'key-0123456789' }),
  )
  const events: ModelEvent[] = []
  for await (const event of provider.stream({ ...request, modelId }, new AbortController().signal))
    events.push(event)
  return { last: events.at(-1), paths }
}

const whole = readFileSync(new URL('../__fixtures__/gemini-whole.json', import.meta.url), 'utf8')

describe('an answer', () => {
  it('is read where it comes whole instead of as a stream', async () => {
    const { last, paths } = await ask(200, whole)
    expect(last).toMatchObject({ type: 'finish', text: 'Done.' })
    expect(paths).toEqual(['/v1beta/models/gemini-3.1-pro:streamGenerateContent?alt=sse'])
  })

  it('is asked for behind an address that has a path, and of tuned models', async () => {
    const address = '/v1/publishers/google'
    const { paths } = await ask(200, whole, { address, modelId: 'tunedModels/mine 1' })
    expect(paths).toEqual([
      '/v1/publishers/google/tunedModels/mine%201:streamGenerateContent?alt=sse',
    ])
  })

  it('gives calls without an id one of ours, and keeps their signature', async () => {
    const parts = [{ functionCall: { name: 'look', args: {} }, thoughtSignature: 'c2ln' }]
    const usageMetadata = { promptTokenCount: 5, candidatesTokenCount: 5 }
    const { last } = await ask(
      200,
      JSON.stringify({ candidates: [{ content: { parts }, finishReason: 'STOP' }], usageMetadata }),
    )
    expect(last).toMatchObject({
      toolCalls: [{ id: expect.stringMatching(`^${ownIdPrefix}`), name: 'look' }],
      native: JSON.stringify(parts),
    })
  })
})

describe('an answer that ends', () => {
  const usageMetadata = { promptTokenCount: 5, candidatesTokenCount: 5 }
  const answer = (parts: object[], finishReason: string) =>
    JSON.stringify({ candidates: [{ content: { parts }, finishReason }], usageMetadata })

  it('with a call that has an id keeps it, signed or not', async () => {
    const parts = [{ functionCall: { id: 'fc_1', name: 'look', args: {} } }]
    const { last } = await ask(200, answer(parts, 'STOP'))
    expect(last).toMatchObject({ toolCalls: [{ id: 'fc_1' }], native: JSON.stringify(parts) })
  })

  it('because Model Armor withheld it is no answer', async () => {
    const { last } = await ask(200, answer([{ text: 'First,' }], 'MODEL_ARMOR'))
    expect(last).toMatchObject({ type: 'finish', finishReason: 'content-filter' })
  })
})

describe('a refusal', () => {
  const google = (code: number, status: string, details: object[], message = 'Refused.') =>
    JSON.stringify({ error: { code, message, status, details } })

  it.each<[string, number, string, object, object]>([
    [
      'of the key',
      400,
      google(400, 'INVALID_ARGUMENT', [{ reason: 'API_KEY_INVALID' }]),
      {},
      { category: 'auth', status: 400 },
    ],
    [
      'that says when to come back',
      429,
      google(429, 'RESOURCE_EXHAUSTED', [{ retryDelay: '34.5s' }]),
      {},
      { category: 'rate-limited', retryAfterMs: 34_500 },
    ],
    [
      'that says so in its header as well',
      429,
      google(429, 'RESOURCE_EXHAUSTED', [{ retryDelay: '34s' }]),
      { 'retry-after': '2' },
      { category: 'rate-limited', retryAfterMs: 2_000 },
    ],
    [
      'in a list',
      404,
      `[${google(404, 'NOT_FOUND', [], 'models/x is not found for API version v1beta')}]`,
      {},
      { category: 'not-found', status: 404 },
    ],
    ['of the request', 400, google(400, 'INVALID_ARGUMENT', []), {}, { category: 'bad-request' }],
  ])('%s is what it means', async (_name, status, body, headers, failure) => {
    const { last } = await ask(status, body, { headers })
    expect(last).toMatchObject({ type: 'error', failure })
  })
})

describe('a request', () => {
  const look = testTool('look')
  const call = { callId: 'c1', providerCallId: 'call:1', name: 'look', argumentsText: '{"n":1}' }
  const input: Message = { role: 'assistant', text: '', reasoning: [], toolCalls: [call] }
  const result: Message = {
    role: 'tool',
    providerCallId: 'call:1',
    name: 'look',
    content: 'gone',
    isError: true,
  }

  it('marks a call that another provider made, for models that want signatures', () => {
    const messages = [...request.messages, input, result]
    const parts = (modelId: string) =>
      bodyOf({ modelId, messages, tools: [look] }).contents[1].parts
    const functionCall = { name: 'look', args: { n: 1 } }
    expect(parts('gemini-3.1-pro')).toEqual([
      { functionCall, thoughtSignature: 'skip_thought_signature_validator' },
    ])
    expect(parts('gemini-2.5-flash')).toEqual([{ functionCall }])
  })

  it('gives a failed result as an error, with the id of its call only where Google gave it', () => {
    const parts = (id: string, native?: string) => {
      const call = { functionCall: { ...(native && { id }), name: 'look', args: {} } }
      const answer = { ...input, ...(native && { native: JSON.stringify([call]) }) }
      const messages = [...request.messages, answer, { ...result, providerCallId: id }]
      return bodyOf({ messages, tools: [look] }).contents[2].parts
    }
    const response = { error: 'gone' }
    expect(parts('fc_1', 'native')).toEqual([
      { functionResponse: { id: 'fc_1', name: 'look', response } },
    ])
    const bare = [{ functionResponse: { name: 'look', response } }]
    expect(parts(`${ownIdPrefix}1`, 'native')).toEqual(bare)
    expect(parts('call:1')).toEqual(bare)
  })

  it('carries every parameter that the wire knows', () => {
    const options = {
      ...defaultOptions,
      toolChoice: { tool: 'look' },
      serviceTier: 'flex',
      extraBody: {
        safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'OFF' }],
        generationConfig: { topK: 40, temperature: 2 },
        contents: [],
      },
      outputSchema: { type: 'object' },
    }
    const body = bodyOf({
      system: 'Be brief.',
      tools: [look],
      options,
      parameters: {
        ...defaultModelParameters,
        temperature: 0.5,
        topP: 0.9,
        maxOutputTokens: 100,
        stop: ['END'],
        seed: 7,
        reasoningEffort: 'xhigh',
      },
    })
    expect(body).toEqual({
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
      toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['look'] } },
      generationConfig: {
        temperature: 0.5,
        topP: 0.9,
        maxOutputTokens: 100,
        stopSequences: ['END'],
        seed: 7,
        thinkingConfig: { includeThoughts: true, thinkingLevel: 'HIGH' },
        topK: 40,
      },
      serviceTier: 'flex',
      safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'OFF' }],
      tools: [
        {
          functionDeclarations: [
            expect.objectContaining({ name: 'look', parametersJsonSchema: expect.anything() }),
          ],
        },
      ],
      contents: [{ role: 'user', parts: [{ text: 'Hello' }] }],
    })
    expect(bodyOf({ options }).generationConfig).toMatchObject({
      responseMimeType: 'application/json',
      responseJsonSchema: { type: 'object' },
    })
  })

  it.each([
    ['gemini-3.1-pro', 'none', { thinkingLevel: 'LOW' }],
    ['gemini-3-flash', 'none', { thinkingLevel: 'MINIMAL' }],
    ['gemini-3.8-flash', 'minimal', { includeThoughts: true, thinkingLevel: 'LOW' }],
    ['gemini-3-flash', 'medium', { includeThoughts: true, thinkingLevel: 'MEDIUM' }],
    ['gemini-2.5-flash', 'none', { thinkingBudget: 0 }],
    ['gemini-2.5-pro', 'low', { includeThoughts: true, thinkingBudget: 1_024 }],
  ] as const)('asks %s to think with effort %s in its own words', (modelId, effort, expected) => {
    const body = bodyOf({ modelId, parameters: { ...parameters, reasoningEffort: effort } })
    expect(body.generationConfig.thinkingConfig).toEqual(expected)
  })
})
