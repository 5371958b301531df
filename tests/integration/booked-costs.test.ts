import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ModelTarget } from '@/lib/protocol/model/model-target'
import type { Engine } from '@/lib/runs/engine/engine'
import { db } from '@/tests/support/fixture-db'
import { startReplayServer } from '@/tests/support/model-server/start-replay-server'
import { addRunSite, collect, start } from '@/tests/support/run-site'
import { startTestEngine } from '@/tests/support/test-engine'

let server: Awaited<ReturnType<typeof startReplayServer>>
let engine: Engine
let answer: readonly object[] = []

beforeAll(async () => {
  server = await startReplayServer(() => {
    const events = answer.map((event) => `data: ${JSON.stringify(event)}\n\n`)
    const pieces = [Buffer.from(events.join(''))]
    return { contentType: 'text/event-stream', pieces, ending: 'end' }
  })
  engine = await startTestEngine()
})

afterAll(async () => {
  await engine.close()
  await server.close()
})

/** Makes a run whose one request is answered with these events. Returns what is booked for it. */
async function booked(
  wire: ModelTarget['wire'],
  events: readonly object[],
  prices: { input: number; output: number; cacheWrite: number },
) {
  answer = events
  const site = await addRunSite(server.url, wire)
  const model = { configurations: { some: { identifier: site.configuration } } }
  await db().modelPrice.updateMany({ where: { model }, data: prices })
  await db().connection.updateMany({ where: { models: { some: model } }, data: { maxTries: 1 } })
  const { runId } = await start(site, 'Hello?')
  await collect(site.admin, runId)
  const records = await db().usageRecord.findMany({ where: { runId } })
  const run = await db().run.findUniqueOrThrow({ where: { id: runId } })
  return { total: run.costMicroUsd, records }
}

describe('what a provider counted in the event in which an answer fails is booked to the digit', () => {
  const prices = { input: 2_000_000, output: 10_000_000, cacheWrite: 2_500_000 }
  const chat = (finish_reason: string) => ({
    choices: [{ index: 0, delta: { content: 'Half' }, finish_reason }],
    usage: { prompt_tokens: 1_400, completion_tokens: 100, total_tokens: 1_500 },
  })
  const gemini = (finishReason: string) => ({
    candidates: [{ content: { parts: [{ text: 'Half' }] }, finishReason }],
    usageMetadata: { promptTokenCount: 1_400, candidatesTokenCount: 60, thoughtsTokenCount: 40 },
  })

  test.each([
    ['MALFORMED_FUNCTION_CALL', 'openai-compatible', 'invalid-response', chat],
    ['malformed_tool_use', 'openai-compatible', 'invalid-response', chat],
    ['error', 'openai-compatible', 'server', chat],
    ['MALFORMED_FUNCTION_CALL', 'gemini', 'invalid-response', gemini],
  ] as const)('%s over %s', async (reason, wire, errorCategory, eventOf) => {
    // 1,400 of input at $2 and 100 of output at $10 a million: 2,800 + 1,000.
    const costMicroUsd = 3_800n
    expect(await booked(wire, [eventOf(reason)], prices)).toMatchObject({
      total: costMicroUsd,
      records: [
        { costMicroUsd, errorCategory, inputTokens: 1_400, outputTokens: 100, estimated: false },
      ],
    })
  })
})

describe('what was written to a cache is booked to the digit under each name for it', () => {
  const prices = { input: 3_000_000, output: 15_000_000, cacheWrite: 3_750_000 }
  const written = 32_436
  const chat = (usage: object) => [
    { choices: [{ index: 0, delta: { content: 'Done.' }, finish_reason: 'stop' }] },
    { choices: [], usage: { prompt_tokens: 59_681, completion_tokens: 1_000, ...usage } },
  ]
  const messages = [
    {
      type: 'message_start',
      message: {
        usage: { input_tokens: 27_245, cache_creation_input_tokens: written, output_tokens: 1 },
      },
    },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'Done.' } },
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: 'end_turn' },
      usage: { output_tokens: 1_000 },
    },
    { type: 'message_stop' },
  ]

  const [short, long] = [
    { cache_creation_tokens: written },
    { cache_creation_input_tokens: written },
  ]

  test.each([
    ['cache_creation_tokens', 'openai-compatible', chat(short)],
    ['cache_creation_input_tokens', 'openai-compatible', chat(long)],
    [
      'cache_creation_tokens in details',
      'openai-compatible',
      chat({ prompt_tokens_details: short }),
    ],
    [
      'cache_creation_input_tokens in details',
      'openai-compatible',
      chat({ prompt_tokens_details: long }),
    ],
    ['cache_creation_input_tokens', 'anthropic', messages],
  ] as const)('%s over %s', async (_, wire, events) => {
    // 27,245 fresh at $3, 32,436 written at $3.75 and 1,000 of output at $15 a million: 81,735 + 121,635 + 15,000.
    const costMicroUsd = 218_370n
    expect(await booked(wire, events, prices)).toMatchObject({
      total: costMicroUsd,
      records: [
        {
          costMicroUsd,
          errorCategory: null,
          estimated: false,
          inputTokens: 59_681,
          cacheWriteTokens: written,
          outputTokens: 1_000,
        },
      ],
    })
  })
})
