import type { Expected } from '../recordings'
import { called, casesOf, thought } from './dialect-case'

const types = '@anthropic-ai/sdk 1.12.0, resources/messages/messages.d.ts (2026-11-23)'
const workflows =
  'https://platform.claude.com/docs/build-with-claude/thinking-tool-workflows (2026-11-23)'

const event = (type: string, body: object) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...body })}\n\n`

const start = (message: object = {}) =>
  event('message_start', {
    message: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [],
      stop_reason: null,
      usage: { input_tokens: 9, output_tokens: 1 },
      ...message,
    },
  })

/** A block with its pieces. */
const block = (index: number, content_block: object, ...deltas: object[]) =>
  [
    event('content_block_start', { index, content_block }),
    ...deltas.map((delta) => event('content_block_delta', { index, delta })),
    event('content_block_stop', { index }),
  ].join('')

const ended = (stop_reason: string | null) =>
  event('message_delta', { delta: { stop_reason }, usage: { output_tokens: 4 } })
const stop = event('message_stop', {})

const text = (index: number, words: string) =>
  block(index, { type: 'text', text: '' }, { type: 'text_delta', text: words })
const use = (index: number, id: string, name: string, more: object = {}) =>
  block(
    index,
    { type: 'tool_use', id, name, input: {}, ...more },
    {
      type: 'input_json_delta',
      partial_json: '{"limit":1}',
    },
  )
const think = (index: number, words: string, signature: string) =>
  block(
    index,
    { type: 'thinking', thinking: '', signature: '' },
    { type: 'thinking_delta', thinking: words },
    { type: 'signature_delta', signature },
  )

/** A text and a call that is whole, ended with a reason. */
const answer = (reason: string | null) =>
  start() + text(0, 'Half') + use(1, 't1', 'fetch_logs') + ended(reason) + stop

const half = (finishReason: 'length' | 'content-filter' | 'cut'): Expected => ({
  finishReason,
  text: 'Half',
  toolCalls: [],
})
const unknown: Expected = { failure: 'invalid-response', says: 'does not know' }
const limit = { limit: 1 }
const direct = { caller: { type: 'direct' } }
const whole = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  content: [
    { type: 'text', text: 'Half' },
    { type: 'tool_use', id: 't1', name: 'fetch_logs', input: limit },
  ],
  stop_reason: 'tool_use',
  usage: { input_tokens: 9, output_tokens: 4 },
}
const runs: Expected = {
  finishReason: 'tool-calls',
  text: 'Half',
  toolCalls: called(['t1', 'fetch_logs', limit]),
}
const search = {
  type: 'server_tool_use',
  id: 'srvtoolu_1',
  name: 'web_search',
  input: { query: 'logs' },
}
const found = { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] }
const program = {
  type: 'server_tool_use',
  id: 'srvtoolu_2',
  name: 'code_execution',
  input: { code: 'await fetch_logs()' },
}

/** How answers of the Messages API end, and what they are made of. */
export const anthropicAnswers = casesOf('anthropic', [
  ['tool_use', types, answer('tool_use'), runs],
  ['end_turn after a call', types, answer('end_turn'), runs],
  [
    'stop_sequence',
    types,
    start() + text(0, 'Ok.') + ended('stop_sequence') + stop,
    { finishReason: 'stop', text: 'Ok.' },
  ],
  ['max_tokens', types, answer('max_tokens'), half('length')],
  ['model_context_window_exceeded', types, answer('model_context_window_exceeded'), half('length')],
  ['refusal keeps its text', types, answer('refusal'), half('content-filter')],
  [
    'pause_turn is not the end of an answer',
    types,
    answer('pause_turn'),
    { failure: 'invalid-response', says: 'paused its answer' },
  ],
  ['END_TURN in capitals is no known end', null, answer('END_TURN'), unknown],
  ['TOOL_USE in capitals runs nothing', null, answer('TOOL_USE'), unknown],
  ['MAX_TOKENS in capitals', null, answer('MAX_TOKENS'), half('length')],
  ['a reason of tomorrow', null, answer('compaction'), unknown],
  ['no reason', null, answer(null), half('cut')],
  [
    'no reason, and nothing after the blocks',
    null,
    start() + text(0, 'Half') + use(1, 't1', 'fetch_logs'),
    half('cut'),
  ],
  [
    'message_start and message_stop alone',
    null,
    start() + stop,
    { failure: 'invalid-response', says: 'empty' },
  ],
  [
    'end_turn without a word',
    types,
    start() + ended('end_turn') + stop,
    { failure: 'invalid-response', says: 'without a word' },
  ],
  ['a whole JSON answer', types, JSON.stringify(whole), runs],
  ['a whole JSON answer over many lines', types, JSON.stringify(whole, null, 2), runs],
  [
    'a whole JSON error with status 200',
    types,
    JSON.stringify({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }),
    { failure: 'overloaded' },
  ],
  [
    'an error in mid-stream',
    types,
    start() +
      text(0, 'Half') +
      event('error', { error: { type: 'api_error', message: 'Internal server error' } }),
    { failure: 'server' },
  ],
  [
    'content in message_start, and its reason there',
    null,
    start({ content: whole.content, stop_reason: 'tool_use' }) + stop,
    runs,
  ],
  [
    'content in message_start, cut before its end',
    null,
    start({ content: whole.content, stop_reason: 'tool_use' }),
    half('cut'),
  ],
  [
    'content in message_start and the same block again',
    null,
    start({ content: whole.content }) + text(0, 'Half') + ended('end_turn') + stop,
    { failure: 'invalid-response', says: 'out of order' },
  ],
  [
    'content in content_block_start',
    null,
    start() +
      block(0, { type: 'text', text: 'Half' }) +
      block(1, { type: 'tool_use', id: 't1', name: 'fetch_logs', input: limit }) +
      ended('tool_use') +
      stop,
    runs,
  ],
  [
    'thinking, text, call: the portable form has all of it',
    workflows,
    start() +
      think(0, 'Logs.', 'sig==') +
      text(1, 'Half') +
      use(2, 't1', 'fetch_logs', direct) +
      ended('tool_use') +
      stop,
    { ...runs, reasoning: [thought('Logs.', 'sig==')] },
  ],
  [
    'thinking, call, thinking, call: the order goes back',
    workflows,
    start() +
      think(0, 'Logs.', 'sigA==') +
      use(1, 't1', 'fetch_logs', direct) +
      think(2, 'More.', 'sigB==') +
      use(3, 't2', 'fetch_logs', direct) +
      ended('tool_use') +
      stop,
    {
      finishReason: 'tool-calls',
      reasoning: [thought('Logs.', 'sigA=='), thought('More.', 'sigB==')],
      toolCalls: called(['t1', 'fetch_logs', limit], ['t2', 'fetch_logs', limit]),
    },
    [
      { type: 'thinking', thinking: 'Logs.', signature: 'sigA==' },
      { type: 'tool_use', id: 't1', name: 'fetch_logs', input: limit, ...direct },
      { type: 'thinking', thinking: 'More.', signature: 'sigB==' },
      { type: 'tool_use', id: 't2', name: 'fetch_logs', input: limit, ...direct },
    ],
  ],
  [
    'redacted thinking after text',
    workflows,
    start() +
      text(0, 'Half') +
      block(1, { type: 'redacted_thinking', data: 'EmwK' }) +
      use(2, 't1', 'fetch_logs') +
      ended('tool_use') +
      stop,
    { ...runs, reasoning: [{ text: '', signature: 'EmwK', redacted: true }] },
    [
      { type: 'text', text: 'Half' },
      { type: 'redacted_thinking', data: 'EmwK' },
      { type: 'tool_use', id: 't1', name: 'fetch_logs', input: limit },
    ],
  ],
  [
    'unsigned thinking of a compatible server, and an id with a colon',
    null,
    start() +
      block(0, { type: 'thinking', thinking: 'Logs.' }) +
      use(1, 'functions.fetch_logs:0', 'fetch_logs') +
      ended('tool_use') +
      stop,
    {
      reasoning: [thought('Logs.')],
      toolCalls: called(['functions.fetch_logs:0', 'fetch_logs', limit]),
    },
    [
      { type: 'thinking', thinking: 'Logs.' },
      { type: 'tool_use', id: 'functions.fetch_logs:0', name: 'fetch_logs', input: limit },
    ],
  ],
  [
    'a search that the provider made, then text with citations',
    types,
    start() +
      block(
        0,
        { ...search, input: {} },
        {
          type: 'input_json_delta',
          partial_json: '{"query":"logs"}',
        },
      ) +
      block(1, found) +
      block(
        2,
        { type: 'text', text: '', citations: [] },
        { type: 'text_delta', text: 'Ok.' },
        { type: 'citations_delta', citation: { url: 'https://example.com' } },
      ) +
      ended('end_turn') +
      stop,
    {
      finishReason: 'stop',
      text: 'Ok.',
      reasoning: [thought('The provider ran a tool of its own: web_search.')],
    },
    [search, found, { type: 'text', text: 'Ok.', citations: [{ url: 'https://example.com' }] }],
  ],
  [
    'nothing but tools that the provider ran',
    types,
    start() + block(0, search) + block(1, found) + ended('end_turn') + stop,
    { failure: 'invalid-response', says: 'cannot show' },
  ],
  [
    'nothing but a kind of block of tomorrow',
    null,
    start() + block(0, { type: 'hologram', data: 'x' }) + ended('end_turn') + stop,
    { failure: 'invalid-response', says: 'cannot show' },
  ],
  [
    'programmatic tool calling: a program asks for a tool',
    types,
    start() +
      text(0, 'Half') +
      block(1, program) +
      use(2, 't1', 'fetch_logs', {
        caller: { type: 'code_execution_20250825', tool_id: 'srvtoolu_2' },
      }) +
      ended('tool_use') +
      stop,
    { failure: 'invalid-response', says: 'A program that the provider runs' },
  ],
  [
    'programmatic tool calling in one JSON answer',
    types,
    JSON.stringify({
      ...whole,
      content: [
        program,
        { ...whole.content[1], caller: { type: 'code_execution_20260120', tool_id: 'srvtoolu_2' } },
      ],
    }),
    { failure: 'invalid-response', says: 'A program that the provider runs' },
  ],
  [
    'a piece of a block that was not begun',
    null,
    start() + event('content_block_delta', { index: 3, delta: { type: 'text_delta', text: 'x' } }),
    { failure: 'invalid-response', says: 'out of order' },
  ],
  [
    'a call without an id cannot go back as it came',
    null,
    start() +
      text(0, 'Half') +
      think(1, 'Hm.', 'sig==') +
      block(2, { type: 'tool_use', name: 'fetch_logs', input: limit }) +
      ended('tool_use') +
      stop,
    { text: 'Half', toolCalls: called([null, 'fetch_logs', limit]) },
  ],
])
