import { anthropicRefusal } from '@/tests/support/strict-providers/anthropic-rules'
import {
  chatRefusal,
  geminiRule,
  mistralRule,
  openRouterRule,
  reasoningContentRule,
} from '@/tests/support/strict-providers/chat-rules'
import type { Json, StrictRounds } from '@/tests/support/strict-providers/strict-provider'
import { chunk, counts, sse } from './dialects/dialect-case'
import type { Wire } from './recordings'

/** A run of three rounds with a provider that holds its own rules: two calls at once, then one, then words. */
export type ThreeRounds = { name: string; wire: Wire; modelId: string } & StrictRounds

const limits = [{ level: 'error' }, {}, { level: 'warn' }] as const

/** The three calls of a run, with ids as the provider makes them. */
function wireCalls(ids: readonly [string, string, string], more: readonly object[] = []) {
  const names = ['fetch_logs', 'list_users', 'fetch_logs']
  return ids.map((id, at) => ({
    id,
    type: 'function',
    function: { name: names[at], arguments: JSON.stringify(limits[at]) },
    ...more[at],
  }))
}

const usage = { prompt_tokens: 90, completion_tokens: 40, total_tokens: 130 }

/** An answer with calls as a stream: what is before them, then each call in two pieces. */
function chatStream(before: object[], calls: Json[]): string {
  const pieces = calls.flatMap((call, index) => {
    const { name, arguments: text } = call.function as { name: string; arguments: string }
    return [
      chunk({ tool_calls: [{ ...call, index, function: { name, arguments: '' } }] }),
      chunk({ tool_calls: [{ index, function: { arguments: text } }] }),
    ]
  })
  return sse(
    ...before.map((delta) => chunk(delta)),
    ...pieces,
    chunk({}, 'tool_calls'),
    counts(usage),
    '[DONE]',
  )
}

const lastWords = sse(
  chunk({ content: 'All is well.' }),
  chunk({}, 'stop'),
  counts(usage),
  '[DONE]',
)

type Thinking = { deltas: object[]; message: Json }

/** A server of Chat Completions: what it sends before its calls, and the message that it wants back. */
function chatRounds(
  name: string,
  rule: Parameters<typeof chatRefusal>[2],
  calls: Json[],
  thinking: readonly [Thinking, Thinking],
): ThreeRounds {
  const asked = [calls.slice(0, 2), calls.slice(2)]
  const given = asked.map((tool_calls, at) => ({ ...thinking[at]?.message, tool_calls }))
  return {
    name,
    wire: 'openai-compatible',
    modelId: 'test-model',
    contentType: 'text/event-stream',
    answers: [...asked.map((own, at) => chatStream(thinking[at]?.deltas ?? [], own)), lastWords],
    refusal: (body, round) => chatRefusal(body, given.slice(0, round), rule),
  }
}

const signed = (thought_signature: string) => ({ extra_content: { google: { thought_signature } } })
const nothing: Thinking = { deltas: [], message: {} }

const gemini = chatRounds(
  'gemini-openai',
  geminiRule,
  wireCalls(['call_g1', 'call_g2', 'call_g3'], [signed('c2lnQQ=='), {}, signed('c2lnQg==')]),
  [nothing, nothing],
)

const detail = (more: object) => ({ format: 'anthropic-claude-v1', index: 0, ...more })
const routed = (words: readonly [string, string], signature: string): Thinking => ({
  deltas: [
    ...words.map((text) => ({
      reasoning: text,
      reasoning_details: [detail({ type: 'reasoning.text', text })],
    })),
    { reasoning_details: [detail({ type: 'reasoning.text', signature })] },
  ],
  message: {
    reasoning_details: [detail({ type: 'reasoning.text', text: words.join(''), signature })],
  },
})
const openRouter = chatRounds(
  'openrouter',
  openRouterRule,
  wireCalls(['toolu_1', 'toolu_2', 'toolu_3']),
  [routed(['Logs ', 'and users.'], 'sigA=='), routed(['Warnings', '.'], 'sigB==')],
)

const parted = (words: readonly [string, string]): Thinking => ({
  deltas: words.map((text) => ({
    content: [{ type: 'thinking', thinking: [{ type: 'text', text }] }],
  })),
  message: {
    content: [{ type: 'thinking', thinking: [{ type: 'text', text: words.join('') }] }],
  },
})
const mistral = chatRounds(
  'mistral',
  mistralRule,
  wireCalls(['D681PevKs', 'a8RfT20xK', 'Zq7mB2xL5']),
  [parted(['Logs ', 'and users.']), parted(['Warnings', '.'])],
)

