import { converseEvent, converseException } from '@/tests/support/model-server/event-stream-frame'
import { type Expected, usage } from './recordings'

// The events are those of the Converse API's reference (ConverseStreamOutput and its members) and of the types of
// @aws-sdk/client-bedrock-runtime 3.1162.0, both read on 2026-11-23; `p` is the padding that the service adds. A test has
// the client's own reader read these very bytes.

const start = converseEvent('messageStart', { p: 'abcdefgh', role: 'assistant' })
const delta = (contentBlockIndex: number, piece: object) =>
  converseEvent('contentBlockDelta', { contentBlockIndex, delta: piece, p: 'abcdefghijklm' })
const stop = (contentBlockIndex: number) =>
  converseEvent('contentBlockStop', { contentBlockIndex, p: 'abcd' })
const call = (contentBlockIndex: number, toolUseId: string, name: string) =>
  converseEvent('contentBlockStart', {
    contentBlockIndex,
    p: 'abc',
    start: { toolUse: { name, toolUseId } },
  })
const end = (stopReason: string) => converseEvent('messageStop', { p: 'abcdef', stopReason })
const metadata = (figures: object) =>
  converseEvent('metadata', { metrics: { latencyMs: 1275 }, p: 'abcdefghij', usage: figures })

const signature = 'EqQBCgIYAhIM1gbcDa9GJwZA2b3hGgxBdjrkzLoky3dl1pk='
const redacted = Buffer.from('hidden thoughts').toString('base64')

export const bedrockRecordings: [name: string, frames: Buffer[], expected: Expected][] = [
  [
    'text',
    [
      start,
      delta(0, { text: 'Die Grüße' }),
      delta(0, { text: ' 🙂 sind' }),
      delta(0, { text: ' da.' }),
      stop(0),
      end('end_turn'),
      metadata({ inputTokens: 22, outputTokens: 12, totalTokens: 34 }),
    ],
    { finishReason: 'stop', text: 'Die Grüße 🙂 sind da.', usage: usage(22, 12) },
  ],
  [
    'thinking, text and two parallel calls',
    [
      start,
      delta(0, { reasoningContent: { text: 'I need the logs' } }),
      delta(0, { reasoningContent: { text: ' and users.' } }),
      delta(0, { reasoningContent: { signature } }),
      stop(0),
      delta(1, { reasoningContent: { redactedContent: redacted } }),
      stop(1),
      delta(2, { text: "I'll look." }),
      stop(2),
      call(3, 'tooluse_a1', 'fetch_logs'),
      delta(3, { toolUse: { input: '{"level": "err' } }),
      delta(3, { toolUse: { input: 'or", "limit": 5}' } }),
      stop(3),
      call(4, 'tooluse_a2', 'list_users'),
      delta(4, { toolUse: { input: '' } }),
      stop(4),
      end('tool_use'),
      metadata({
        inputTokens: 21,
        outputTokens: 89,
        totalTokens: 2098,
        cacheReadInputTokens: 1800,
        cacheWriteInputTokens: 188,
      }),
    ],
    {
      finishReason: 'tool-calls',
      text: "I'll look.",
      reasoning: [
        { text: 'I need the logs and users.', signature: null, redacted: false },
        { text: '', signature: null, redacted: true },
      ],
      toolCalls: [
        { id: 'tooluse_a1', name: 'fetch_logs', argumentsText: '{"level": "error", "limit": 5}' },
        { id: 'tooluse_a2', name: 'list_users', argumentsText: '{}' },
      ],
      usage: usage(2009, 89, 1800, 188),
    },
  ],
  [
    'thinking between calls',
    [
      start,
      delta(0, { reasoningContent: { text: 'First.' } }),
      delta(0, { reasoningContent: { signature } }),
      stop(0),
      call(1, 'tooluse_b1', 'list_users'),
      stop(1),
      delta(2, { reasoningContent: { text: 'Second.' } }),
      delta(2, { reasoningContent: { signature: 'c2Vjb25k' } }),
      stop(2),
      call(3, 'tooluse_b2', 'list_groups'),
      stop(3),
      end('tool_use'),
      metadata({ inputTokens: 5, outputTokens: 6, totalTokens: 11 }),
    ],
    {
      finishReason: 'tool-calls',
      native: JSON.stringify([
        { reasoningContent: { reasoningText: { text: 'First.', signature } } },
        { toolUse: { toolUseId: 'tooluse_b1', name: 'list_users', input: {} } },
        { reasoningContent: { reasoningText: { text: 'Second.', signature: 'c2Vjb25k' } } },
        { toolUse: { toolUseId: 'tooluse_b2', name: 'list_groups', input: {} } },
      ]),
    },
  ],
  [
    'cut by its limit in a call',
    [
      start,
      delta(0, { text: 'Half' }),
      stop(0),
      call(1, 'tooluse_c', 'fetch_logs'),
      delta(1, { toolUse: { input: '{"level": ' } }),
      stop(1),
      end('max_tokens'),
      metadata({ inputTokens: 5, outputTokens: 8, totalTokens: 13 }),
    ],
    { finishReason: 'length', text: 'Half', toolCalls: [], usage: usage(5, 8) },
  ],
  [
    'a guardrail',
    [
      start,
      delta(0, { text: 'I' }),
      stop(0),
      end('guardrail_intervened'),
      metadata({ inputTokens: 5, outputTokens: 1, totalTokens: 6 }),
    ],
    { finishReason: 'content-filter', text: 'I' },
  ],
  [
    'a reason of a later day',
    [
      start,
      call(0, 'tooluse_d', 'list_users'),
      stop(0),
      end('paused_for_review'),
      metadata({ inputTokens: 5, outputTokens: 1, totalTokens: 6 }),
    ],
    { failure: 'invalid-response' },
  ],
  [
    'a tool use that nobody can read',
    [start, call(0, 'tooluse_e', 'list_users'), stop(0), end('malformed_tool_use')],
    { failure: 'invalid-response' },
  ],
  [
    'throttled in the middle',
    [
      start,
      delta(0, { text: 'I' }),
      converseException('throttlingException', 'Too many requests, please wait.'),
    ],
    { failure: 'rate-limited' },
  ],
  [
    'a model that broke off',
    [start, converseException('modelStreamErrorException', 'The model broke off.')],
    { failure: 'server' },
  ],
  [
    'refused in the stream',
    [converseException('validationException', 'Input is too long for requested model.')],
    { failure: 'context-length' },
  ],
]
