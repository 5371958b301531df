import type { Expected } from '../recordings'
import { block, ended, event, start, stop, text, think, use } from './anthropic-stream'
import { called, casesOf, thought } from './dialect-case'

const types = '@anthropic-ai/sdk 1.12.0, resources/messages/messages.d.ts (2026-11-23)'
const workflows =
  'https://platform.claude.com/docs/build-with-claude/thinking-tool-workflows (2026-11-23)'

const limit = { limit: 1 }
const direct = { caller: { type: 'direct' } }
const call = { type: 'tool_use', id: 't1', name: 'fetch_logs', input: limit }
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

const runs: Expected = {
  finishReason: 'tool-calls',
  text: 'Half',
  toolCalls: called(['t1', 'fetch_logs', limit]),
}

/** Blocks of Messages API answers, and the ones that are sent back. */
export const anthropicBlocks = casesOf('anthropic', [
  [
    'thinking, text, call: the portable form has all but what is signed',
    workflows,
    start() +
      think(0, 'Logs.', 'sig==') +
      text(1, 'Half') +
      use(2, 't1', 'fetch_logs', direct) +
      ended('tool_use') +
      stop,
    { ...runs, reasoning: [thought('Logs.')] },
    [
      { type: 'thinking', thinking: 'Logs.', signature: 'sig==' },
      { type: 'text', text: 'Half' },
      { type: 'tool_use', id: 't1', name: 'fetch_logs', input: limit, ...direct },
    ],
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
      reasoning: [thought('Logs.'), thought('More.')],
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
    { ...runs, reasoning: [{ text: '', signature: null, redacted: true }] },
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
      type: 'message',
      role: 'assistant',
      stop_reason: 'tool_use',
      content: [
        program,
        { ...call, caller: { type: 'code_execution_20260120', tool_id: 'srvtoolu_2' } },
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
