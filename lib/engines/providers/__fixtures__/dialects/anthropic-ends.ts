import type { Expected } from '../recordings'
import { block, ended, event, start, stop, text, use } from './anthropic-stream'
import { called, casesOf } from './dialect-case'

const types = '@anthropic-ai/sdk 1.12.0, resources/messages/messages.d.ts (2026-11-23)'

/** Returns a text and a complete call, ended with this reason. */
const answer = (reason: string | null) =>
  start() + text(0, 'Half') + use(1, 't1', 'fetch_logs') + ended(reason) + stop

const half = (finishReason: 'length' | 'content-filter' | 'cut'): Expected => ({
  finishReason,
  text: 'Half',
  toolCalls: [],
})
const unknown: Expected = { failure: 'invalid-response', says: 'does not know' }
const limit = { limit: 1 }
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

/** Stop reasons of Messages API answers. */
export const anthropicEnds = casesOf('anthropic', [
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
])
