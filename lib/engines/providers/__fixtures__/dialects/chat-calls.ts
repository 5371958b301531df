import type { Expected } from '../recordings'
import { called, calls, casesOf, chunk, piece, sse } from './dialect-case'

const openai = 'openai 6.49.0, resources/chat/completions/completions.d.ts (2026-11-23)'
const mistral =
  'https://github.com/mistralai/client-ts docs/models/components/toolcall.md (2026-11-23)'

const end = chunk({}, 'tool_calls')

const runs = (...given: Parameters<typeof called>): Expected => ({
  finishReason: 'tool-calls',
  toolCalls: called(...given),
})

const whole = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  choices: [
    {
      index: 0,
      message: {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: 'c1',
            type: 'function',
            function: { name: 'fetch_logs', arguments: '{"limit":1}' },
          },
        ],
      },
      finish_reason: 'tool_calls',
    },
  ],
  usage: { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 },
}

/** Tool calls that arrive whole and in pieces. */
export const chatCalls = casesOf('openai-compatible', [
  [
    'OpenAI: pieces by index, two calls mixed',
    openai,
    sse(
      calls(piece(0, 'c1', 'fetch_logs', '')),
      calls(piece(1, 'c2', 'list_users', '')),
      calls(piece(0, null, undefined, '{"limit"')),
      calls(piece(1, null, undefined, '{}')),
      calls(piece(0, null, undefined, ':1}')),
      end,
      '[DONE]',
    ),
    runs(['c1', 'fetch_logs', { limit: 1 }], ['c2', 'list_users', {}]),
  ],
  [
    'OpenAI before tools: function_call in pieces',
    openai,
    sse(
      chunk({
        role: 'assistant',
        content: null,
        function_call: { name: 'fetch_logs', arguments: '' },
      }),
      chunk({ function_call: { arguments: '{"lim' } }),
      chunk({ function_call: { arguments: 'it":1}' } }),
      chunk({}, 'function_call'),
      '[DONE]',
    ),
    runs([null, 'fetch_logs', { limit: 1 }]),
  ],
  [
    'function_call whole, in one JSON answer',
    openai,
    JSON.stringify({
      object: 'chat.completion',
      choices: [
        {
          index: 0,
          message: { content: null, function_call: { name: 'list_users', arguments: '{}' } },
          finish_reason: 'function_call',
        },
      ],
    }),
    runs([null, 'list_users', {}]),
  ],
  ['a whole JSON answer', openai, JSON.stringify(whole), runs(['c1', 'fetch_logs', { limit: 1 }])],
  [
    'a whole JSON answer over many lines',
    openai,
    `\ufeff\n${JSON.stringify(whole, null, 2)}\n`,
    runs(['c1', 'fetch_logs', { limit: 1 }]),
  ],
  [
    'a whole JSON answer that was cut',
    openai,
    JSON.stringify(whole).slice(0, -60),
    { failure: 'invalid-response' },
  ],
  [
    'a whole answer as the only event of a stream',
    null,
    sse(whole, '[DONE]'),
    runs(['c1', 'fetch_logs', { limit: 1 }]),
  ],
  [
    'Mistral: calls whole, with ids and without numbers',
    mistral,
    sse(
      chunk(
        {
          tool_calls: [
            piece(null, 'D681PevKs', 'fetch_logs', '{"limit": 1}'),
            piece(null, 'a8RfT20xK', 'list_users', '{}'),
          ],
        },
        'tool_calls',
      ),
      '[DONE]',
    ),
    {
      finishReason: 'tool-calls',
      toolCalls: [
        { id: 'D681PevKs', name: 'fetch_logs', argumentsText: '{"limit": 1}' },
        { id: 'a8RfT20xK', name: 'list_users', argumentsText: '{}' },
      ],
    },
  ],
  [
    'xAI: two calls whole in one chunk, after its thinking',
    null,
    sse(
      chunk({ role: 'assistant', content: '', reasoning_content: 'Hm.' }),
      chunk({
        tool_calls: [
          piece(0, 'call_1', 'fetch_logs', '{"limit":1}'),
          piece(1, 'call_2', 'list_users', '{}'),
        ],
      }),
      end,
      '[DONE]',
    ),
    runs(['call_1', 'fetch_logs', { limit: 1 }], ['call_2', 'list_users', {}]),
  ],
  [
    'LM Studio: numbers as ids, and pieces of arguments under index and id',
    null,
    sse(
      calls(piece(0, '365174485', 'fetch_logs', '')),
      calls(piece(0, '365174485', undefined, '{"limit"')),
      calls(piece(0, '365174485', undefined, ':1}')),
      end,
      '[DONE]',
    ),
    runs(['365174485', 'fetch_logs', { limit: 1 }]),
  ],
  [
    'two calls without ids under one index, whole',
    null,
    sse(
      calls(piece(0, null, 'fetch_logs', '{"limit":1}')),
      calls(piece(0, null, 'fetch_logs', '{"limit":2}')),
      calls(piece(0, null, 'list_users', '{}')),
      end,
    ),
    runs(
      [null, 'fetch_logs', { limit: 1 }],
      [null, 'fetch_logs', { limit: 2 }],
      [null, 'list_users', {}],
    ),
  ],
  [
    'two calls without ids under one index, in pieces',
    null,
    sse(
      calls(piece(0, null, 'fetch_logs', '')),
      calls(piece(0, null, undefined, '{"limit":')),
      calls(piece(0, null, undefined, '1}')),
      calls(piece(0, null, 'list_users', '')),
      calls(piece(0, null, undefined, '{}')),
      end,
    ),
    runs([null, 'fetch_logs', { limit: 1 }], [null, 'list_users', {}]),
  ],
  [
    'two calls with ids under one index',
    null,
    sse(
      calls(piece(0, 'a', 'fetch_logs', '{"limit":1}')),
      calls(piece(0, 'b', 'list_users', '{}')),
      end,
    ),
    runs(['a', 'fetch_logs', { limit: 1 }], ['b', 'list_users', {}]),
  ],
  [
    'a name in pieces',
    null,
    sse(
      calls(piece(0, 'c1', 'fetch', '')),
      calls(piece(0, null, '_logs', '')),
      calls(piece(0, null, undefined, '{"limit":1}')),
      end,
    ),
    runs(['c1', 'fetch_logs', { limit: 1 }]),
  ],
  [
    'a name in pieces, the id in each',
    null,
    sse(
      calls(piece(0, 'c1', 'fetch')),
      calls(piece(0, 'c1', '_logs', '{"limit":')),
      calls(piece(0, 'c1', '', '1}')),
      end,
    ),
    runs(['c1', 'fetch_logs', { limit: 1 }]),
  ],
  [
    'a name that grows',
    null,
    sse(
      calls(piece(0, 'c1', 'fetch', '')),
      calls(piece(0, 'c1', 'fetch_logs', '')),
      calls(piece(0, 'c1', 'fetch_logs', '{}')),
      end,
    ),
    runs(['c1', 'fetch_logs', {}]),
  ],
  [
    'id and name again in every piece',
    null,
    sse(
      calls(piece(0, 'c1', 'fetch_logs', '{"limit"')),
      calls(piece(0, 'c1', 'fetch_logs', ':1}')),
      calls(piece(0, 'c1', 'fetch_logs', '')),
      end,
    ),
    runs(['c1', 'fetch_logs', { limit: 1 }]),
  ],
  [
    'the name again in every piece, without an id',
    null,
    sse(
      calls(piece(0, null, 'fetch_logs', '{"limit"')),
      calls(piece(0, null, 'fetch_logs', ':1}')),
      calls(piece(0, null, 'fetch_logs', '')),
      end,
    ),
    runs([null, 'fetch_logs', { limit: 1 }]),
  ],
  [
    'arguments as an object',
    null,
    sse(calls(piece(0, 'c1', 'fetch_logs', { limit: 1 })), end),
    runs(['c1', 'fetch_logs', { limit: 1 }]),
  ],
  [
    'no arguments at all',
    null,
    sse(calls(piece(0, 'c1', 'list_users')), end),
    runs(['c1', 'list_users', {}]),
  ],
  [
    'a call without a name',
    null,
    sse(calls(piece(0, 'c1', '', '{}')), end),
    { failure: 'invalid-response', says: 'without its name' },
  ],
  [
    'a second choice is not read',
    openai,
    sse(
      { ...chunk({}), choices: [{ index: 1, delta: { content: 'Other' }, finish_reason: 'stop' }] },
      chunk({ content: 'Ok.' }, 'stop'),
      '[DONE]',
    ),
    { finishReason: 'stop', text: 'Ok.' },
  ],
])
