import { called, calls, casesOf, chunk, piece, sse, thought } from './dialect-case'

const gemini = 'https://ai.google.dev/gemini-api/docs/thought-signatures (2026-11-23)'
const openrouter = 'https://openrouter.ai/docs/use-cases/reasoning-tokens (2026-11-23)'
const minimax =
  'https://docs.vllm.ai/en/latest/api/vllm/reasoning/minimax_m2_reasoning_parser/ (2026-11-23)'
const mistral =
  'https://github.com/mistralai/client-ts docs/models/components/thinkchunk.md (2026-11-23)'
const groq =
  'https://github.com/groq/groq-typescript src/resources/chat/completions.ts (2026-11-23)'

const stop = chunk({}, 'stop')
const fetchLogs = piece(0, 'c1', 'fetch_logs', '{"limit":1}')
const wireCall = {
  id: 'c1',
  type: 'function',
  function: { name: 'fetch_logs', arguments: '{"limit":1}' },
}
const pieces = (...texts: string[]) => texts.map((content) => chunk({ content }))
const signed = (signature: string) => ({
  extra_content: { google: { thought_signature: signature } },
})

/** Fields in which servers put thinking, and the ones they want back. */
export const chatThinking = casesOf('openai-compatible', [
  [
    'vLLM, DeepSeek, xAI, LM Studio: reasoning_content',
    null,
    sse(
      chunk({ reasoning_content: 'Let me ' }),
      chunk({ reasoning_content: 'see.' }),
      ...pieces('Ok.'),
      stop,
    ),
    { text: 'Ok.', reasoning: [thought('Let me see.', 'field:reasoning_content')] },
  ],
  [
    'Groq, Together: reasoning',
    groq,
    sse(chunk({ reasoning: 'Hm.' }), ...pieces('Ok.'), stop),
    { text: 'Ok.', reasoning: [thought('Hm.', 'field:reasoning')] },
  ],
  [
    'thinking as a field',
    null,
    sse(chunk({ thinking: 'Hm.' }), ...pieces('Ok.'), stop),
    { text: 'Ok.', reasoning: [thought('Hm.', 'field:thinking')] },
  ],
  [
    'vLLM, LM Studio: <think> at the start, in one piece',
    minimax,
    sse(...pieces('<think>\nHm.\n</think>\n\nOk.'), stop, '[DONE]'),
    { text: 'Ok.', reasoning: [thought('Hm.\n')] },
    { role: 'assistant', content: '<think>\nHm.\n</think>\n\nOk.' },
  ],
  [
    '<think> split over deltas, each tag in three',
    minimax,
    sse(
      ...pieces('<', 'thi', 'nk>Let', ' me <b>', 'see.</', 'thi', 'nk>', '\n', '\nO', 'k.'),
      stop,
    ),
    { text: 'Ok.', reasoning: [thought('Let me <b>see.')] },
    { role: 'assistant', content: '<think>Let me <b>see.</think>\n\nOk.' },
  ],
  [
    '<think> with a call: it goes back in the content',
    minimax,
    sse(...pieces('<think>Logs.</think>'), calls(fetchLogs), chunk({}, 'tool_calls'), '[DONE]'),
    {
      finishReason: 'tool-calls',
      text: '',
      reasoning: [thought('Logs.')],
      toolCalls: called(['c1', 'fetch_logs', { limit: 1 }]),
    },
    { role: 'assistant', content: '<think>Logs.</think>', tool_calls: [wireCall] },
  ],
  [
    'Qwen without thinking: an empty <think>',
    null,
    sse(...pieces('<think>\n\n</think>\n\n', 'Ok.'), stop),
    { text: 'Ok.', reasoning: [] },
    { role: 'assistant', content: '<think>\n\n</think>\n\nOk.' },
  ],
  [
    '<think> that never closes',
    null,
    sse(...pieces('<think>Hm. '), stop, '[DONE]'),
    { failure: 'invalid-response', says: 'answered nothing' },
  ],
  [
    '<think> that reached the limit',
    null,
    sse(...pieces('<think>Hm.'), chunk({}, 'length'), '[DONE]'),
    { finishReason: 'length', text: '', reasoning: [thought('Hm.')] },
  ],
  [
    'an answer about <think>',
    null,
    sse(...pieces('The <think> tag.'), stop),
    { text: 'The <think> tag.', reasoning: [] },
  ],
  [
    'an answer that begins almost like it',
    null,
    sse(...pieces('  <', 'thin', ' air'), stop, '[DONE]'),
    { text: '  <thin air', reasoning: [] },
  ],
  [
    'an answer that ends in half a tag',
    null,
    sse(...pieces('<thi'), stop, '[DONE]'),
    { text: '<thi', reasoning: [] },
  ],
  [
    'a whole JSON answer with <think>',
    null,
    JSON.stringify({
      object: 'chat.completion',
      choices: [{ index: 0, message: { content: '<think>Hm.</think>Ok.' }, finish_reason: 'stop' }],
    }),
    { text: 'Ok.', reasoning: [thought('Hm.')] },
    { role: 'assistant', content: '<think>Hm.</think>Ok.' },
  ],
  [
    'Gemini: a thought signature on the first of two calls',
    gemini,
    sse(
      chunk({
        role: 'assistant',
        tool_calls: [{ ...fetchLogs, ...signed('sigA==') }, piece(1, 'c2', 'list_users', '{}')],
      }),
      stop,
      '[DONE]',
    ),
    {
      finishReason: 'tool-calls',
      toolCalls: called(['c1', 'fetch_logs', { limit: 1 }], ['c2', 'list_users', {}]),
    },
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        { ...wireCall, ...signed('sigA==') },
        { id: 'c2', type: 'function', function: { name: 'list_users', arguments: '{}' } },
      ],
    },
  ],
  [
    'Gemini: a thought signature on text',
    gemini,
    sse(...pieces('Ok.'), chunk({ content: '', ...signed('sigT==') }, 'stop'), '[DONE]'),
    { finishReason: 'stop', text: 'Ok.' },
    { role: 'assistant', content: 'Ok.', ...signed('sigT==') },
  ],
  [
    'Gemini: thoughts marked beside the content',
    null,
    sse(
      chunk({ content: 'Hm.', extra_content: { google: { thought: true } } }),
      ...pieces('Ok.'),
      stop,
    ),
    { text: 'Ok.', reasoning: [thought('Hm.')] },
  ],
  [
    'Gemini: thoughts in tags of its own',
    null,
    sse(...pieces('<thought>Hm.</thought>', 'Ok.'), stop),
    { text: 'Ok.', reasoning: [thought('Hm.')] },
    { role: 'assistant', content: '<thought>Hm.</thought>Ok.' },
  ],
  [
    'Gemini: a signed call without an id cannot go back as it came',
    gemini,
    sse(calls({ ...piece(0, null, 'list_users', '{}'), ...signed('sigA==') }), stop),
    { toolCalls: called([null, 'list_users', {}]) },
  ],
  [
    'LiteLLM: the signature in fields of the provider',
    null,
    sse(
      calls({ ...fetchLogs, provider_specific_fields: { thought_signature: 'sigL==' } }),
      chunk({}, 'tool_calls'),
      '[DONE]',
    ),
    { toolCalls: called(['c1', 'fetch_logs', { limit: 1 }]) },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ ...wireCall, provider_specific_fields: { thought_signature: 'sigL==' } }],
    },
  ],
  [
    'OpenRouter: reasoning_details of Anthropic, signed at the end',
    openrouter,
    sse(
      chunk({
        reasoning: 'Let me ',
        reasoning_details: [
          { type: 'reasoning.text', text: 'Let me ', format: 'anthropic-claude-v1', index: 0 },
        ],
      }),
      chunk({
        reasoning: 'see.',
        reasoning_details: [
          { type: 'reasoning.text', text: 'see.', format: 'anthropic-claude-v1', index: 0 },
        ],
      }),
      chunk({
        reasoning_details: [
          { type: 'reasoning.text', signature: 'sig==', format: 'anthropic-claude-v1', index: 0 },
        ],
      }),
      calls(fetchLogs),
      chunk({}, 'tool_calls'),
      '[DONE]',
    ),
    { reasoning: [thought('Let me see.', 'field:reasoning')], finishReason: 'tool-calls' },
    {
      role: 'assistant',
      content: null,
      reasoning_details: [
        {
          type: 'reasoning.text',
          text: 'Let me see.',
          format: 'anthropic-claude-v1',
          index: 0,
          signature: 'sig==',
        },
      ],
      tool_calls: [wireCall],
    },
  ],
  [
    'OpenRouter: a summary and encrypted reasoning of OpenAI, in order',
    openrouter,
    sse(
      chunk({ reasoning_details: [{ type: 'reasoning.summary', summary: 'Looks ', index: 0 }] }),
      chunk({ reasoning_details: [{ type: 'reasoning.summary', summary: 'fine.', index: 0 }] }),
      chunk({
        reasoning_details: [{ type: 'reasoning.encrypted', data: 'gAAA', id: 'rs_1', index: 0 }],
      }),
      ...pieces('Ok.'),
      stop,
      '[DONE]',
    ),
    { text: 'Ok.', reasoning: [thought('Looks fine.')] },
    {
      role: 'assistant',
      content: 'Ok.',
      reasoning_details: [
        { type: 'reasoning.summary', summary: 'Looks fine.', index: 0 },
        { type: 'reasoning.encrypted', data: 'gAAA', id: 'rs_1', index: 0 },
      ],
    },
  ],
  [
    'Mistral: thinking among the parts of the content',
    mistral,
    sse(
      chunk({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Let me ' }] }] }),
      chunk({
        content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'see.' }], closed: true }],
      }),
      chunk({ content: [{ type: 'text', text: 'O' }] }),
      ...pieces('k.'),
      stop,
      '[DONE]',
    ),
    { text: 'Ok.', reasoning: [thought('Let me see.')] },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: [{ type: 'text', text: 'Let me see.' }], closed: true },
        { type: 'text', text: 'Ok.' },
      ],
    },
  ],
  [
    'Mistral: text parts without thinking are plain text',
    mistral,
    sse(chunk({ content: [{ type: 'text', text: 'Ok.' }] }), stop, '[DONE]'),
    { text: 'Ok.', reasoning: [] },
  ],
])
