import type { Expected } from '../recordings'
import { calls, casesOf, chunk, counts, piece, sse } from './dialect-case'

const openai = 'openai 6.49.0, resources/chat/completions/completions.d.ts (2026-11-23)'
const mistral =
  'https://github.com/mistralai/client-ts docs/models/components/completionresponsestreamchoicefinishreason.md (2026-11-23)'
const deepseek = 'https://docs.rs/crate/ds-api/latest finish_reason.rs (2026-11-23)'
const together =
  'https://github.com/togethercomputer/together-typescript src/resources/chat/completions.ts (2026-11-23)'
const openrouter = 'https://openrouter.ai/docs/api-reference/streaming (2026-11-23)'
const openrouterErrors = 'https://openrouter.ai/docs/api/errors (2026-11-23)'
const vllm = 'https://github.com/block/goose/pull/8031, shapes of vLLM and SGLang (2026-11-23)'

const groq = 'groq-python, XGroq.error of chat_completion_chunk.py (2026-11-23)'
const azure = 'Azure OpenAI, "Content streaming", fields of the asynchronous filter (2026-11-23)'
const perplexity = 'https://docs.perplexity.ai/guides/pro-search-stream-mode-guide (2026-11-23)'

/** Returns a text and a complete call, ended with this reason. Calls run only after an end that is known to be good. */
const ended = (reason: string | null, more: object = {}) =>
  sse(
    chunk({ role: 'assistant', content: 'Half' }),
    calls(piece(0, 'c1', 'fetch_logs', '{"limit":1}')),
    chunk({}, reason, more),
    '[DONE]',
  )

const said = (reason: string) => sse(chunk({ content: 'Ok.' }), chunk({}, reason), '[DONE]')

const stop: Expected = { finishReason: 'stop', text: 'Ok.', toolCalls: [] }
const runs: Expected = {
  finishReason: 'tool-calls',
  text: 'Half',
  toolCalls: [{ id: 'c1', name: 'fetch_logs', argumentsText: '{"limit":1}' }],
}
const half = (finishReason: 'length' | 'content-filter' | 'cut'): Expected => ({
  finishReason,
  text: 'Half',
  toolCalls: [],
})
const unknown: Expected = { failure: 'invalid-response', says: 'does not know' }

/** Returns the annotation of Azure's filter for a part of an answer, without a delta. */
const annotation = (finish_reason: string | null) => ({
  id: '',
  object: '',
  created: 0,
  model: '',
  choices: [
    {
      index: 0,
      finish_reason,
      content_filter_results: { hate: { filtered: finish_reason !== null, severity: 'safe' } },
      content_filter_offsets: { check_offset: 44, start_offset: 44, end_offset: 198 },
    },
  ],
  usage: null,
})

const both = (content: string, soFar: string, finish_reason: string | null) => ({
  ...chunk({}),
  choices: [
    {
      index: 0,
      delta: { role: 'assistant', content },
      message: { role: 'assistant', content: soFar },
      finish_reason,
    },
  ],
})

