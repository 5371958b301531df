import { readFileSync } from 'node:fs'
import type { ModelFinish } from '@/lib/protocol/model/message'

/** Vertex AI is the API type `gemini` with a service account. */
export type Wire = 'openai' | 'openai-compatible' | 'anthropic' | 'ollama' | 'gemini' | 'vertex'
/** `says` = a part of what a person is told. */
export type Expected = Partial<ModelFinish> | { failure: string; says?: string }

const called = (...calls: [id: string | null, name: string, args: object][]) =>
  calls.map(([id, name, args]) => ({ id, name, argumentsText: JSON.stringify(args) }))

export const usage = (input: number, output: number, cached = 0, written = 0, reasoning = 0) => ({
  inputTokens: input,
  outputTokens: output,
  cachedInputTokens: cached,
  cacheWriteTokens: written,
  reasoningTokens: reasoning,
  estimated: false,
})

const block = (text: string) => ({ text, signature: null, redacted: false })

/** Answers over Responses: each file says at its beginning where its shape is from. */
const responsesRecordings: [wire: Wire, file: string, expected: Expected][] = [
  [
    'openai',
    'responses-text.sse',
    { finishReason: 'stop', text: 'Die Grüße 🙂 sind\n\ndata: da.', usage: usage(1874, 12, 1536) },
  ],
  [
    'openai',
    'responses-reasoning-calls.sse',
    {
      finishReason: 'tool-calls',
      text: "I'll look.",
      reasoning: [block('**Logs first**\n\nThen users.')],
      toolCalls: called(
        ['call_h2Xw8', 'fetch_logs', { level: 'error', limit: 5 }],
        ['call_Zt91b', 'list_users', {}],
      ),
      usage: usage(1874, 96, 1536, 120, 64),
    },
  ],
  [
    'openai',
    'responses-length.sse',
    { finishReason: 'length', text: 'I will look', toolCalls: [], usage: usage(20, 16) },
  ],
  ['openai', 'responses-content-filter.sse', { finishReason: 'content-filter', text: 'First,' }],
  [
    'openai',
    'responses-refusal.sse',
    { finishReason: 'content-filter', text: 'I cannot help with that.' },
  ],
  ['openai', 'responses-error-event.sse', { failure: 'no-credit' }],
  ['openai', 'responses-failed.sse', { failure: 'server' }],
  ['openai', 'responses-program.sse', { failure: 'invalid-response' }],
  ['openai', 'responses-program-call.sse', { failure: 'invalid-response' }],
  ['openai', 'responses-web-search.sse', { failure: 'invalid-response' }],
  ['openai', 'responses-nothing.sse', { failure: 'invalid-response' }],
  ['openai', 'responses-cancelled.sse', { failure: 'invalid-response' }],
  [
    'openai',
    'responses-bare.sse',
    {
      finishReason: 'tool-calls',
      text: 'Looking.',
      reasoning: [block('Hm.')],
      toolCalls: called(['call_7', 'list_users', {}]),
      usage: usage(7, 5),
    },
  ],
  [
    'openai',
    'responses-reasoning-text.sse',
    { text: 'Four.', reasoning: [block('Two and two.')], usage: usage(7, 5, 0, 0, 3) },
  ],
  ['openai', 'responses-two-messages.sse', { text: 'Let me see.\n\nIt is four.' }],
  [
    'openai',
    'responses-changed-ids.sse',
    { text: 'Ok, see.', toolCalls: called(['call_1', 'fetch_logs', { limit: 1 }]) },
  ],
]

/** Answers of the Gemini API: each file says at its beginning where its shape is from. */
const geminiRecordings: [wire: Wire, file: string, expected: Expected][] = [
  [
    'gemini',
    'gemini-text.sse',
    { finishReason: 'stop', text: 'Die Grüße 🙂 sind\n\ndata: da.', usage: usage(1874, 12, 1536) },
  ],
  [
    'gemini',
    'gemini-thinking-calls.sse',
    {
      finishReason: 'tool-calls',
      text: "I'll look.",
      reasoning: [block('**Logs first.** Then users.')],
      toolCalls: called(
        ['fc_1', 'fetch_logs', { level: 'error', limit: 5 }],
        ['fc_2', 'list_users', {}],
      ),
      usage: usage(90, 72, 0, 0, 30),
    },
  ],
  [
    'gemini',
    'gemini-length.sse',
    { finishReason: 'length', text: 'I will look', toolCalls: [], usage: usage(20, 16) },
  ],
  ['gemini', 'gemini-safety.sse', { finishReason: 'content-filter', text: 'First,' }],
  ['gemini', 'gemini-blocked-prompt.sse', { finishReason: 'content-filter', text: '' }],
  ['gemini', 'gemini-malformed-call.sse', { failure: 'invalid-response' }],
  ['gemini', 'gemini-unknown-end.sse', { failure: 'invalid-response' }],
  ['gemini', 'gemini-code.sse', { failure: 'invalid-response', says: 'executableCode' }],
  ['gemini', 'gemini-nothing.sse', { failure: 'invalid-response' }],
  ['gemini', 'gemini-error-event.sse', { failure: 'overloaded' }],
]

