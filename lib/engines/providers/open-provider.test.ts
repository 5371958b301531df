import { afterEach, describe, expect, it } from 'vitest'
import type { Message, ModelEvent, ModelFinish, ModelRequest } from '@/lib/protocol/model/message'
import { defaultModelParameters } from '@/lib/protocol/parameters/parameters'
import type { ToolSpec } from '@/lib/protocol/tool'
import type { ScriptedTurn, ServedRequest } from '@/tests/support/model-server/scripted-turn'
import { type ModelServer, startModelServer } from '@/tests/support/model-server/start-model-server'
import { openProvider } from './open-provider'

const wires = ['openai', 'openai-compatible', 'anthropic', 'ollama'] as const
type Wire = (typeof wires)[number]

let server: ModelServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

const tools: ToolSpec[] = [
  {
    name: 'fetch_logs',
    description: 'Reads logs.',
    parameters: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: { limit: { type: 'integer' } },
    },
  },
  { name: 'list_users', description: 'Lists users.', parameters: { type: 'object' } },
]

function request(messages: Message[], change: Partial<ModelRequest> = {}): ModelRequest {
  return {
    modelId: 'test-model',
    system: 'Be brief.',
    messages,
    tools,
    parameters: defaultModelParameters,
    ...change,
  }
}

const requests: Message[] = [{ role: 'user', text: 'What happened?' }]

async function ask(wire: Wire, turns: ScriptedTurn[], model = request(requests)) {
  server = await startModelServer({ turns, apiKey: 'sk-test-key-0123456789' })
  const provider = openProvider(wire, {
    baseUrl: wire.startsWith('openai') ? `${server.url}/v1` : server.url,
    apiKey: 'sk-test-key-0123456789',
    settings: {},
    organisation: wire === 'openai' ? 'org-1' : null,
    headers: {},
    privateAddressAllowed: true,
    publicAddressRefused: false,
    onIncident: () => {},
    newId: () => 'incident-1',
  })
  const events: ModelEvent[] = []
  for await (const event of provider.stream(model, new AbortController().signal)) events.push(event)
  return { events, sent: server.requests[0] as ServedRequest }
}

function finishOf(events: ModelEvent[]): ModelFinish {
  const last = events.at(-1)
  if (last?.type !== 'finish') throw new Error(`No finish: ${JSON.stringify(last)}`)
  return last
}

const joined = (events: ModelEvent[], type: 'text-delta' | 'reasoning-delta') =>
  events.map((event) => (event.type === type ? event.text : '')).join('')

