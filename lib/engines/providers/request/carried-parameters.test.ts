import { describe, expect, it } from 'vitest'
import { anthropicBody } from '@/lib/engines/providers/anthropic/anthropic-request'
import { bedrockBody } from '@/lib/engines/providers/bedrock/bedrock-request'
import { chatCompletionsBody } from '@/lib/engines/providers/chat-completions/chat-completions-request'
import { geminiBody } from '@/lib/engines/providers/gemini/gemini-request'
import { ollamaBody } from '@/lib/engines/providers/ollama/ollama-request'
import { responsesBody } from '@/lib/engines/providers/openai/responses-request'
import { runAgent } from '@/lib/engines/runtime/run-agent'
import type { ModelRequest } from '@/lib/protocol/model/message'
import type { ModelTarget } from '@/lib/protocol/model/model-target'
import {
  type ConfigurationOptions,
  defaultOptions,
  ModelParameter,
} from '@/lib/protocol/parameters/parameters'
import {
  eventsOf,
  modelTarget,
  runFixture,
  runInput,
  runSnapshot,
  testTool,
} from '@/tests/support/run-fixture'
import { says } from '@/tests/support/scripted-model'

type Effort = NonNullable<ModelRequest['parameters']['reasoningEffort']>

const dialect = { maxTokensField: 'max_tokens', includeUsage: true } as const
const responses = { encryptedReasoning: true, summaries: true, strictTools: true }

/** Body of each API type. Azure OpenAI uses one of the first two, as its connection says. */
const bodies = {
  responses: (request: ModelRequest) => responsesBody(request, responses),
  chat: (request: ModelRequest) => chatCompletionsBody(request, dialect),
  anthropic: anthropicBody,
  bedrock: (request: ModelRequest) => bedrockBody(request, { cachePoints: true, textFormat: true }),
  gemini: geminiBody,
  ollama: ollamaBody,
}
type Body = keyof typeof bodies

const set = {
  parameters: { temperature: 0.31, topP: 0.87, stop: ['STOP-HERE'], seed: 4711 },
  options: {
    verbosity: 'low',
    toolChoice: 'required',
    parallelToolCalls: false,
    serviceTier: 'flex',
  },
} as const

