import { expect, test } from 'vitest'
import { costMicroUsd } from '@/lib/protocol/cost/cost'
import { read } from './__fixtures__/read-recording'
import type { Wire } from './__fixtures__/recordings'

const sse = (...events: object[]) =>
  events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')

const prices = {
  input: 1_000_000,
  output: 1_000_000,
  cachedInput: null,
  cacheWrite: null,
  reasoning: null,
}
const tokens = { input_tokens: 10, output_tokens: 5 }

/** An answer over each API type that says in which service tier it was given. */
const answers: [Wire, (tier: string) => string][] = [
  [
    'openai-compatible',
    (service_tier) =>
      sse(
        { service_tier, choices: [{ delta: { content: 'Ok.' }, finish_reason: 'stop' }] },
        { service_tier, choices: [], usage: { prompt_tokens: 10, completion_tokens: 5 } },
      ),
  ],
  [
    'openai',
    (service_tier) => {
      const item = { type: 'message', content: [{ type: 'output_text', text: 'Ok.' }] }
      const response = { status: 'completed', output: [item], usage: tokens, service_tier }
      return sse({ type: 'response.completed', response })
    },
  ],
  [
    'anthropic',
    (service_tier) =>
      sse(
        {
          type: 'message_start',
          message: { content: [{ type: 'text', text: 'Ok.' }], usage: { ...tokens, service_tier } },
        },
        { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 5 } },
        { type: 'message_stop' },
      ),
  ],
  [
    'gemini',
    (serviceTier) =>
      sse({
        candidates: [{ content: { parts: [{ text: 'Ok.' }] }, finishReason: 'STOP' }],
        usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, serviceTier },
      }),
  ],
]

test.each(answers)(
  'R14: %s says in which service tier it answered, which may cost more',
  (wire, answer) => {
    const cost = (tier: string) => {
      const { finish } = read(wire, [Buffer.from(answer(tier))])
      expect(finish?.text).toBe('Ok.')
      return finish?.usage && costMicroUsd(finish.usage, prices)
    }
    expect(cost('default')).toBe(15)
    expect(cost('flex')).toBe(15)
    expect(cost('priority')).toBeNull()
    expect(cost('')).toBe(15)
    expect(cost('unspecified')).toBe(15)
  },
)
