import { responsesEvents, responsesStream } from '../responses-stream'
import { called, casesOf } from './dialect-case'

const types = 'openai 6.49.0, resources/responses/responses.d.ts (2026-11-23)'
const fixtures =
  'https://github.com/vercel/ai, packages/openai/src/responses/__fixtures__ (2026-11-23)'

const call = {
  id: 'fc_1',
  type: 'function_call',
  status: 'completed',
  call_id: 'call_1',
  name: 'fetch_logs',
  arguments: '{"limit":1}',
}
const opened = { ...call, status: 'in_progress', arguments: '' }
const message = (text: string, more: object = {}) => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', annotations: [], logprobs: [], text }],
  ...more,
})

const at = { output_index: 0, item_id: 'fc_1' }
const added: [string, object] = ['response.output_item.added', { ...at, item: opened }]
const delta = (text: string): [string, object] => [
  'response.function_call_arguments.delta',
  { ...at, delta: text },
]
const done = (item: object): [string, object] => ['response.output_item.done', { ...at, item }]
const completed = (output: object[] = [], more: object = {}): [string, object] => [
  'response.completed',
  { response: { id: 'resp_1', object: 'response', status: 'completed', output, ...more } },
]
const input = {
  finishReason: 'tool-calls' as const,
  toolCalls: called(['call_1', 'fetch_logs', { limit: 1 }]),
}
const refused = { failure: 'invalid-response' }

/** Answers with calls, and with items that nobody asked for. */
export const responsesCalls = casesOf('openai', [
  [
    'a call in pieces, with an empty list of items at the end',
    fixtures,
    responsesEvents(added, delta('{"lim'), delta('it":1}'), done(call), completed()),
    input,
  ],
  [
    'two calls with one index',
    null,
    responsesEvents(
      added,
      ['response.output_item.added', { ...at, item: { ...opened, id: 'fc_2', call_id: 'call_2' } }],
      delta('{"limit":1}'),
      [
        'response.function_call_arguments.delta',
        { output_index: 0, item_id: 'fc_2', delta: '{"limit":2}' },
      ],
      done(call),
      done({ ...call, id: 'fc_2', call_id: 'call_2', arguments: '{"limit":2}' }),
      completed([call, { ...call, id: 'fc_2', call_id: 'call_2', arguments: '{"limit":2}' }]),
    ),
    {
      finishReason: 'tool-calls',
      toolCalls: called(
        ['call_1', 'fetch_logs', { limit: 1 }],
        ['call_2', 'fetch_logs', { limit: 2 }],
      ),
    },
  ],
  [
    'two calls with one index, one after the other',
    null,
    responsesEvents(
      added,
      done(call),
      done({ ...call, id: 'fc_2', call_id: 'call_2', arguments: '{"limit":2}' }),
      completed(),
    ),
    {
      finishReason: 'tool-calls',
      toolCalls: called(
        ['call_1', 'fetch_logs', { limit: 1 }],
        ['call_2', 'fetch_logs', { limit: 2 }],
      ),
    },
  ],
  [
    'a call that comes only whole',
    types,
    responsesEvents(added, done(call), completed([call])),
    input,
  ],
  ['a call only in the last event', null, responsesEvents(completed([call])), input],
  [
    'a call that ends without the end of its item',
    null,
    responsesEvents(
      added,
      delta('{"limit":1}'),
      ['response.function_call_arguments.done', { ...at, arguments: '{"limit":1}' }],
      completed(),
    ),
    input,
  ],
  [
    'a call without its end',
    null,
    responsesEvents(added, delta('{"limit":1}'), completed()),
    refused,
  ],
  [
    'a call whose item is not complete',
    types,
    responsesEvents(added, done({ ...call, status: 'incomplete' }), completed()),
    refused,
  ],
  [
    'a call whose whole differs from its pieces',
    null,
    responsesEvents(added, delta('{"limit":2}'), done(call), completed()),
    refused,
  ],
  [
    'pieces of a call that did not begin',
    null,
    responsesEvents(delta('{"limit":1}'), completed([call])),
    refused,
  ],
  [
    'a call without an id',
    null,
    responsesEvents(added, done(call), completed()).replaceAll('"call_id":"call_1",', ''),
    { toolCalls: called([null, 'fetch_logs', { limit: 1 }]) },
  ],
  [
    'the same call in the stream and, under another id, at the end',
    null,
    responsesEvents(
      ['response.output_item.added', { item: opened }],
      ['response.output_item.done', { item: call }],
      completed([{ ...call, id: 'other' }]),
    ),
    input,
  ],
  [
    'the wrapper of parallel calls, which is a call of an unknown tool',
    fixtures,
    responsesEvents(
      added,
      done({ ...call, name: 'parallel', arguments: '{"tool_uses":[]}' }),
      completed(),
    ),
    { finishReason: 'tool-calls' as const },
  ],
  [
    'no arguments',
    types,
    responsesEvents(added, done({ ...call, arguments: '' }), completed()),
    { toolCalls: called(['call_1', 'fetch_logs', {}]) },
  ],
  [
    'a function in a namespace',
    types,
    responsesEvents([
      'response.output_item.added',
      { ...at, item: { ...opened, namespace: 'crm' } },
    ]),
    refused,
  ],
  [
    'a call made by a program',
    fixtures,
    responsesEvents([
      'response.output_item.added',
      { ...at, item: { ...opened, caller: { type: 'program', caller_id: 'x' } } },
    ]),
    refused,
  ],
  [
    'a call that says that the model made it',
    types,
    responsesEvents(added, done({ ...call, caller: { type: 'direct' } }), completed()),
    input,
  ],
  ...[
    'custom_tool_call',
    'mcp_call',
    'code_interpreter_call',
    'image_generation_call',
    'local_shell_call',
    'tool_search_call',
    'compaction',
    'hologram',
  ].map((type): Parameters<typeof casesOf>[1][number] => [
    `an item of the kind ${type}`,
    types,
    responsesStream([{ id: 'x_1', type, summary: [] }, message('Done.')]),
    refused,
  ]),
])
