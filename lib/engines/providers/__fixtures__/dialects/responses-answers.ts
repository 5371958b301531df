import { responsesEvents, responsesStream } from '../responses-stream'
import { casesOf, thought } from './dialect-case'

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
const message = (text: string, more: object = {}) => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', annotations: [], logprobs: [], text }],
  ...more,
})
const refusal = (words: string) => message('', { content: [{ type: 'refusal', refusal: words }] })
const sealed = { id: 'rs_1', type: 'reasoning', encrypted_content: 'gAAA', summary: [] }

const done = (item: object): [string, object] => [
  'response.output_item.done',
  { output_index: 0, item },
]
const completed = (output: object[] = [], more: object = {}): [string, object] => [
  'response.completed',
  { response: { id: 'resp_1', object: 'response', status: 'completed', output, ...more } },
]
const refused = { failure: 'invalid-response' }

const bareDelta = (more: object): [string, object] => [
  'response.output_text.delta',
  { delta: 'All is well.', ...more },
]
const said = { finishReason: 'stop' as const, text: 'All is well.' }

export const responsesAnswers = casesOf('openai', [
  [
    'pieces of text that have an id but no index',
    null,
    responsesEvents(
      bareDelta({ item_id: 'msg_1', content_index: 0 }),
      done(message('All is well.')),
      completed([message('All is well.')]),
    ),
    said,
  ],
  [
    'pieces of text that have neither an id nor an index',
    null,
    responsesEvents(
      bareDelta({}),
      done(message('All is well.')),
      completed([message('All is well.')]),
    ),
    said,
  ],
  [
    'pieces of text without an index, and the whole only at the end',
    null,
    responsesEvents(bareDelta({}), completed([message('All is well.')])),
    said,
  ],
  [
    'a refusal',
    types,
    responsesEvents(
      ['response.refusal.delta', { output_index: 0, delta: 'No' }],
      ['response.refusal.done', { output_index: 0, refusal: 'No.' }],
      done(refusal('No.')),
      completed(),
    ),
    { finishReason: 'content-filter', text: 'No.' },
  ],
  [
    'a refusal that comes only whole',
    types,
    responsesEvents(completed([refusal('No.')])),
    { finishReason: 'content-filter', text: 'No.' },
  ],
  [
    'a refusal beside a call',
    types,
    responsesEvents(done(call), completed([call, refusal('No.')])),
    { finishReason: 'content-filter', text: 'No.', toolCalls: [] },
  ],
  [
    'text without the beginning of its item',
    null,
    responsesEvents(
      ['response.output_text.delta', { output_index: 0, delta: 'Fi' }],
      ['response.output_text.delta', { output_index: 0, delta: 'ne.' }],
      completed(),
    ),
    { finishReason: 'stop', text: 'Fine.' },
  ],
  [
    'text of two parts',
    types,
    responsesStream([
      message('', {
        content: [
          { type: 'output_text', text: 'One ' },
          { type: 'output_text', text: 'two.' },
        ],
      }),
    ]),
    { text: 'One two.' },
  ],
  [
    'reasoning that is encrypted only',
    types,
    responsesStream([sealed, message('Fine.')]),
    { text: 'Fine.', reasoning: [] },
    [sealed, message('Fine.')],
  ],
  [
    'reasoning in two summaries',
    types,
    responsesStream([
      {
        ...sealed,
        summary: [
          { type: 'summary_text', text: 'One.' },
          { type: 'summary_text', text: 'Two.' },
        ],
      },
      message('Fine.'),
    ]),
    { reasoning: [thought('One.\n\nTwo.')] },
    [
      {
        ...sealed,
        summary: [
          { type: 'summary_text', text: 'One.' },
          { type: 'summary_text', text: 'Two.' },
        ],
      },
      message('Fine.'),
    ],
  ],
  ['reasoning and nothing else', types, responsesStream([sealed]), refused],
  ['a response without items', types, responsesEvents(completed()), refused],
  ['nothing but the old end mark', null, 'data: [DONE]\n\n', refused],
  [
    'an end mark after the end',
    null,
    `${responsesStream([message('Fine.')])}data: [DONE]\n\n`,
    { text: 'Fine.' },
  ],
  [
    'an end for a reason of tomorrow',
    null,
    responsesEvents([
      'response.incomplete',
      { response: { status: 'incomplete', incomplete_details: { reason: 'tired' }, output: [] } },
    ]),
    refused,
  ],
  [
    'an end that is still in progress',
    null,
    responsesEvents(completed([message('Fine.')], { status: 'in_progress' })),
    refused,
  ],
  [
    'a failure',
    types,
    responsesEvents([
      'response.failed',
      { response: { status: 'failed', error: { code: 'server_error', message: 'Oh.' } } },
    ]),
    { failure: 'server' },
  ],
  [
    'a failure for too many tokens',
    types,
    responsesEvents([
      'response.failed',
      {
        response: {
          status: 'failed',
          error: { code: 'rate_limit_exceeded', message: 'Limit 30000.' },
        },
      },
    ]),
    { failure: 'rate-limited' },
  ],
  [
    'a prompt that is refused',
    types,
    responsesEvents([
      'response.failed',
      { response: { status: 'failed', error: { code: 'invalid_prompt', message: 'No.' } } },
    ]),
    { failure: 'bad-request' },
  ],
  [
    'a conversation that is too long',
    null,
    responsesEvents([
      'error',
      { code: 'context_length_exceeded', message: 'Too long.', param: 'input' },
    ]),
    { failure: 'context-length' },
  ],
  [
    'an error whose fields stand bare',
    types,
    responsesEvents(['error', { code: 'server_error', message: 'Oh.', param: null }]),
    { failure: 'server' },
  ],
  [
    'an error in an object',
    fixtures,
    responsesEvents([
      'error',
      { error: { type: 'insufficient_quota', code: 'insufficient_quota', message: 'No.' } },
    ]),
    { failure: 'no-credit' },
  ],
  [
    'events without names',
    null,
    responsesStream([message('Fine.')]).replaceAll(/^event: .*\n/gm, ''),
    { text: 'Fine.' },
  ],
  [
    'events of a kind of tomorrow',
    null,
    responsesEvents(['response.mood.delta', { delta: 'x' }], completed([message('Fine.')])),
    { text: 'Fine.' },
  ],
  [
    'usage in full',
    types,
    responsesStream([message('Fine.')], {
      usage: {
        input_tokens: 9,
        input_tokens_details: { cached_tokens: 4, cache_write_tokens: 3 },
        output_tokens: 5,
        output_tokens_details: { reasoning_tokens: 2 },
        total_tokens: 14,
      },
    }),
    {
      usage: {
        inputTokens: 9,
        outputTokens: 5,
        cachedInputTokens: 4,
        cacheWriteTokens: 3,
        reasoningTokens: 2,
        estimated: false,
      },
    },
  ],
  ['no usage', null, responsesStream([message('Fine.')], { usage: null }), { usage: null }],
])
