import { afterEach, describe, expect, it } from 'vitest'
import type { WorstCase } from '@/lib/engines/runtime/deps'
import { runAgent } from '@/lib/engines/runtime/run-agent'
import type { ModelTarget } from '@/lib/protocol/model/model-target'
import { wireWords } from '@/lib/protocol/parameters/parameter-values'
import { type ConfigurationOptions, defaultOptions } from '@/lib/protocol/parameters/parameters'
import type { RunSnapshot } from '@/lib/protocol/run/run-snapshot'
import { startModelServer } from '@/tests/support/model-server/start-model-server'
import {
  eventsOf,
  modelTarget,
  runFixture,
  runInput,
  runSnapshot,
  testTool,
} from '@/tests/support/run-fixture'
import { closeAll, closeLater, key, serve, type Wire, wires } from './__fixtures__/ask-provider'
import { providerOptions } from './__fixtures__/provider-options'
import { openProvider } from './open-provider'

afterEach(closeAll)

type Asking = {
  target?: Partial<ModelTarget>
  parameters?: Partial<RunSnapshot['parameters']>
  options?: Partial<ConfigurationOptions>
  /** Offers a tool. */
  withTool?: boolean
  /** Adds a budget that counts the call. */
  budgeted?: boolean
}

/** Returns the only body that a run of the loop sends over an API, and what was reserved for it. */
async function sentBy(wire: Wire, asking: Asking) {
  const { target, parameters, options, withTool = false, budgeted = false } = asking
  const bodies: Record<string, unknown>[] = []
  const model = await startModelServer({
    turns: [{ text: options?.outputSchema ? '{"n":1}' : 'Hello.' }],
  })
  closeLater(model.close)
  const url = await serve(async (message, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of message) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    bodies.push(JSON.parse(body.toString()))
    const answer = await fetch(`${model.url}${message.url}`, { method: 'POST', body })
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' })
    response.end(Buffer.from(await answer.arrayBuffer()))
  })
  const baseUrl = wire.startsWith('openai') ? `${url}/v1` : url
  const provider = openProvider(wire, providerOptions({ baseUrl, apiKey: key }))
  const held: WorstCase[] = []
  const { deps, events } = runFixture({
    tools: withTool ? [testTool('look')] : [],
    deps: {
      streamModel: (_target, request, signal) => provider.stream(request, signal),
      // Its only wait is for the end of its time.
      after: () => () => undefined,
      reserve: async (call) => {
        held.push(await call.worst())
        const reservationId = budgeted ? '00000000-0000-7000-8000-000000000001' : null
        return { type: 'held', reservationId, warning: null }
      },
    },
  })
  const plain = runSnapshot()
  const snapshot = runSnapshot({
    targets: [modelTarget({ wire, ...target })],
    parameters: { ...plain.parameters, ...parameters },
    ...(options && { options: { ...defaultOptions, ...options } }),
  })
  const { end } = await runAgent(runInput({ snapshot }), deps)
  expect(end?.reason).toBe('completed')
  expect(bodies).toHaveLength(1)
  const warnings = eventsOf(events, 'warning').map(({ data }) => data.message)
  return { body: bodies[0] ?? {}, held: held[0]?.outputTokens ?? 0, warnings }
}

/** Returns the output limit in a body, whatever its field. */
function limitOf(wire: Wire, body: Record<string, unknown>): unknown {
  if (wire === 'openai') return body.max_output_tokens
  if (wire === 'ollama') return (body.options as Record<string, unknown> | undefined)?.num_predict
  return body.max_tokens
}

