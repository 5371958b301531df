import type { Expected } from '../recordings'
import { called, calls, casesOf, chunk, piece, sse, thought } from './dialect-case'

const gemini = 'https://ai.google.dev/gemini-api/docs/thought-signatures (2026-11-23)'

const end = chunk({}, 'tool_calls')
const stop = chunk({}, 'stop')
const pieces = (...texts: string[]) => texts.map((content) => chunk({ content }))
const runs = (...given: Parameters<typeof called>): Expected => ({
  finishReason: 'tool-calls',
  toolCalls: called(...given),
})

/** Calls whose parts come under another number or out of order, and reasoning that is empty or only marked. */
export const chatLoose = casesOf('openai-compatible', [
  [
    'the head of a call under index 0, its rest under index 1',
    null,
    sse(
      calls(piece(0, 'c1', 'fetch_logs', '')),
      calls(piece(1, null, undefined, '{"limit"')),
      calls(piece(1, null, undefined, ':1}')),
      calls(piece(2, 'c2', 'list_users', '')),
      calls(piece(3, null, undefined, '{}')),
      end,
    ),
    runs(['c1', 'fetch_logs', { limit: 1 }], ['c2', 'list_users', {}]),
  ],
  [
    'the head of a call under index 0, its rest under index 1 with the id',
    null,
    sse(
      calls(piece(0, 'c1', 'fetch_logs', '')),
      calls(piece(1, 'c1', undefined, '{"limit":1}')),
      end,
    ),
    runs(['c1', 'fetch_logs', { limit: 1 }]),
  ],
  [
    'the name after the arguments, under an index',
    null,
    sse(calls(piece(0, 'c1', undefined, '{"limit":1}')), calls(piece(0, null, 'fetch_logs')), end),
    runs(['c1', 'fetch_logs', { limit: 1 }]),
  ],
  [
    'the name after the arguments, without a number',
    null,
    sse(
      calls(piece(null, 'c1', undefined, '{"limit":1}')),
      calls(piece(null, null, 'fetch_logs')),
      end,
    ),
    runs(['c1', 'fetch_logs', { limit: 1 }]),
  ],
  [
    'an empty reason is no reason',
    null,
    sse(chunk({ tool_calls: [piece(0, 'c1', 'list_users', '{}')] }, ''), '[DONE]'),
    { finishReason: 'cut', toolCalls: [] },
  ],
  [
    'DeepSeek: an empty reasoning_content beside calls goes back',
    null,
    sse(
      chunk({ content: '', reasoning_content: '' }),
      calls(piece(0, 'c1', 'fetch_logs', '{"limit":1}')),
      chunk({}, 'tool_calls'),
    ),
    {
      toolCalls: called(['c1', 'fetch_logs', { limit: 1 }]),
      reasoning: [thought('', 'field:reasoning_content')],
    },
  ],
  [
    'an empty reasoning_content without calls says nothing',
    null,
    sse(chunk({ content: 'Ok.', reasoning_content: '' }), stop),
    { text: 'Ok.', reasoning: [] },
  ],
  [
    'Gemini: reasoning that is marked beside the content',
    gemini,
    sse(chunk({ content: 'Hm.', thought: true }), ...pieces('Ok.'), stop),
    { text: 'Ok.', reasoning: [thought('Hm.')] },
  ],
  [
    'Gemini: reasoning that is marked in its part',
    gemini,
    sse(chunk({ content: [{ type: 'text', text: 'Hm.', thought: true }] }), ...pieces('Ok.'), stop),
    { text: 'Ok.', reasoning: [thought('Hm.')] },
  ],
])