const plain = (words: readonly [string, string]): Thinking => ({
  deltas: words.map((reasoning_content) => ({ reasoning_content })),
  message: { reasoning_content: words.join('') },
})
const deepseek = chatRounds(
  'deepseek',
  reasoningContentRule,
  wireCalls(['call_00_a', 'call_01_b', 'call_00_c']),
  [plain(['Logs ', 'and users.']), plain(['Warnings', '.'])],
)

/** The events of an answer of the Messages API with this content. */
function anthropicStream(content: readonly Json[], stop_reason: string): string {
  const event = (type: string, body: object) =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...body })}\n\n`
  const blocks = content.flatMap((content_block, index) => {
    const { begun, deltas } = piecesOf(content_block)
    return [
      event('content_block_start', { index, content_block: begun }),
      ...deltas.map((delta) => event('content_block_delta', { index, delta })),
      event('content_block_stop', { index }),
    ]
  })
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    content: [],
    stop_reason: null,
  }
  return [
    event('message_start', {
      message: { ...message, usage: { input_tokens: 90, output_tokens: 1 } },
    }),
    ...blocks,
    event('message_delta', { delta: { stop_reason }, usage: { output_tokens: 40 } }),
    event('message_stop', {}),
  ].join('')
}

function piecesOf(block: Json): { begun: Json; deltas: Json[] } {
  switch (block.type) {
    case 'text':
      return { begun: { ...block, text: '' }, deltas: [{ type: 'text_delta', text: block.text }] }
    case 'thinking':
      return {
        begun: { ...block, thinking: '', signature: '' },
        deltas: [
          { type: 'thinking_delta', thinking: block.thinking },
          { type: 'signature_delta', signature: block.signature },
        ],
      }
    case 'tool_use':
      return {
        begun: { ...block, input: {} },
        deltas: [{ type: 'input_json_delta', partial_json: JSON.stringify(block.input) }],
      }
    default:
      return { begun: block, deltas: [] }
  }
}

const use = (id: string, name: string, input: object) => ({
  type: 'tool_use',
  id,
  name,
  input,
  caller: { type: 'direct' },
})

const anthropicContent: Json[][] = [
  [
    { type: 'thinking', thinking: 'The logs first.', signature: 'EqQBsigA==' },
    use('toolu_01A', 'fetch_logs', limits[0]),
    { type: 'thinking', thinking: 'Then the users.', signature: 'EqQBsigB==' },
    use('toolu_01B', 'list_users', limits[1]),
  ],
  [
    { type: 'text', text: 'One more look.' },
    { type: 'redacted_thinking', data: 'EmwKAhgBEgy3va3p' },
    use('toolu_01C', 'fetch_logs', limits[2]),
  ],
]

const anthropic: ThreeRounds = {
  name: 'anthropic',
  wire: 'anthropic',
  modelId: 'claude-sonnet-5-5',
  contentType: 'text/event-stream',
  answers: [
    ...anthropicContent.map((content) => anthropicStream(content, 'tool_use')),
    anthropicStream([{ type: 'text', text: 'All is well.' }], 'end_turn'),
  ],
  refusal: (body, round) => anthropicRefusal(body, anthropicContent.slice(0, round)),
}

const ollamaLine = (message: object, more: object = { done: false }) =>
  `${JSON.stringify({ model: 'm', message: { role: 'assistant', content: '', ...message }, ...more })}\n`
const ollamaEnd = ollamaLine(
  {},
  { done: true, done_reason: 'stop', prompt_eval_count: 90, eval_count: 40 },
)
const ollamaCall = (name: string, args: object) => ({ function: { name, arguments: args } })

/** Ollama pairs results with calls by their order. */
function ollamaRefusal({ messages }: Json): string | null {
  const roles = (messages as Json[]).map(({ role, tool_calls }) =>
    role === 'assistant' ? (tool_calls as Json[]).length : role,
  )
  const expected = ['system', 'user', 2, 'tool', 'tool', 1, 'tool']
  return roles.every((role, at) => role === expected[at]) ? null : `messages: ${roles.join(', ')}`
}

const ollama: ThreeRounds = {
  name: 'ollama',
  wire: 'ollama',
  modelId: 'gpt-oss:20b',
  contentType: 'application/x-ndjson',
  answers: [
    ollamaLine({ thinking: 'Logs and users.' }) +
      ollamaLine({ tool_calls: [ollamaCall('fetch_logs', limits[0])] }) +
      ollamaLine({ tool_calls: [ollamaCall('list_users', limits[1])] }) +
      ollamaEnd,
    ollamaLine({ thinking: 'Warnings.' }) +
      ollamaLine({ tool_calls: [ollamaCall('fetch_logs', limits[2])] }) +
      ollamaEnd,
    ollamaLine({ content: 'All is well.' }) + ollamaEnd,
  ],
  refusal: ollamaRefusal,
}

export const threeRounds = [anthropic, gemini, openRouter, mistral, deepseek, ollama]
