import type { Expected } from '../recordings'
import { called, casesOf, thought } from './dialect-case'

const api = 'https://github.com/ollama/ollama docs/api.md (2026-11-23)'
const unload = 'https://github.com/sammcj/gollama/issues/115, quoting docs/api.md (2026-11-23)'
const server = 'ollama llm/server.go, DoneReason.String (2026-11-23)'

const line = (body: object) => `${JSON.stringify({ model: 'm', created_at: 'now', ...body })}\n`
const say = (message: object) => line({ message: { role: 'assistant', ...message }, done: false })
const done = (more: object) =>
  line({ message: { role: 'assistant', content: '' }, done: true, ...more })
const stop = done({ done_reason: 'stop', prompt_eval_count: 9, eval_count: 4 })

const request = (name: string, args: unknown) =>
  say({ content: '', tool_calls: [{ function: { name, arguments: args } }] })
const call = request('fetch_logs', { limit: 1 })
const runs: Expected = {
  finishReason: 'tool-calls',
  toolCalls: called([null, 'fetch_logs', { limit: 1 }]),
}
const unknown: Expected = { failure: 'invalid-response', says: 'does not know' }
const whole = {
  model: 'm',
  message: {
    role: 'assistant',
    content: 'Ok.',
    tool_calls: [{ function: { name: 'fetch_logs', arguments: { limit: 1 } } }],
  },
  done: true,
  done_reason: 'stop',
  prompt_eval_count: 9,
  eval_count: 4,
}
const usage = (inputTokens: number, outputTokens: number, estimated = false) => ({
  inputTokens,
  outputTokens,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
  estimated,
})

/** Blocks and ends of Ollama answers. */
export const ollamaAnswers = casesOf('ollama', [
  [
    'text, counted',
    api,
    say({ content: 'O' }) + say({ content: 'k.' }) + stop,
    { finishReason: 'stop', text: 'Ok.', usage: usage(9, 4) },
  ],
  ['a call', api, call + stop, runs],
  [
    'length after a call runs nothing',
    api,
    call + done({ done_reason: 'length' }),
    { finishReason: 'length', toolCalls: [] },
  ],
  ['load: nothing was asked', api, done({ done_reason: 'load' }), unknown],
  ['unload', unload, done({ done_reason: 'unload' }), unknown],
  ['load after a call runs nothing', null, call + done({ done_reason: 'load' }), unknown],
  ['STOP in capitals', null, say({ content: 'Ok.' }) + done({ done_reason: 'STOP' }), unknown],
  [
    'no reason: the model stopped early',
    server,
    say({ content: 'Half' }) + call + done({}),
    { finishReason: 'cut', text: 'Half', toolCalls: [] },
  ],
  ['stop without a word', null, stop, { failure: 'invalid-response', says: 'without a word' }],
  ['no end', null, say({ content: 'Half' }) + call, { finishReason: 'cut', toolCalls: [] }],
  [
    'thinking as a field',
    api,
    say({ content: '', thinking: 'Let me ' }) +
      say({ content: '', thinking: 'see.' }) +
      say({ content: 'Ok.' }) +
      stop,
    { text: 'Ok.', reasoning: [thought('Let me see.')] },
  ],
  [
    'thinking in tags, split over lines',
    null,
    say({ content: '<thi' }) +
      say({ content: 'nk>\nHm.</th' }) +
      say({ content: 'ink>\n\n' }) +
      say({ content: 'Ok.' }) +
      stop,
    { text: 'Ok.', reasoning: [thought('Hm.')] },
  ],
  [
    'nothing but thinking',
    null,
    say({ content: '', thinking: 'Hm.' }) + stop,
    { failure: 'invalid-response', says: 'answered nothing' },
  ],
  [
    'eval_count alone: the prompt was cached',
    null,
    say({ content: 'Ok.' }) + done({ done_reason: 'stop', eval_count: 282 }),
    { text: 'Ok.', usage: usage(0, 282, true) },
  ],
  [
    'no counts',
    null,
    say({ content: 'Ok.' }) + done({ done_reason: 'stop' }),
    { text: 'Ok.', usage: null },
  ],
  ['a whole JSON answer', api, JSON.stringify(whole), { ...runs, text: 'Ok.', usage: usage(9, 4) }],
  [
    'a whole JSON answer over many lines',
    api,
    JSON.stringify(whole, null, 2),
    { ...runs, text: 'Ok.' },
  ],
  [
    'a whole JSON answer over many lines, cut',
    null,
    JSON.stringify(whole, null, 2).slice(0, -40),
    { failure: 'invalid-response' },
  ],
  ['an error line', api, say({ content: 'Half' }) + line({ error: 'boom' }), { failure: 'server' }],
  [
    'a call without arguments',
    null,
    request('list_users', undefined) + stop,
    {
      toolCalls: called([null, 'list_users', {}]),
    },
  ],
  ['arguments as text', null, request('fetch_logs', '{"limit":1}') + stop, runs],
])
