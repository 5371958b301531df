import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import {
  answered,
  closeAll,
  serve,
  type Wire,
} from '@/lib/engines/providers/__fixtures__/ask-provider'
import { providerOptions } from '@/lib/engines/providers/__fixtures__/provider-options'
import { listProviderModels } from './list-provider-models'

afterEach(closeAll)

const unknown = {
  contextTokens: null,
  maxOutputTokens: null,
  toolCalling: 'unconfirmed',
  structuredOutput: null,
  vision: null,
  reasoning: null,
} as const

async function list(wire: Wire, answer: unknown) {
  const baseUrl = await serve(answered(200, answer))
  return listProviderModels(wire, providerOptions({ baseUrl }), new AbortController().signal)
}

describe('what providers say of their models', () => {
  it('OpenAI: ids alone, and only of models to talk to', async () => {
    const ids = ['gpt-5', 'o4-mini', 'text-embedding-3-large', 'whisper-1', 'tts-1', 'dall-e-3']
    const others = ['gpt-4o-realtime-preview', 'omni-moderation-latest', 'gpt-image-1', 'sora-2']
    const data = [...ids, ...others].map((id) => ({ id, object: 'model', owned_by: 'openai' }))
    expect(await list('openai', { object: 'list', data })).toEqual([
      { ...unknown, modelId: 'gpt-5', displayName: 'gpt-5' },
      { ...unknown, modelId: 'o4-mini', displayName: 'o4-mini' },
    ])
  })

  it('Anthropic: windows and capabilities', async () => {
    const yes = { supported: true }
    const capabilities = {
      structured_outputs: yes,
      image_input: yes,
      thinking: { supported: false },
    }
    const model = { type: 'model', id: 'claude-a', display_name: 'Claude A', capabilities }
    const data = [
      { ...model, max_input_tokens: 1_000_000, max_tokens: 128_000, lifecycle: 'active' },
      { ...model, id: 'claude-old', lifecycle: 'retired' },
      { type: 'model', id: 'claude-b', display_name: 'Claude B', capabilities: null },
    ]
    expect(await list('anthropic', { data, has_more: false })).toEqual([
      {
        modelId: 'claude-a',
        displayName: 'Claude A',
        contextTokens: 1_000_000,
        maxOutputTokens: 128_000,
        toolCalling: 'confirmed',
        structuredOutput: true,
        vision: true,
        reasoning: false,
      },
      { ...unknown, modelId: 'claude-b', displayName: 'Claude B' },
    ])
  })

  it.each([
    [
      'OpenRouter',
      {
        name: 'Qwen: Qwen3',
        context_length: 262_144,
        top_provider: { context_length: 131_072, max_completion_tokens: 32_768 },
        architecture: { input_modalities: ['text', 'image'] },
        supported_parameters: ['tools', 'structured_outputs', 'reasoning'],
      },
      {
        displayName: 'Qwen: Qwen3',
        contextTokens: 131_072,
        maxOutputTokens: 32_768,
        toolCalling: 'confirmed',
        structuredOutput: true,
        vision: true,
        reasoning: true,
      },
    ],
    [
      'OpenRouter, without tools',
      { supported_parameters: ['temperature'] },
      { toolCalling: 'unsupported', structuredOutput: false, reasoning: false },
    ],
    ['vLLM', { max_model_len: 32_768 }, { contextTokens: 32_768 }],
    [
      'Groq',
      { context_window: 131_072, max_completion_tokens: 8_192, active: true },
      { contextTokens: 131_072, maxOutputTokens: 8_192 },
    ],
    [
      'LM Studio',
      { type: 'vlm', max_context_length: 40_960, capabilities: ['tool_use'] },
      { contextTokens: 40_960, toolCalling: 'confirmed', vision: true },
    ],
    [
      'Mistral',
      {
        capabilities: { completion_chat: true, function_calling: true, vision: false },
        max_context_length: 131_072,
      },
      { contextTokens: 131_072, toolCalling: 'confirmed', vision: false },
    ],
    ['nonsense', { context_length: -5, max_output_tokens: 1e15, name: 7 }, {}],
  ])('OpenAI-compatible: %s', async (_, facts, known) => {
    const models = await list('openai-compatible', { data: [{ id: 'm', ...facts }] })
    expect(models).toEqual([{ ...unknown, modelId: 'm', displayName: 'm', ...known }])
  })

  it('Ollama: asks for each model by itself, and leaves out what does not chat', async () => {
    const shown: Record<string, object> = {
      'qwen3:8b': {
        capabilities: ['completion', 'tools', 'thinking'],
        model_info: { 'general.architecture': 'qwen3', 'qwen3.context_length': 40_960 },
      },
      'gemma:2b': { capabilities: ['completion'] },
      'minilm:l6': { capabilities: ['embedding'] },
    }
    const requests: string[] = []
    const baseUrl = await serve(async (message, response) => {
      if (message.url === '/api/tags') {
        const models = [...Object.keys(shown), 'gone:1b'].map((name) => ({ name, model: name }))
        return answered(200, { models })(message, response)
      }
      const chunks: Buffer[] = []
      for await (const chunk of message) chunks.push(chunk)
      const { model } = JSON.parse(Buffer.concat(chunks).toString())
      requests.push(`${message.method} ${message.url} ${model}`)
      answered(shown[model] ? 200 : 404, shown[model] ?? {})(message, response)
    })
    const options = providerOptions({ baseUrl })
    expect(await listProviderModels('ollama', options, new AbortController().signal)).toEqual([
      {
        ...unknown,
        modelId: 'gemma:2b',
        displayName: 'gemma:2b',
        toolCalling: 'unsupported',
        vision: false,
        reasoning: false,
      },
      { ...unknown, modelId: 'gone:1b', displayName: 'gone:1b' },
      {
        ...unknown,
        modelId: 'qwen3:8b',
        displayName: 'qwen3:8b',
        contextTokens: 40_960,
        toolCalling: 'confirmed',
        vision: false,
        reasoning: true,
      },
    ])
    expect(requests).toHaveLength(4)
  })

  it('Ollama: looks at four models at a time, and keeps their order', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `model:${index + 10}b`)
    let [open, most] = [0, 0]
    const baseUrl = await serve(async (message, response) => {
      if (message.url === '/api/tags') {
        return answered(200, { models: names.map((name) => ({ name })) })(message, response)
      }
      most = Math.max(most, ++open)
      await wait(10)
      open -= 1
      answered(200, { capabilities: ['completion'] })(message, response)
    })
    const options = providerOptions({ baseUrl })
    const found = await listProviderModels('ollama', options, new AbortController().signal)
    expect(found.map(({ modelId }) => modelId)).toEqual(names)
    expect(most).toBe(4)
  })
})