describe.each(wires)('%s', (wire) => {
  it('streams text and ends with the whole of it', async () => {
    const { events, sent } = await ask(wire, [
      { text: 'All is well — schön 🙂.', usage: { inputTokens: 12, outputTokens: 5 } },
    ])
    const finish = finishOf(events)
    expect(finish.text).toBe('All is well — schön 🙂.')
    expect(joined(events, 'text-delta')).toBe(finish.text)
    expect(finish).toMatchObject({ finishReason: 'stop', toolCalls: [] })
    expect(finish.usage).toMatchObject({ inputTokens: 12, outputTokens: 5, estimated: false })
    expect(sent).toMatchObject({
      system: 'Be brief.',
      prompt: 'What happened?',
      offered: ['fetch_logs', 'list_users'],
    })
    expect(JSON.stringify(sent.body)).not.toContain('$schema')
  })

  it('gives parallel calls whole, and no arguments as {}', async () => {
    const calls = [
      { name: 'fetch_logs', arguments: { limit: 3, text: 'ünï "quoted" \n' } },
      { name: 'list_users', arguments: wire === 'ollama' ? {} : '' },
    ]
    const { events } = await ask(wire, [{ calls }])
    const finish = finishOf(events)
    expect(finish.finishReason).toBe('tool-calls')
    expect(
      finish.toolCalls.map(({ name, argumentsText }) => [name, JSON.parse(argumentsText)]),
    ).toEqual([
      ['fetch_logs', { limit: 3, text: 'ünï "quoted" \n' }],
      ['list_users', {}],
    ])
    for (const { id } of finish.toolCalls) {
      if (wire === 'ollama') expect(id).toBeNull()
      else expect(id).toMatch(/^call_/)
    }
    const drafted = events.flatMap((e) =>
      e.type === 'tool-call-delta' && e.index === 0 ? [e.argumentsText] : [],
    )
    expect(drafted.join('')).toBe(finish.toolCalls[0]?.argumentsText)
  })

  it('sends a conversation with calls back in the words of its wire', async () => {
    const messages: Message[] = [
      ...requests,
      {
        role: 'assistant',
        text: '',
        reasoning: [],
        toolCalls: [
          { callId: 'c1', providerCallId: 'p1', name: 'fetch_logs', argumentsText: '{"limit":2}' },
          { callId: 'c2', providerCallId: 'p2', name: 'list_users', argumentsText: '[]' },
          { callId: 'c3', providerCallId: 'p3', name: 'list_users', argumentsText: '{"half' },
        ],
      },
      { role: 'tool', providerCallId: 'p1', name: 'fetch_logs', content: 'one', isError: false },
      { role: 'tool', providerCallId: 'p2', name: 'list_users', content: 'two', isError: true },
      { role: 'tool', providerCallId: 'p3', name: 'list_users', content: 'three', isError: true },
    ]
    const { sent } = await ask(wire, [{ text: 'ok' }], request(messages))
    expect(sent.results).toEqual(['one', 'two', 'three'])
    expect(sent.round).toBe(1)
    expect(JSON.parse(JSON.stringify(sent.body.messages ?? sent.body.input))).toMatchSnapshot()
  })

  it('sends no tools field and nothing that was not set when nothing is offered', async () => {
    const { sent } = await ask(wire, [{ text: 'ok' }], request(requests, { tools: [], system: '' }))
    const own: Record<Wire, string[]> = {
      openai: ['include', 'input', 'store'],
      'openai-compatible': ['messages', 'stream_options'],
      anthropic: ['max_tokens', 'messages'],
      ollama: ['messages'],
    }
    expect(Object.keys(sent.body).sort()).toEqual(['model', 'stream', ...own[wire]].sort())
    expect(sent.body.messages ?? sent.body.input).toHaveLength(1)
  })

  it('sends the parameters an admin set', async () => {
    const parameters = {
      ...defaultModelParameters,
      temperature: 0.2,
      topP: 0.9,
      maxOutputTokens: 100,
      stop: ['END'],
      seed: 7,
      reasoningEffort: 'low' as const,
    }
    const { sent } = await ask(wire, [{ text: 'ok' }], request(requests, { parameters, tools: [] }))
    const { messages: _messages, input: _input, ...fields } = sent.body
    expect(fields).toMatchSnapshot()
  })

  it('keeps a text that hit the limit, and gives no call of it', async () => {
    const { events } = await ask(wire, [
      { text: 'Half a', calls: [{ name: 'fetch_logs', arguments: '{"limit":' }], finish: 'length' },
    ])
    expect(finishOf(events)).toMatchObject({
      finishReason: 'length',
      text: 'Half a',
      toolCalls: [],
    })
  })

  it('tells thinking from text', async () => {
    const { events } = await ask(wire, [{ reasoning: 'Let me think.', text: 'Four.' }])
    expect(finishOf(events).reasoning.map((block) => block.text)).toEqual(['Let me think.'])
    expect(joined(events, 'reasoning-delta')).toBe('Let me think.')
    expect(joined(events, 'text-delta')).toBe('Four.')
  })

  it('claims no usage when there was none', async () => {
    const { events } = await ask(wire, [{ text: 'ok', usage: null }])
    expect(finishOf(events).usage).toBeNull()
  })
})