describe.each(wires)('%s', (wire) => {
  it('carries what a budget held when nothing else limits the answer (SPEC M2)', async () => {
    const { body, held } = await sentBy(wire, { budgeted: true })
    expect(held).toBe(8_192)
    expect(limitOf(wire, body)).toBe(held)
    const small = await sentBy(wire, { budgeted: true, target: { contextTokens: 6_000 } })
    expect(limitOf(wire, small.body)).toBe(small.held)
    // Requests to Claude say their limit whole, whatever room is estimated.
    if (wire === 'anthropic') expect(small.held).toBe(held)
    else expect(small.held).toBeLessThan(6_000)
  })

  it('carries the limit of configuration and model, and of nobody when there is none', async () => {
    const set = await sentBy(wire, { budgeted: true, parameters: { maxOutputTokens: 100 } })
    expect(limitOf(wire, set.body)).toBe(100)
    const cut = await sentBy(wire, {
      target: { maxOutputTokens: 50 },
      parameters: { maxOutputTokens: 100 },
    })
    expect(limitOf(wire, cut.body)).toBe(50)
    if (wire === 'anthropic') return
    expect(limitOf(wire, (await sentBy(wire, {})).body)).toBeUndefined()
    const known = await sentBy(wire, { budgeted: true, target: { maxOutputTokens: 500 } })
    expect(limitOf(wire, known.body)).toBeUndefined()
    expect(known.held).toBe(500)
  })

  it('asks no model to think that cannot', async () => {
    const parameters = { reasoningEffort: 'low' } as const
    const fields = /"think|"reasoning"|reasoning_effort|output_config/
    const plain = await sentBy(wire, { parameters, target: { reasoning: false } })
    expect(JSON.stringify(plain.body)).not.toMatch(fields)
    for (const reasoning of [true, null]) {
      const { body } = await sentBy(wire, { parameters, target: { reasoning } })
      expect(JSON.stringify(body)).toMatch(fields)
    }
  })
})

const outputSchema = {
  type: 'object',
  properties: { n: { type: 'integer', minimum: 1 } },
  required: ['n'],
  additionalProperties: false,
}
const closed = {
  type: 'object',
  properties: { n: { type: 'integer', description: '{minimum: 1}' } },
}
const jsonSchema = { schema: outputSchema, name: 'answer', strict: true }

it.each<[Wire, object]>([
  ['openai', { text: { format: { type: 'json_schema', ...jsonSchema } } }],
  ['openai-compatible', { response_format: { type: 'json_schema', json_schema: jsonSchema } }],
  ['ollama', { format: outputSchema }],
  ['anthropic', { output_config: { format: { type: 'json_schema', schema: closed } } }],
])('%s: asks for an answer that fits a schema', async (wire, sent) => {
  const target = { structuredOutput: true }
  const { body } = await sentBy(wire, { target, options: { outputSchema } })
  expect(body).toMatchObject(sent)
  const unknown = await sentBy(wire, { options: { outputSchema } })
  expect(JSON.stringify(unknown.body)).not.toMatch(/json_schema|"format"/)
})

it('anthropic: a schema and an effort are two fields of one object', async () => {
  const { body } = await sentBy('anthropic', {
    target: { modelId: 'claude-opus-4-6', structuredOutput: true, reasoning: true },
    parameters: { reasoningEffort: 'low' },
    options: { outputSchema },
  })
  expect(body.output_config).toMatchObject({ effort: 'low', format: { type: 'json_schema' } })
})

it('anthropic: asks for no more than the model can write, thinking and all', async () => {
  const { body, held } = await sentBy('anthropic', {
    target: { modelId: 'claude-sonnet-4-5', maxOutputTokens: 64_000 },
    parameters: { maxOutputTokens: 64_000, reasoningEffort: 'low' },
  })
  expect(body.max_tokens).toBe(64_000)
  expect(held).toBe(64_000)
})

const everything: Partial<ConfigurationOptions> = {
  verbosity: 'low',
  toolChoice: { tool: 'look' },
  parallelToolCalls: false,
  serviceTier: 'flex',
  extraBody: { x_further: { deep: [1] }, model: 'other', tools: [], stream: false },
}
/** OpenAI refuses fields that it does not know. */
const knownOnly = { prompt_cache_key: 'team', text: { verbosity: 'high' }, store: true, model: 'x' }
const without = ({ body }: { body: Record<string, unknown> }) => {
  const { messages: _, input: __, tools, ...fields } = body
  return { ...fields, tools: Array.isArray(tools) ? tools.length : 0 }
}

const parallelCalls = 'The setting for parallel tool calls'

