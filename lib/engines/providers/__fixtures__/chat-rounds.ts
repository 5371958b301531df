import {
  chatRefusal,
  geminiRule,
  mistralRule,
  openRouterRule,
  reasoningContentRule,
} from '@/tests/support/strict-providers/chat-rules'
import type { Json } from '@/tests/support/strict-providers/strict-provider'
import { chunk, counts, sse } from './dialects/dialect-case'
import { callArguments, type ThreeRounds } from './round-script'

/** Returns the three calls of a run, with ids as the provider makes them. */
function wireCalls(ids: readonly [string, string, string], more: readonly object[] = []) {
  const names = ['fetch_logs', 'list_users', 'fetch_logs']
  return ids.map((id, at) => ({
    id,
    type: 'function',
    function: { name: names[at], arguments: JSON.stringify(callArguments[at]) },
    ...more[at],
  }))
}

const usage = { prompt_tokens: 90, completion_tokens: 40, total_tokens: 130 }

/** Returns an answer with calls as a stream: the text before them, then each call in two pieces. */
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

/**
 * Returns the rounds of a Chat Completions server: what it sends before its calls, and the message that it wants back.
 */
function chatRounds(
  name: string,
  rule: Parameters<typeof chatRefusal>[2],
  calls: Json[],
  thinking: readonly [Thinking, Thinking],
): ThreeRounds {
  const request = [calls.slice(0, 2), calls.slice(2)]
  const given = request.map((tool_calls, at) => ({ ...thinking[at]?.message, tool_calls }))
  return {
    name,
    wire: 'openai-compatible',
    modelId: 'test-model',
    contentType: 'text/event-stream',
    answers: [...request.map((own, at) => chatStream(thinking[at]?.deltas ?? [], own)), lastWords],
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

/** Servers of Chat Completions that want their thinking back, each in its own way. */
export const chatServers = [gemini, openRouter, mistral, deepseek]