/** Signs of each parameter in a body and in the trace. */
const signs: Record<ModelParameter, { sent: RegExp; said: RegExp }> = {
  temperature: { sent: /"temperature":0\.31/, said: /^Temperature is not sent/ },
  topP: { sent: /"(top_p|topP)":0\.87/, said: /^Top-p is not sent/ },
  stop: { sent: /STOP-HERE/, said: /^Stop sequences are not sent/ },
  seed: { sent: /4711/, said: /^Seed is not sent/ },
  reasoningEffort: {
    sent: /"effort":"|"reasoning_effort":"|"maxReasoningEffort":"|"thinking":|"think":|"thinkingConfig":/,
    said: /^Reasoning effort is not sent/,
  },
  verbosity: { sent: /"verbosity":"low"/, said: /^Verbosity is not sent/ },
  toolChoice: {
    sent: /"tool_choice":("required"|\{"type":"any")|"toolChoice":\{"any"|"mode":"ANY"/,
    said: /^Tool choice is not sent|cannot be made to call a tool while it reasons/,
  },
  parallelToolCalls: {
    sent: /"parallel_tool_calls":false|"disable_parallel_tool_use":true/,
    said: /^The setting for parallel tool calls is not sent/,
  },
  serviceTier: { sent: /flex/, said: /^Service tier is not sent/ },
}

type Asking = {
  body: Body
  target: Partial<ModelTarget>
  effort: Effort
  options?: Partial<ConfigurationOptions>
  maxOutputTokens?: number
}

/** Returns the body of the first request of a run with all parameters set, and the notes of its trace. */
async function sentBy({ body, target, effort, options, maxOutputTokens }: Asking) {
  const run = runFixture({ script: [says('Done.')], tools: [testTool('look')] })
  const plain = runSnapshot().parameters
  const snapshot = runSnapshot({
    targets: [modelTarget({ reasoning: null, ...target })],
    parameters: {
      ...plain,
      ...set.parameters,
      stop: [...set.parameters.stop],
      reasoningEffort: effort,
      ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    },
    options: { ...defaultOptions, ...set.options, ...options },
  })
  await runAgent(runInput({ snapshot }), run.deps)
  const request = run.model.calls[0]?.request
  if (!request) throw new Error('Nothing was asked.')
  const notes = eventsOf(run.events, 'warning').filter(
    ({ data }) => data.code === 'parameter-changed',
  )
  return {
    text: Buffer.from(bodies[body](request)).toString(),
    said: notes.map(({ data }) => data.message),
  }
}

const models: [Body, Partial<ModelTarget> & Pick<ModelTarget, 'wire' | 'modelId'>][] = [
  ['responses', { wire: 'openai', modelId: 'gpt-5.4' }],
  ['chat', { wire: 'openai-compatible', modelId: 'm' }],
  ['responses', { wire: 'azure-openai', modelId: 'deployment' }],
  ['chat', { wire: 'azure-openai', modelId: 'deployment' }],
  ['anthropic', { wire: 'anthropic', modelId: 'claude-opus-4-6' }],
  ['anthropic', { wire: 'anthropic', modelId: 'claude-sonnet-4-5' }],
  // Too little room to think in.
  [
    'anthropic',
    { wire: 'anthropic', modelId: 'claude-3-7-sonnet-20250219', maxOutputTokens: 1_500 },
  ],
  ['bedrock', { wire: 'bedrock', modelId: 'anthropic.claude-opus-4-6-v1:0' }],
  ['bedrock', { wire: 'bedrock', modelId: 'eu.anthropic.claude-sonnet-4-5-20250929-v1:0' }],
  ['bedrock', { wire: 'bedrock', modelId: 'amazon.nova-pro-v1:0' }],
  ['bedrock', { wire: 'bedrock', modelId: 'us.amazon.nova-2-lite-v1:0' }],
  ['bedrock', { wire: 'bedrock', modelId: 'openai.gpt-oss-120b-1:0' }],
  ['gemini', { wire: 'gemini', modelId: 'gemini-3.1-pro' }],
  ['gemini', { wire: 'gemini', modelId: 'gemini-2.5-flash' }],
  ['ollama', { wire: 'ollama', modelId: 'gpt-oss:20b' }],
  ['ollama', { wire: 'ollama', modelId: 'qwen3' }],
  [
    'chat',
    {
      wire: 'openai-compatible',
      modelId: 'refuses-all',
      unsupportedParameters: ModelParameter.options,
    },
  ],
]

describe.each(models)('%s %o', (body, target) => {
  it('every parameter is in the body or named in the trace, never both and never neither', async () => {
    const { text, said } = await sentBy({ body, target, effort: 'high' })
    for (const [name, sign] of Object.entries(signs)) {
      const isSent = sign.sent.test(text)
      const isSaid = said.some((note) => sign.said.test(note))
      expect([name, isSent !== isSaid], `${text}\n${said.join('\n')}`).toEqual([name, true])
    }
  })
})

/** Form of an effort in a body: its name, or a number or switch that no other effort of this model has. */
it.each<[Body, ModelTarget['wire'], string]>([
  ['responses', 'openai', 'gpt-5.4'],
  ['chat', 'openai-compatible', 'm'],
  ['anthropic', 'anthropic', 'claude-opus-4-6'],
  ['anthropic', 'anthropic', 'claude-sonnet-4-5'],
  ['bedrock', 'bedrock', 'anthropic.claude-opus-4-6-v1:0'],
  ['bedrock', 'bedrock', 'us.amazon.nova-2-lite-v1:0'],
  ['bedrock', 'bedrock', 'openai.gpt-oss-120b-1:0'],
  ['bedrock', 'bedrock', 'amazon.nova-pro-v1:0'],
  ['gemini', 'gemini', 'gemini-3.1-pro'],
  ['gemini', 'gemini', 'gemini-3-flash'],
  ['gemini', 'gemini', 'gemini-2.5-flash'],
  ['ollama', 'ollama', 'gpt-oss:20b'],
  ['ollama', 'ollama', 'qwen3'],
])(
  '%s, %s, %s: two efforts make one body only where the trace says so',
  async (body, wire, modelId) => {
    const quiet = new Map<string, Effort>()
    const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const
    for (const effort of efforts) {
      const { text, said } = await sentBy({ body, target: { wire, modelId }, effort })
      const isSaid = said.some((note) =>
        /reasoning effort|^Reasoning effort|is asked to reason/.test(note),
      )
      if (isSaid) continue
      expect(quiet.get(text)).toBeUndefined()
      quiet.set(text, effort)
    }
  },
)

it('names what the trace says of efforts, limits and further fields', async () => {
  const said = async (asking: Omit<Asking, 'body'>) =>
    (await sentBy({ body: 'chat', ...asking })).said
  const gemini = { wire: 'gemini', modelId: 'gemini-3.1-pro' } as const
  expect(await said({ target: gemini, effort: 'none' })).toContain(
    'gemini-3.1-pro does not take the reasoning effort none. It is asked for low.',
  )
  expect(await said({ target: { wire: 'ollama', modelId: 'qwen3' }, effort: 'low' })).toContain(
    'qwen3 is asked to reason, but not how much: Ollama takes no reasoning effort for it.',
  )
  const claude = { wire: 'bedrock', modelId: 'anthropic.claude-opus-4-6-v1:0' } as const
  expect(await said({ target: claude, effort: 'low' })).toContain(
    'Temperature is not sent: anthropic.claude-opus-4-6-v1:0 does not take it while it reasons.',
  )
  expect(
    await said({
      target: { wire: 'anthropic', modelId: 'claude-sonnet-4-5', maxOutputTokens: 1_500 },
      effort: 'low',
      maxOutputTokens: 2_000,
    }),
  ).toEqual(
    expect.arrayContaining([
      'Reasoning effort is not sent: the output limit leaves too few tokens to reason with.',
      'claude-sonnet-4-5 can write at most 1\u202f500 tokens, which is sent instead of the output limit of 2\u202f000.',
    ]),
  )
  expect(
    await said({
      target: { wire: 'openai-compatible', modelId: 'm' },
      effort: 'low',
      options: { extraBody: { plugins: [], safe_prompt: true } },
    }),
  ).toEqual(['The extra body field plugins is not sent: Toolgate sets it itself.'])
})

it.each<[ModelTarget['wire'], string, Effort, Effort]>([
  ['anthropic', 'claude-opus-4-6', 'minimal', 'low'],
  ['gemini', 'gemini-2.5-pro', 'minimal', 'low'],
  ['gemini', 'gemini-3-flash', 'none', 'minimal'],
  ['bedrock', 'us.amazon.nova-2-lite-v1:0', 'minimal', 'low'],
  ['ollama', 'gpt-oss:20b', 'none', 'low'],
  ['ollama', 'gpt-oss:20b', 'xhigh', 'high'],
])('%s, %s: an effort of %s becomes %s', async (wire, modelId, effort, input) => {
  const { said } = await sentBy({ body: 'chat', target: { wire, modelId }, effort })
  expect(said).toContain(
    `${modelId} does not take the reasoning effort ${effort === 'xhigh' ? 'very high' : effort}. It is asked for ${input}.`,
  )
})

it('says that what is set of tools is not sent to a model that asks in text', async () => {
  const target = { wire: 'openai-compatible', toolCalling: 'unsupported' } as const
  const run = runFixture({ script: [says('Done.')], tools: [testTool('look')] })
  const options = { ...defaultOptions, ...set.options }
  const snapshot = runSnapshot({ targets: [modelTarget(target)], options, toolMode: 'prompted' })
  await runAgent(runInput({ snapshot }), run.deps)
  const said = eventsOf(run.events, 'warning').map(({ data }) => data.message)
  expect(said).toEqual(
    expect.arrayContaining([
      'Tool choice is not sent: this model asks for tools in text.',
      'The setting for parallel tool calls is not sent: this model asks for tools in text.',
    ]),
  )
})