describe('with every option set', () => {
  it.each([
    ['openai', []],
    ['openai-compatible', []],
    ['anthropic', ['Verbosity']],
    ['ollama', ['Verbosity', 'Tool choice', parallelCalls, 'Service tier']],
  ] as const)('%s', async (wire, left) => {
    const extraBody = wire === 'openai' ? knownOnly : everything.extraBody
    const options = { ...everything, extraBody }
    const sent = await sentBy(wire, { options, withTool: true })
    expect(without(sent)).toMatchSnapshot()
    const fields =
      wire === 'openai' ? ['model', 'text.verbosity', 'store'] : ['model', 'tools', 'stream']
    const said = [
      ...left.map((name) => `${name} is not sent: ${wireWords[wire]} does not take it.`),
      ...fields.map((name) => `The extra body field ${name} is not sent: Toolgate sets it itself.`),
    ]
    expect(sent.warnings).toEqual(said)
  })

  it('says nothing of tools to a model that is offered none', async () => {
    const sent = await sentBy('openai-compatible', { options: everything })
    expect(sent.body).toMatchObject({ verbosity: 'low', service_tier: 'flex' })
    for (const field of ['tools', 'tool_choice', 'parallel_tool_calls']) {
      expect(sent.body).not.toHaveProperty(field)
    }
  })

  it('sends nothing that the model refuses', async () => {
    const target = {
      unsupportedParameters: ['verbosity', 'toolChoice', 'parallelToolCalls', 'serviceTier'],
    } satisfies Partial<ModelTarget>
    const { body } = await sentBy('openai-compatible', {
      options: everything,
      target,
      withTool: true,
    })
    for (const field of ['verbosity', 'tool_choice', 'parallel_tool_calls', 'service_tier']) {
      expect(body).not.toHaveProperty(field)
    }
  })
})

it.each([
  ['required', { type: 'any', disable_parallel_tool_use: false }],
  ['auto', { type: 'auto', disable_parallel_tool_use: false }],
  ['none', { type: 'none' }],
] as const)('anthropic: a choice of %s', async (toolChoice, expected) => {
  const options = { toolChoice, parallelToolCalls: true }
  const { body } = await sentBy('anthropic', { options, withTool: true })
  expect(body.tool_choice).toEqual(expected)
})

it.each([
  ['claude-opus-5', 'low'],
  ['claude-opus-5-5', null],
  ['claude-fable-5-2', null],
] as const)(
  'anthropic: %s that reasons (effort %s) chooses by itself, and the trace says so',
  async (modelId, reasoningEffort) => {
    const { body, warnings } = await sentBy('anthropic', {
      target: { modelId },
      options: { toolChoice: 'required' },
      parameters: { reasoningEffort },
      withTool: true,
    })
    expect(body.tool_choice).toEqual({ type: 'auto' })
    expect(warnings).toEqual([
      expect.stringMatching(/cannot be made to call a tool while it reasons/),
    ])
  },
)

it.each(['claude-opus-5', 'claude-haiku-5-5', 'claude-fable-5'])(
  'anthropic: %s that is asked for no effort is made to call a tool',
  async (modelId) => {
    const { body, warnings } = await sentBy('anthropic', {
      target: { modelId },
      options: { toolChoice: 'required' },
      withTool: true,
    })
    expect(body.tool_choice).toEqual({ type: 'any' })
    expect(warnings).toEqual([])
  },
)

it('ollama: further options stand beside those of the configuration', async () => {
  const { body } = await sentBy('ollama', {
    parameters: { temperature: 0.5 },
    options: { extraBody: { keep_alive: '5m', options: { num_ctx: 8_192, temperature: 2 } } },
  })
  expect(body).toMatchObject({ keep_alive: '5m', options: { num_ctx: 8_192, temperature: 0.5 } })
})

it('the nearest lower effort that a model takes is sent, and the trace says so', async () => {
  const { body, warnings } = await sentBy('openai-compatible', {
    target: { reasoningEfforts: ['low', 'medium'] },
    parameters: { reasoningEffort: 'xhigh' },
    options: {},
  })
  expect(body.reasoning_effort).toBe('medium')
  expect(warnings).toEqual([
    'test-model does not take the reasoning effort very high. It is asked for medium.',
  ])
})
