import { expect, test } from 'vitest'
import { read } from './__fixtures__/read-recording'
import type { Wire } from './__fixtures__/recordings'

const sse = (...events: object[]) =>
  events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')

const block = { type: 'text', text: 'Ok.' }
const anthropicUsage = { input_tokens: 10, output_tokens: 5 }
const item = { type: 'message', content: [{ type: 'output_text', text: 'Ok.' }] }

function anthropicStream(atStart: object, atEnd: object): string {
  return sse(
    { type: 'message_start', message: { content: [], usage: { ...anthropicUsage, ...atStart } } },
    { type: 'content_block_start', index: 0, content_block: block },
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: 'end_turn' },
      usage: { output_tokens: 5, ...atEnd },
    },
    { type: 'message_stop' },
  )
}

const response = (cost: object) => ({
  object: 'response',
  status: 'completed',
  output: [item],
  usage: { ...anthropicUsage, ...cost },
})

/** An answer with this in its usage, over each API type that a gateway with a price of its own speaks. */
const answers: [string, Wire, (cost: object) => string][] = [
  [
    'a chunk of Chat Completions',
    'openai-compatible',
    (cost) =>
      sse(
        { choices: [{ delta: { content: 'Ok.' }, finish_reason: 'stop' }] },
        { choices: [], usage: { prompt_tokens: 10, completion_tokens: 5, ...cost } },
      ),
  ],
  [
    'the end of a Responses stream',
    'openai',
    (cost) => sse({ type: 'response.completed', response: response(cost) }),
  ],
  ['a whole response', 'openai', (cost) => JSON.stringify(response(cost))],
  ['the end of an Anthropic stream', 'anthropic', (cost) => anthropicStream({}, cost)],
  ['the start of an Anthropic stream', 'anthropic', (cost) => anthropicStream(cost, {})],
  [
    'a whole Anthropic answer',
    'anthropic',
    (cost) =>
      JSON.stringify({
        type: 'message',
        content: [block],
        stop_reason: 'end_turn',
        usage: { ...anthropicUsage, ...cost },
      }),
  ],
]

function usageFrom(wire: Wire, answer: string) {
  const { finish, failure } = read(wire, [Buffer.from(answer)])
  expect(failure).toBeNull()
  expect(finish?.usage).toMatchObject({ inputTokens: 10, outputTokens: 5, estimated: false })
  return finish?.usage
}

const costs: [string, object, number][] = [
  ['OpenRouter, in dollars', { cost: 0.00014 }, 140],
  ['a part of a micro-dollar', { cost: 0.0000011 }, 2],
  ['nothing', { cost: 0 }, 0],
  ['xAI, in parts of 10^-10 dollars', { cost_in_usd_ticks: 318_319_000 }, 31_832],
]

test.each(
  answers.flatMap(([place, wire, answer]) =>
    costs.map(([words, cost, microUsd]) => [words, place, wire, answer(cost), microUsd] as const),
  ),
)(
  'the cost that a provider reports is kept: %s, in %s',
  (_words, _place, wire, answer, microUsd) => {
    expect(usageFrom(wire, answer)).toMatchObject({ reportedCostMicroUsd: microUsd })
  },
)

test.each(
  answers.flatMap(([place, wire, answer]) =>
    [-1, 1e15, '0.5', null, {}].map((cost) => [cost, place, wire, answer({ cost })] as const),
  ),
)('what is no cost is none: %j, in %s', (_cost, _place, wire, answer) => {
  expect(usageFrom(wire, answer)).not.toHaveProperty('reportedCostMicroUsd')
})

test('a later cost of an Anthropic stream counts', () => {
  const usage = usageFrom('anthropic', anthropicStream({ cost: 0.1 }, { cost: 0.2 }))
  expect(usage).toMatchObject({ reportedCostMicroUsd: 200_000 })
})