/** Good and bad ends of Chat Completions answers. */
export const chatEnds = casesOf('openai-compatible', [
  ['OpenAI: stop', openai, said('stop'), stop],
  ['OpenAI: tool_calls', openai, ended('tool_calls'), runs],
  ['OpenAI: stop after calls, as several servers send', openai, ended('stop'), runs],
  ['OpenAI: function_call', openai, ended('function_call'), runs],
  ['OpenAI: length', openai, ended('length'), half('length')],
  ['OpenAI: content_filter', openai, ended('content_filter'), half('content-filter')],
  [
    'Azure: content_filter with its results',
    null,
    sse(
      { choices: [], prompt_filter_results: [{ prompt_index: 0, content_filter_results: {} }] },
      chunk({ content: 'Half' }),
      chunk({}, 'content_filter'),
      '[DONE]',
    ),
    half('content-filter'),
  ],
  [
    'Azure: what its filter says in the middle and after the end',
    azure,
    sse(
      { choices: [], prompt_filter_results: [{ prompt_index: 0, content_filter_results: {} }] },
      chunk({ role: 'assistant', content: 'Ok.' }, null, { usage: null }),
      annotation(null),
      chunk({}, 'stop', { usage: null }),
      annotation(null),
      '[DONE]',
    ),
    stop,
  ],
  [
    'Azure: a filter that finds something after the end',
    azure,
    sse(chunk({ content: 'Half' }), chunk({}, 'stop'), annotation('content_filter'), '[DONE]'),
    half('content-filter'),
  ],
  ['Together: eos', together, said('eos'), stop],
  [
    'Together: the reason and the token counts in one chunk, with fields of its own',
    together,
    sse(
      { ...chunk({ token_id: 1, role: 'assistant', content: 'Ok.' }, null, { usage: null }) },
      chunk({ token_id: 2, role: 'assistant', content: '' }, 'eos', {
        usage: { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 },
      }),
      '[DONE]',
    ),
    stop,
  ],
  [
    'Perplexity: the message so far beside each delta',
    perplexity,
    sse(both('O', 'O', null), both('k.', 'Ok.', null), both('', 'Ok.', 'stop')),
    stop,
  ],
  ['Mistral: model_length', mistral, ended('model_length'), half('length')],
  ['Mistral: error', mistral, ended('error'), { failure: 'server' }],
  [
    'DeepSeek: insufficient_system_resource',
    deepseek,
    ended('insufficient_system_resource'),
    { failure: 'overloaded', says: 'ran out of capacity' },
  ],
  ['Z.ai: sensitive', null, ended('sensitive'), half('content-filter')],
  ['Z.ai: network_error', null, ended('network_error'), unknown],
  [
    'Z.ai: model_context_window_exceeded',
    null,
    ended('model_context_window_exceeded'),
    half('length'),
  ],
  ['a gateway: STOP in capitals is no known end', null, said('STOP'), unknown],
  ['a gateway: TOOL_CALLS in capitals runs nothing', null, ended('TOOL_CALLS'), unknown],
  ['a gateway: MAX_TOKENS in capitals', null, ended('MAX_TOKENS'), half('length')],
  ['a gateway: LENGTH in capitals', null, ended('LENGTH'), half('length')],
  ['a gateway: SAFETY in capitals', null, ended('SAFETY'), half('content-filter')],
  ['a gateway: MALFORMED_FUNCTION_CALL', null, ended('MALFORMED_FUNCTION_CALL'), unknown],
  ['a reason of tomorrow', null, ended('compaction'), unknown],
  ['no reason, but the marker', null, ended(null), half('cut')],
  [
    'no reason and no marker',
    null,
    sse(chunk({ content: 'Half' }), calls(piece(0, 'c1', 'fetch_logs', '{"limit":1}'))),
    half('cut'),
  ],
  ['nothing but the marker', null, sse('[DONE]'), { failure: 'invalid-response', says: 'empty' }],
  [
    'nothing but a reason',
    null,
    sse(chunk({ role: 'assistant', content: '' }), chunk({}, 'stop'), '[DONE]'),
    { failure: 'invalid-response', says: 'without a word' },
  ],
  [
    'nothing but blank text',
    null,
    sse(chunk({ content: '\n\n' }), chunk({}, 'stop'), '[DONE]'),
    { failure: 'invalid-response', says: 'without a word' },
  ],
  [
    'nothing but thinking',
    null,
    sse(chunk({ reasoning_content: 'Hm.' }), chunk({}, 'stop'), '[DONE]'),
    { failure: 'invalid-response', says: 'thought, but then answered nothing' },
  ],
  [
    'nothing but thinking, and the limit',
    null,
    sse(chunk({ reasoning_content: 'Hm.' }), chunk({}, 'length'), '[DONE]'),
    { finishReason: 'length', text: '', toolCalls: [] },
  ],
  [
    'OpenAI: a refusal in pieces ends like one of Anthropic',
    openai,
    sse(
      chunk({ role: 'assistant', content: null, refusal: '' }),
      chunk({ refusal: 'I cannot ' }),
      chunk({ refusal: 'help.' }),
      chunk({}, 'stop'),
      counts({ prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 }),
      '[DONE]',
    ),
    { finishReason: 'content-filter', text: 'I cannot help.', toolCalls: [] },
  ],
  [
    'OpenAI: a refusal among the parts of the content',
    openai,
    sse(
      chunk({ content: [{ type: 'refusal', refusal: 'I cannot help.' }] }),
      chunk({}, 'stop'),
      '[DONE]',
    ),
    { finishReason: 'content-filter', text: 'I cannot help.', toolCalls: [] },
  ],
  [
    'vLLM: an error object in mid-stream',
    vllm,
    sse(
      chunk({ content: 'Half' }),
      { object: 'error', message: 'boom', type: 'InternalServerError', param: null, code: 500 },
      '[DONE]',
    ),
    { failure: 'server' },
  ],
  [
    'vLLM: an error object about the context',
    vllm,
    sse({
      object: 'error',
      message: "This model's maximum context length is 4096 tokens.",
      type: 'BadRequestError',
      code: 400,
    }),
    { failure: 'context-length' },
  ],
  [
    'SGLang: an error under its own key',
    vllm,
    sse(chunk({ content: 'Half' }), { error: { message: 'boom', code: 503 } }, '[DONE]'),
    { failure: 'overloaded' },
  ],
  [
    'OpenRouter: an error beside a finish reason',
    openrouter,
    sse(chunk({ content: 'Half' }), {
      ...chunk({ content: '' }, 'error'),
      error: { code: 429, message: 'Rate limit exceeded' },
    }),
    { failure: 'rate-limited' },
  ],
  [
    'OpenRouter: an error instead of a stream, with status 200',
    openrouterErrors,
    JSON.stringify({ error: { code: 502, message: 'Your chosen model is down' } }),
    { failure: 'server' },
  ],
  [
    'Groq: an error in a field of its own',
    groq,
    sse(
      chunk({ content: 'Half' }),
      chunk({}, null, { x_groq: { id: 'r', error: 'over capacity' } }),
      '[DONE]',
    ),
    { failure: 'server' },
  ],
  [
    'LM Studio: an event named error',
    null,
    `event: error\n${sse({ error: { message: 'The model has crashed' } })}`,
    { failure: 'server' },
  ],
])
