import { describe, expect, it } from 'vitest'
import type { Message, ModelRequest } from '@/lib/protocol/model/message'
import { ConfigurationOptions, defaultModelParameters } from '@/lib/protocol/parameters/parameters'
import { anthropicBody } from './anthropic-request'

const parameters = { ...defaultModelParameters, temperature: 0.5, topP: 0.5, seed: 1 }

const messages: Message[] = [
  { role: 'user', text: 'Look.' },
  {
    role: 'assistant',
    text: 'I will.',
    reasoning: [
      { text: 'Hm.', signature: 'sig==', redacted: false },
      { text: '', signature: 'data==', redacted: true },
      { text: 'of another wire', signature: 'field:reasoning', redacted: false },
      { text: 'unsigned', signature: null, redacted: false },
    ],
    toolCalls: [
      {
        callId: 'c1',
        providerCallId: 'call.1/ü',
        name: 'fetch_logs',
        argumentsText: '{"limit":1}',
      },
      { callId: 'c2', providerCallId: 'p2', name: 'list_users', argumentsText: '{}' },
    ],
  },
  {
    role: 'tool',
    providerCallId: 'call.1/ü',
    name: 'fetch_logs',
    content: 'lines',
    isError: false,
  },
  { role: 'tool', providerCallId: 'p2', name: 'list_users', content: 'no', isError: true },
]

function body(change: Partial<ModelRequest>) {
  const request = {
    modelId: 'claude-sonnet-5-5',
    system: '',
    messages,
    tools: [],
    parameters,
    ...change,
  }
  return JSON.parse(Buffer.from(anthropicBody(request)).toString())
}

const uncached = { ...ConfigurationOptions.parse({}), promptCaching: false }

/** Returns whether the last of these blocks, and no other one, has the cache mark. */
function isMarked(blocks: unknown): boolean {
  if (!Array.isArray(blocks)) return false
  const marked = blocks.map((block) => 'cache_control' in block)
  expect(marked.slice(0, -1)).not.toContain(true)
  return marked.at(-1) === true
}

const tools = [{ name: 'fetch_logs', description: 'd', parameters: { type: 'object' } }]

describe('anthropicBody', () => {
  it('sends no thinking in the portable form, whoever signed or sealed it', () => {
    expect(body({ tools }).messages[1].content).toEqual([
      { type: 'text', text: 'I will.' },
      { type: 'tool_use', id: 'call_1__', name: 'fetch_logs', input: { limit: 1 } },
      { type: 'tool_use', id: 'p2', name: 'list_users', input: {} },
    ])
  })

  it('puts the results of a round into one message, paired with their calls', () => {
    expect(body({ tools }).messages.slice(2)).toEqual([
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'call_1__', content: 'lines' },
          {
            type: 'tool_result',
            tool_use_id: 'p2',
            content: 'no',
            is_error: true,
            cache_control: { type: 'ephemeral' },
          },
        ],
      },
    ])
  })

  it('sends tool turns as text when no tools are offered (SPEC R4)', () => {
    const closing = body({})
    expect(closing).not.toHaveProperty('tools')
    expect(closing.messages.slice(1)).toEqual([
      {
        role: 'assistant',
        content: 'I will.\n[Asked for fetch_logs with {"limit":1}]\n[Asked for list_users with {}]',
      },
      {
        role: 'user',
        content: [
          { type: 'text', text: '[Result of fetch_logs]\nlines' },
          { type: 'text', text: '[Error of list_users]\nno' },
        ],
      },
    ])
  })

  it.each<[string, Partial<ModelRequest>, string[]]>([
    ['with tools', { tools }, ['tools', 'messages.0', 'messages.2']],
    [
      'with tools and a system text',
      { tools, system: 'Be brief.' },
      ['system', 'messages.0', 'messages.2'],
    ],
    ['in the first round', { tools, messages: messages.slice(0, 1) }, ['tools', 'messages.0']],
    [
      'when it is the only request',
      { system: 'Be brief.', messages: messages.slice(0, 1) },
      ['system'],
    ],
    ['in the closing round', { system: 'Be brief.' }, []],
    ['when it is switched off', { tools, system: 'Be brief.', options: uncached }, []],
  ])('R15d: marks what the provider is to keep %s', (_words, change, places) => {
    const sent = body(change)
    const marked = [
      ...['tools', 'system'].flatMap((name) => (isMarked(sent[name]) ? [name] : [])),
      ...sent.messages.flatMap(({ content }: { content: unknown }, index: number) =>
        isMarked(content) ? [`messages.${index}`] : [],
      ),
    ]
    expect(marked).toEqual(places)
  })

  it('always sends a limit, and neither temperature, top-p nor seed', () => {
    expect(Object.keys(body({})).sort()).toEqual(['max_tokens', 'messages', 'model', 'stream'])
  })

  it.each([
    ['claude-sonnet-4-5-20250929', 'enabled'],
    ['claude-opus-4-20250514', 'enabled'],
    ['claude-opus-4-1-20250805', 'enabled'],
    ['claude-3-7-sonnet-20250219', 'enabled'],
    ['claude-opus-4-6', 'adaptive'],
    ['claude-sonnet-5-5', 'adaptive'],
  ])('asks %s for %s thinking', (modelId, type) => {
    const sent = body({
      modelId,
      parameters: { ...parameters, maxOutputTokens: 1000, reasoningEffort: 'low' },
    })
    expect(sent.thinking.type).toBe(type)
    if (type === 'enabled') expect(sent.max_tokens).toBeGreaterThan(sent.thinking.budget_tokens)
    else expect(sent.output_config).toEqual({ effort: 'low' })
  })

  it.each([
    ['claude-sonnet-4-5', 64_000, 64_000, 'low', 64_000, 2_048],
    ['claude-sonnet-4-5', 64_000, 60_000, 'high', 64_000, 24_576],
    ['claude-sonnet-4-5', 64_000, 100, 'medium', 8_292, 8_192],
    ['claude-3-7-sonnet-20250219', 8_192, null, 'high', 8_192, 4_096],
    ['claude-3-7-sonnet-20250219', 1_500, 1_000, 'low', 1_000, null],
    ['claude-sonnet-4-5', null, null, 'low', 10_240, 2_048],
    ['claude-opus-4-6', 8_192, null, 'high', 8_192, undefined],
    ['claude-opus-4-6', 64_000, null, 'high', 32_768, undefined],
    ['claude-opus-4-6', 4_096, 9_000, 'low', 4_096, undefined],
  ] as const)('keeps thinking of %s inside the %s it can write: %s, %s', (...facts) => {
    const [modelId, mostOutputTokens, maxOutputTokens, reasoningEffort, total, budget] = facts
    const sent = body({
      modelId,
      mostOutputTokens,
      parameters: { ...parameters, maxOutputTokens, reasoningEffort },
    })
    expect(sent.max_tokens).toBe(total)
    if (budget === null) expect(sent).not.toHaveProperty('thinking')
    else expect(sent.thinking.budget_tokens).toBe(budget)
  })

  it('asks for no more than a small model can write without being told to', () => {
    expect(body({ mostOutputTokens: 4_096 }).max_tokens).toBe(4_096)
    expect(body({ mostOutputTokens: 64_000 }).max_tokens).toBe(8_192)
  })

  it('sends no empty text, which the wire refuses', () => {
    const empty: Message[] = [
      { role: 'user', text: '  ' },
      { role: 'assistant', text: '', reasoning: [], toolCalls: [] },
      { role: 'user', text: 'x' },
    ]
    expect(JSON.stringify(body({ messages: empty }).messages)).not.toMatch(/:"\s*"/)
  })
})
