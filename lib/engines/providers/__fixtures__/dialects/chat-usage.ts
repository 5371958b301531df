import type { Expected } from '../recordings'
import { casesOf, chunk, counts, sse } from './dialect-case'

const openai = 'openai 6.49.0, resources/chat/completions/completions.d.ts (2026-11-23)'
const kimi = 'https://github.com/caudena/beam_weaver/releases/tag/v0.1.12 (2026-11-23)'
const groq =
  'https://github.com/groq/groq-typescript src/resources/chat/completions.ts (2026-11-23)'

const usage = (input: number, output: number, cached = 0, reasoning = 0) => ({
  inputTokens: input,
  outputTokens: output,
  cachedInputTokens: cached,
  cacheWriteTokens: 0,
  reasoningTokens: reasoning,
  estimated: false,
})

const counted = (count: object) =>
  sse(chunk({ content: 'Ok.' }), chunk({}, 'stop'), count, '[DONE]')
const costs = (...args: Parameters<typeof usage>): Expected => ({
  finishReason: 'stop',
  usage: usage(...args),
})

/** Fields in which Chat Completions servers put their token counts. */
export const chatUsage = casesOf('openai-compatible', [
  [
    'OpenAI: token counts after the reason',
    openai,
    counted(
      counts({
        prompt_tokens: 90,
        completion_tokens: 40,
        total_tokens: 130,
        prompt_tokens_details: { cached_tokens: 64 },
        completion_tokens_details: { reasoning_tokens: 30 },
      }),
    ),
    costs(90, 40, 64, 30),
  ],
  [
    'token counts as text',
    null,
    counted(
      counts({
        prompt_tokens: '90',
        completion_tokens: '40',
        total_tokens: '130',
        prompt_tokens_details: { cached_tokens: '64' },
      }),
    ),
    costs(90, 40, 64),
  ],
  [
    'token counts after the end marker',
    null,
    sse(
      chunk({ content: 'Ok.' }),
      chunk({}, 'stop'),
      '[DONE]',
      counts({ prompt_tokens: 90, completion_tokens: 40, total_tokens: 130 }),
    ),
    costs(90, 40),
  ],
  [
    'Kimi: token counts inside the choice, cached ones at the top',
    kimi,
    sse(
      chunk({ content: 'Ok.' }),
      {
        ...chunk({}),
        choices: [
          {
            index: 0,
            delta: {},
            finish_reason: 'stop',
            usage: { prompt_tokens: 90, completion_tokens: 4, total_tokens: 94, cached_tokens: 64 },
          },
        ],
      },
      '[DONE]',
    ),
    costs(90, 4, 64),
  ],
  [
    'Groq: token counts in a field of its own',
    groq,
    sse(
      chunk({ content: 'Ok.' }),
      chunk({}, 'stop', {
        x_groq: { id: 'r', usage: { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 } },
      }),
      '[DONE]',
    ),
    costs(9, 4),
  ],
  [
    'DeepSeek: prompt_cache_hit_tokens',
    null,
    counted(
      counts({
        prompt_tokens: 90,
        completion_tokens: 4,
        total_tokens: 94,
        prompt_cache_hit_tokens: 64,
        prompt_cache_miss_tokens: 26,
      }),
    ),
    costs(90, 4, 64),
  ],
  [
    'xAI: reasoning beside the completion, shown by the total',
    null,
    counted(
      counts({
        prompt_tokens: 32,
        completion_tokens: 9,
        total_tokens: 135,
        completion_tokens_details: { reasoning_tokens: 94 },
      }),
    ),
    costs(32, 103, 0, 94),
  ],
  [
    'vLLM: token counts in every chunk',
    null,
    sse(
      chunk({ content: 'O' }, null, { usage: { prompt_tokens: 9, completion_tokens: 1 } }),
      chunk({ content: 'k.' }, null, { usage: { prompt_tokens: 9, completion_tokens: 2 } }),
      chunk({}, 'stop', { usage: { prompt_tokens: 9, completion_tokens: 3 } }),
      '[DONE]',
    ),
    costs(9, 3),
  ],
  [
    'figures that are none',
    null,
    counted(counts({ prompt_tokens: '9', completion_tokens: -4 })),
    { finishReason: 'stop', usage: null },
  ],
])
