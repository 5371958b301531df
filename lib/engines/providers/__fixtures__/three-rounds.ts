import { anthropicRefusal } from '@/tests/support/strict-providers/anthropic-rules'
import { geminiRefusal } from '@/tests/support/strict-providers/gemini-rules'
import type { Json } from '@/tests/support/strict-providers/strict-provider'
import { chatServers } from './chat-rounds'
import { responsesRounds } from './responses-rounds'
import { callArguments, type ThreeRounds } from './round-script'

/** Returns the events of a Messages API answer with this content. */
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
    use('toolu_01A', 'fetch_logs', callArguments[0]),
    { type: 'thinking', thinking: 'Then the users.', signature: 'EqQBsigB==' },
    use('toolu_01B', 'list_users', callArguments[1]),
  ],
  [
    { type: 'text', text: 'One more look.' },
    { type: 'redacted_thinking', data: 'EmwKAhgBEgy3va3p' },
    use('toolu_01C', 'fetch_logs', callArguments[2]),
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

/** Returns why a request is refused. Ollama matches results with calls by their order; images may follow results. */
function ollamaRefusal({ messages }: Json): string | null {
  const paired = (messages as Json[]).filter(({ role, images }) => role !== 'user' || !images)
  const roles = paired.map(({ role, tool_calls }) =>
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
      ollamaLine({ tool_calls: [ollamaCall('fetch_logs', callArguments[0])] }) +
      ollamaLine({ tool_calls: [ollamaCall('list_users', callArguments[1])] }) +
      ollamaEnd,
    ollamaLine({ thinking: 'Warnings.' }) +
      ollamaLine({ tool_calls: [ollamaCall('fetch_logs', callArguments[2])] }) +
      ollamaEnd,
    ollamaLine({ content: 'All is well.' }) + ollamaEnd,
  ],
  refusal: ollamaRefusal,
}

const geminiEvent = (parts: Json[], more: object = {}) =>
  `data: ${JSON.stringify({
    candidates: [{ content: { role: 'model', parts }, index: 0, ...more }],
    usageMetadata: {
      promptTokenCount: 90,
      candidatesTokenCount: 40,
      thoughtsTokenCount: 30,
      totalTokenCount: 160,
    },
  })}\n\n`

/** Google's models give no id to a call, and sign the first one of each answer. */
const geminiParts: Json[][] = [
  [
    { text: 'Logs and users.', thought: true },
    {
      functionCall: { name: 'fetch_logs', args: callArguments[0] },
      thoughtSignature: 'EqQBsigA==',
    },
    { functionCall: { name: 'list_users', args: callArguments[1] } },
  ],
  [
    { text: 'One more look.' },
    {
      functionCall: { name: 'fetch_logs', args: callArguments[2] },
      thoughtSignature: 'EqQBsigB==',
    },
  ],
]

const gemini: ThreeRounds = {
  name: 'gemini',
  wire: 'gemini',
  modelId: 'gemini-3.1-pro',
  contentType: 'text/event-stream',
  answers: [
    ...geminiParts.map(
      (parts) =>
        parts.map((part) => geminiEvent([part])).join('') +
        geminiEvent([{ text: '' }], { finishReason: 'STOP' }),
    ),
    geminiEvent([{ text: 'All is well.' }], { finishReason: 'STOP' }),
  ],
  refusal: (body, round) =>
    geminiRefusal(body, geminiParts.slice(0, round), (signature) =>
      geminiParts.flat().some((part) => part.thoughtSignature === signature),
    ),
}

export const threeRounds = [responsesRounds, anthropic, gemini, ...chatServers, ollama]