describe('LM Studio', () => {
  const ids = ['qwen3-8b', 'nomic-v2', 'unlisted']
  const plain = ids.map((id) => ({ id, object: 'model', owned_by: 'organization_owner' }))
  const facts = [
    { id: 'qwen3-8b', type: 'llm', max_context_length: 40_960, capabilities: ['tool_use'] },
    { id: 'nomic-v2', type: 'embeddings', max_context_length: 2_048 },
    { id: 'not-served', type: 'llm', max_context_length: 8_192 },
  ]

  async function listFrom(more: (text: string | undefined) => [number, unknown]) {
    const requests: (string | undefined)[] = []
    const url = await serve((message, response) => {
      requests.push(message.url)
      const isPlain = message.url === '/v1/models'
      const [status, body] = isPlain ? [200, { data: plain }] : more(message.url)
      answered(status, body)(message, response)
    })
    const options = providerOptions({ baseUrl: `${url}/v1` })
    const signal = new AbortController().signal
    return {
      models: await listProviderModels('openai-compatible', options, signal),
      requests,
    }
  }

  it('says in a list of its own what its models can do', async () => {
    const { models, requests } = await listFrom(() => [200, { data: facts }])
    expect(requests).toEqual(['/v1/models', '/api/v0/models'])
    const qwen = { modelId: 'qwen3-8b', displayName: 'qwen3-8b', contextTokens: 40_960 }
    expect(models).toEqual([
      { ...unknown, ...qwen, toolCalling: 'confirmed' },
      { ...unknown, modelId: 'unlisted', displayName: 'unlisted' },
    ])
  })

  it.each([
    ['is not there', 404, {}],
    ['is something else', 200, 'pong'],
    ['is no list', 200, { data: 7 }],
  ])('is listed without facts where that list %s', async (_, status, body) => {
    const { models } = await listFrom(() => [status, body])
    expect(models.map(({ modelId }) => modelId)).toEqual(['nomic-v2', 'qwen3-8b', 'unlisted'])
  })
})

it('is bounded, and takes no id that could not be sent back', async () => {
  const many = Array.from({ length: 5_000 }, (_, index) => ({ id: `m${index}` }))
  expect(await list('openai', { data: many })).toHaveLength(2_000)
  const odd = [{ id: 'x'.repeat(201) }, { id: 'a\u0000b' }, { id: ' a' }, { id: 7 }, null, 'm', []]
  const named = [{ id: 'ok', name: `A\u0007 name\n${'x'.repeat(300)}` }, { id: 'ok' }]
  const models = await list('openai-compatible', { data: [...odd, ...named] })
  expect(models.map(({ modelId }) => modelId)).toEqual(['ok'])
  expect(models[0]?.displayName).toMatch(/^A name x+$/)
  expect(models[0]?.displayName).toHaveLength(100)
})

it('says what a test of the connection would say', async () => {
  const baseUrl = await serve(answered(401, {}))
  const listing = listProviderModels(
    'openai',
    providerOptions({ baseUrl }),
    new AbortController().signal,
  )
  await expect(listing).rejects.toMatchObject({
    code: 'provider-unauthorised',
    message: expect.stringContaining('refused the API key'),
  })
})
