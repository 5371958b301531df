import { afterEach, describe, expect, it, test } from 'vitest'
import { answered, ask, closeAll, serve } from '@/lib/engines/providers/__fixtures__/ask-provider'
import { HttpFailure } from '@/lib/engines/providers/failures/provider-error'
import type { ModelRequest } from '@/lib/protocol/model/message'
import { defaultModelParameters } from '@/lib/protocol/parameters/parameters'
import { eventsOf } from '@/tests/support/run-fixture'
import { callScripts, playRun } from '@/tests/support/strict-providers/play-run'
import type { Json } from '@/tests/support/strict-providers/strict-provider'
import { createPlainerSend } from './send-plainer'

afterEach(closeAll)

const requestOf = (modelId: string): ModelRequest => ({
  modelId,
  system: '',
  messages: [],
  tools: [],
  parameters: defaultModelParameters,
})

/** Counts the requests that a question takes: two until it is known what the server refuses. */
function asking() {
  let requests = 0
  const sendAt = createPlainerSend<'full' | 'plain'>({ plainer: () => 'plain', notes: () => [] })
  const send = sendAt('https://models.example', 'full', async (_request, dialect) => {
    requests += 1
    if (dialect === 'full') throw new HttpFailure(400, {}, 'unknown field')
    return new Response('')
  })
  return async (modelId: string): Promise<number> => {
    requests = 0
    const report = { mayResend: async () => true, note: () => undefined }
    await send(requestOf(modelId), new AbortController().signal, report)
    return requests
  }
}

test('a refused option is remembered for the server, and the oldest one is forgotten for a new one', async () => {
  const ask = asking()
  for (let index = 0; index < 500; index++) expect(await ask(`model-${index}`)).toBe(2)
  expect(await ask('model-0')).toBe(1)
  expect(await ask('one-more')).toBe(2)
  expect(await ask('one-more')).toBe(1)
  expect(await ask('model-1')).toBe(1)
  expect(await ask('model-0')).toBe(2)
})

/** Refuses as LiteLLM does in front of Claude and of Amazon Bedrock, by whatever name a wire has for calls. */
function wantsTools(body: Json): string | null {
  const hasCalls = /"(?:tool_calls|functionCall)":|"type":"function_call"/.test(
    JSON.stringify(body),
  )
  return hasCalls && body.tools === undefined
    ? 'UnsupportedParamsError: Anthropic expects the `tools=` param to be passed in.'
    : null
}

const wires = ['openai-compatible', 'openai', 'gemini'] as const
/** Fields that forbid calls, by API type. */
const forbids: Record<(typeof wires)[number], Json> = {
  'openai-compatible': { tool_choice: 'none' },
  openai: { tool_choice: 'none' },
  gemini: { toolConfig: { functionCallingConfig: { mode: 'NONE' } } },
}
const look = [{ id: 'call_1', name: 'look', args: { n: 1 } }]
const again = [{ id: 'call_2', name: 'look', args: { n: 2 } }]

describe.each(wires)('a gateway of %s that takes no calls without tools', (wire) => {
  const { calls, done } = callScripts[wire]
  const limits = [
    ['rounds', { maxRounds: 1 }, [calls(look)], 'max-rounds'],
    [
      'cost',
      { costCaps: [{ scope: 'configuration', mode: 'enforce', limitMicroUsd: 1 }] },
      [calls(look)],
      'cost-cap',
    ],
    ['hops', { hopBudget: 1 }, [calls(look), calls(again)], 'max-rounds'],
  ] as const

  it.each(limits)('gives the final answer at the limit of %s', async (_, change, input, reason) => {
    const run = await playRun({
      wire,
      answers: [...input, 'refused', done],
      refusal: wantsTools,
      snapshot: { ...change, costCaps: 'costCaps' in change ? [...change.costCaps] : [] },
    })
    expect(run.end).toMatchObject({ reason, truncated: true })
    expect(eventsOf(run.events, 'message').at(-1)?.data).toMatchObject({
      text: 'Done.',
      retries: 1,
    })
    const [first, refused, closing] = [run.bodies[0], ...run.bodies.slice(-2)]
    expect(refused).not.toHaveProperty('tools')
    expect(closing).toMatchObject({ ...forbids[wire], tools: first?.tools })
    expect(run.warnings).toContain('parameter-changed')
  })

  it('runs no call of that answer, and keeps its words', async () => {
    const spoken = {
      'openai-compatible': calls(again).replace(
        '{"tool_calls"',
        '{"content":"So far.","tool_calls"',
      ),
      openai: calls(again).replace(
        'data: ',
        'data: {"type":"response.output_text.delta","output_index":9,"delta":"So far."}\n\ndata: ',
      ),
      gemini: calls(again).replace('"parts":[', '"parts":[{"text":"So far."},'),
    }
    const answers = [calls(look), 'refused', spoken[wire]]
    const run = await playRun({ wire, answers, refusal: wantsTools, snapshot: { maxRounds: 1 } })
    expect(run.ran).toEqual(['look {"n":1}'])
    expect(run.end).toMatchObject({ reason: 'max-rounds', truncated: true })
    expect(run.rounds.at(-1)).toMatchObject({
      text: 'So far.',
      calls: [{ name: 'look', state: { type: 'ended', outcome: { type: 'cancelled' } } }],
    })
  })

  it('is asked once more only, and ends the run as it did when it refuses that, too', async () => {
    const refusal = (_: Json, round: number) => (round > 0 ? 'I take nothing.' : null)
    const run = await playRun({ wire, answers: [calls(look)], refusal, snapshot: { maxRounds: 1 } })
    expect(run.end).toMatchObject({
      reason: 'provider-error',
      failure: { category: 'bad-request' },
    })
    expect(run.refusals).toEqual(['I take nothing.', 'I take nothing.'])
  })

  it('is asked with the tools at once after that', async () => {
    const bodies: Json[] = []
    const url = await serve(async (message, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of message) chunks.push(chunk)
      const body: Json = JSON.parse(Buffer.concat(chunks).toString())
      bodies.push(body)
      const why = wantsTools(body)
      if (why) answered(400, { error: { message: why } })(message, response)
      else response.writeHead(200, { 'content-type': 'text/event-stream' }).end(done)
    })
    const toolsBefore = [{ name: 'look', description: '', parameters: { type: 'object' } }]
    const call = { callId: 'c', providerCallId: 'call_1', name: 'look', argumentsText: '{}' }
    const messages: ModelRequest['messages'] = [
      { role: 'user', text: 'Look.' },
      { role: 'assistant', text: '', reasoning: [], toolCalls: [call] },
      { role: 'tool', providerCallId: 'call_1', name: 'look', content: 'seen', isError: false },
    ]
    const lasts = []
    for (const _ of [1, 2]) {
      lasts.push((await ask(wire, url, { request: { messages, toolsBefore } })).events.at(-1))
    }
    expect(lasts).toMatchObject([{ text: 'Done.', resent: 1 }, { text: 'Done.' }])
    expect(lasts[1]).not.toHaveProperty('resent')
    expect(bodies.map((body) => 'tools' in body)).toEqual([false, true, true])
    // A new conversation is none of this: it has no calls.
    await ask(wire, url)
    expect(bodies.at(-1)).not.toHaveProperty('tools')
  })
})