/** The same answers come from Vertex AI, where a token is asked for first. */
const vertexRecordings = geminiRecordings
  .filter(([, file]) => file === 'gemini-thinking-calls.sse')
  .map(([, file, expected]): [Wire, string, Expected] => ['vertex', file, expected])

/** Recorded answers, and what each of them says. */
export const recordings: [wire: Wire, file: string, expected: Expected][] = [
  ...responsesRecordings,
  ...geminiRecordings,
  ...vertexRecordings,
  [
    'openai-compatible',
    'openai-text.sse',
    { finishReason: 'stop', text: 'Die Grüße 🙂 sind\n\ndata: da.', usage: usage(1874, 12, 1536) },
  ],
  [
    'openai-compatible',
    'openai-parallel-calls.sse',
    {
      finishReason: 'tool-calls',
      text: '',
      toolCalls: called(
        ['call_h2Xw8', 'fetch_logs', { level: 'error', limit: 5 }],
        ['call_Zt91b', 'list_users', {}],
        ['call_q0Lm3', 'list_groups', {}],
      ),
      usage: usage(1874, 96, 1536, 0, 64),
    },
  ],
  [
    'openai-compatible',
    'openai-length.sse',
    { finishReason: 'length', text: 'I will look', toolCalls: [] },
  ],
  ['openai-compatible', 'openai-error-event.sse', { failure: 'server' }],
  [
    'openai-compatible',
    'openai-compatible-vllm-reasoning.sse',
    {
      finishReason: 'tool-calls',
      toolCalls: [{ id: 'chatcmpl-tool-9f', name: 'fetch_logs', argumentsText: '{"limit": 2}' }],
      reasoning: [
        { text: 'The user wants logs.', signature: 'field:reasoning_content', redacted: false },
      ],
      usage: usage(210, 40),
    },
  ],
  [
    'openai-compatible',
    'openai-compatible-whole-calls.sse',
    {
      finishReason: 'tool-calls',
      toolCalls: called(
        ['function-call-1', 'fetch_logs', { limit: 5 }],
        [null, 'list_users', {}],
        [null, 'list_groups', { deep: { a: [1, 2] } }],
      ),
      usage: usage(95, 85),
    },
  ],
  [
    'openai-compatible',
    'openai-compatible-index-always-0.sse',
    {
      toolCalls: called(['a1', 'fetch_logs', { limit: 1 }], ['a2', 'fetch_logs', { limit: 2 }]),
      usage: null,
    },
  ],
  [
    'openai-compatible',
    'openai-compatible-openrouter.sse',
    { finishReason: 'stop', text: 'Ja', usage: usage(10, 5, 4, 3, 2) },
  ],
  [
    'openai-compatible',
    'openai-compatible-no-marker.sse',
    { finishReason: 'stop', text: 'Fine.', usage: null },
  ],
  [
    'openai-compatible',
    'openai-compatible-mistral-parts.sse',
    {
      text: 'Oui.',
      reasoning: [{ text: 'Hmm.', signature: null, redacted: false }],
      usage: usage(7, 5),
    },
  ],
  [
    'anthropic',
    'anthropic-text.sse',
    { finishReason: 'stop', text: 'Die Grüße 🙂 sind da.', usage: usage(21, 14) },
  ],
  [
    'anthropic',
    'anthropic-thinking-calls.sse',
    {
      finishReason: 'tool-calls',
      text: "I'll look.",
      reasoning: [
        {
          text: 'I need the logs and users.',
          signature: null,
          redacted: false,
        },
        {
          text: '',
          signature: null,
          redacted: true,
        },
      ],
      toolCalls: [
        { id: 'toolu_01T1x', name: 'fetch_logs', argumentsText: '{"level": "error", "limit": 5}' },
        { id: 'toolu_01T2y', name: 'list_users', argumentsText: '{}' },
      ],
      usage: usage(2009, 89, 1800, 188, 40),
    },
  ],
  ['anthropic', 'anthropic-length.sse', { finishReason: 'length', text: 'Half', toolCalls: [] }],
  ['anthropic', 'anthropic-error-event.sse', { failure: 'overloaded' }],
  ['anthropic', 'anthropic-refusal.sse', { finishReason: 'content-filter', text: 'I' }],
  [
    'ollama',
    'ollama-text.ndjson',
    { finishReason: 'stop', text: 'Die Grüße 🙂 sind da.', usage: usage(26, 282) },
  ],
  [
    'ollama',
    'ollama-thinking-calls.ndjson',
    {
      finishReason: 'tool-calls',
      reasoning: [{ text: 'Logs first.', signature: null, redacted: false }],
      toolCalls: called(
        [null, 'fetch_logs', { level: 'error', limit: 5 }],
        ['call_x', 'list_users', {}],
      ),
      usage: usage(26, 282),
    },
  ],
  ['ollama', 'ollama-length.ndjson', { finishReason: 'length', text: 'Half' }],
  ['ollama', 'ollama-error-event.ndjson', { failure: 'server' }],
  [
    'ollama',
    'ollama-cached-prompt.ndjson',
    { finishReason: 'stop', text: 'Ok', usage: { ...usage(0, 282), estimated: true } },
  ],
]

export const bytesOf = (file: string) => readFileSync(new URL(`./${file}`, import.meta.url))
