import { describe, expect, test } from 'vitest'
import type { RunDeps, WorstCase } from '@/lib/engines/runtime/deps'
import { runAgent } from '@/lib/engines/runtime/run-agent'
import { emptyUsage } from '@/lib/protocol/cost/cost'
import type { ModelEvent, ModelRequest } from '@/lib/protocol/model/message'
import { defaultOptions } from '@/lib/protocol/parameters/parameters'
import { byteBound } from '@/lib/words/byte-bound'
import { denseTexts } from '@/tests/support/dense-texts'
import { type Billing, billedInput, billings, countWith } from '@/tests/support/real-tokenizers'
import {
  eventsOf,
  modelTarget,
  runFixture,
  runInput,
  runSnapshot,
  testTool,
} from '@/tests/support/run-fixture'
import { asks, finish, says } from '@/tests/support/scripted-model'
import { counterOf, loadedCounter, longestWindow } from './count-tokens'
import { inputBound } from './worst-case'

const named = (modelId: string) => ({ wire: 'openai' as const, modelId })
const texts = denseTexts(500)
const families = [
  ['gpt-5.2', 'o200k'],
  ['o3-mini', 'o200k'],
  ['gpt-4-turbo', 'cl100k'],
] as const

describe.each(texts)('%s', (_, text) => {
  test.each(families)('a counter of %s says what %s says, or more', async (modelId, billing) => {
    const counted = (await counterOf(named(modelId))).count(text)
    expect(counted).toBeGreaterThanOrEqual(countWith(billing, text))
    expect(counted).toBeLessThanOrEqual(byteBound(text))
  })

  test('a token a byte is never too few', async () => {
    const unknown = await counterOf({ wire: 'anthropic', modelId: 'claude-sonnet-5' })
    for (const billing of billings) {
      expect(unknown.count(text)).toBeGreaterThanOrEqual(countWith(billing, text))
    }
  })

  test.each([
    ['gpt-5', 'o200k'],
    ['gpt-4', 'cl100k'],
    ['mistral-large', 'o200k'],
    ['mistral-large', 'cl100k'],
    ['mistral-large', 'bytes'],
  ] as const)(
    'what is held for %s covers what %s bills, in every round',
    async (modelId, billing) => {
      for (const { held, billed } of await threeRounds(modelId, billing, text)) {
        expect(held).toBeGreaterThanOrEqual(billed)
      }
    },
  )
})

test('the count of ordinary text is exact where the tokenizer is known', async () => {
  for (const [kind, text] of texts.filter(([kind]) =>
    ['English', 'code', 'uuids'].includes(kind),
  )) {
    const counted = (await counterOf(named('gpt-5'))).count(text)
    expect([kind, counted]).toEqual([kind, countWith('o200k', text)])
  }
})

test.each([
  ['openai-compatible', 'gpt-4o'],
  ['openai-compatible', 'openai/gpt-oss-120b'],
  ['azure-openai', 'gpt-4o'],
  ['ollama', 'gpt-oss:20b'],
] as const)('%s: the name %s says nothing of the tokenizer', async (wire, modelId) => {
  await counterOf(named('gpt-4o'))
  const text = 'An ordinary sentence of ordinary words.'
  expect((await counterOf({ wire, modelId })).count(text)).toBe(byteBound(text))
  expect(loadedCounter({ wire, modelId }).count(text)).toBe(byteBound(text))
  expect(loadedCounter(named('gpt-4o')).count(text)).toBeLessThan(byteBound(text))
})

test('after a report only what is new is held by its bytes', async () => {
  const text = (texts.find(([kind]) => kind === 'English')?.[1] ?? '').repeat(10)
  const [first, second] = await threeRounds('mistral-large', 'o200k', text)
  // Text, tools and system are 5 bytes a token; the second request has the text twice.
  expect(first?.held).toBeGreaterThan(3 * (first?.billed ?? 0))
  expect(second?.held).toBeLessThan((first?.billed ?? 0) + 1.2 * byteBound(text))
})

test('a model that is billed by more than its name says is held by its bytes from then on', async () => {
  const [, text = ''] = texts.find(([kind]) => kind === 'English') ?? []
  const [first, ...others] = await threeRounds('gpt-5', 'bytes', text)
  expect(first?.held).toBeLessThan(first?.billed ?? 0)
  for (const { held, billed } of others) expect(held).toBeGreaterThanOrEqual(billed)
})

test('thinking that is not shown counts as sent again', async () => {
  const thought = { ...emptyUsage, inputTokens: 400, outputTokens: 9_000, reasoningTokens: 8_990 }
  const held: WorstCase[] = []
  const call = asks(['look']).map(
    (event): ModelEvent => (event.type === 'finish' ? { ...event, usage: thought } : event),
  )
  const run = runFixture({
    script: [call, says('Done.')],
    tools: [testTool('look')],
    deps: holding(held),
  })
  await runAgent(runInput(), run.deps)
  expect(held[1]?.inputTokens).toBeGreaterThan(9_400)
})

test('a text that a tokenizer would take minutes for is bounded at once', async () => {
  const counter = await counterOf(named('gpt-5'))
  for (const text of ['a'.repeat(3_000_000), ' '.repeat(3_000_000), '漢'.repeat(1_000_000)]) {
    expect(counter.count(text)).toBe(3_000_000)
  }
})

test('the schema of an answer that is sent only without tools is held, too', async () => {
  const outputSchema = { type: 'object', description: 'x'.repeat(5_000) }
  const request: ModelRequest = {
    modelId: 'mistral-large',
    system: '',
    messages: [
      { role: 'user', text: 'Look.' },
      { role: 'assistant', text: 'Yes.', reasoning: [], toolCalls: [] },
    ],
    tools: [],
    parameters: runSnapshot().parameters,
    options: { ...defaultOptions, toolChoice: null, outputSchema },
  }
  const target = modelTarget({ modelId: 'mistral-large', contextTokens: null })
  const run = runFixture({ script: [says('Yes.')] })
  const state = await runAgent(runInput(), run.deps)
  const bound = (offered: string[]) => {
    const report = { inputTokens: 100, estimate: 100, scale: 1, since: state.rounds, offered }
    return inputBound(state, { target, index: 0, request, contextTokens: 100, report })
  }
  expect((await bound(['look'])) - (await bound([]))).toBeGreaterThan(5_000)
})

test('a PDF of which a provider counted more than was held is not trusted again', async () => {
  const target = modelTarget({ contextTokens: null })
  const facts = { id: 'f', name: 'a.pdf', bytes: 1_000, sha256: '', dataClass: 'content' } as const
  const size = { type: 'application/pdf', pages: 1, mostTokens: 10 } as const
  const attachments = [{ ...facts, ...size, fence: { nonce: '', canary: '' } }]
  const request: ModelRequest = {
    modelId: target.modelId,
    system: '',
    tools: [],
    parameters: runSnapshot().parameters,
    messages: [{ role: 'user', text: 'Sum.', attachments }],
  }
  const boundAfter = async (inputTokens: number) => {
    const usage = { ...emptyUsage, inputTokens, outputTokens: 5 }
    const script = [
      says('Yes.').map((event) => (event.type === 'finish' ? finish({ usage }) : event)),
    ]
    const run = runFixture({ script, deps: holding([]) })
    const state = await runAgent(runInput(), run.deps)
    return inputBound(state, { target, index: 0, request, contextTokens: 10, report: null })
  }
  expect(await boundAfter(10)).toBeLessThan(100_000)
  expect(await boundAfter(500_000)).toBeGreaterThanOrEqual(longestWindow)
})

function holding(held: WorstCase[]): Partial<RunDeps> {
  return {
    reserve: async (call) => {
      held.push(await call.worst())
      return { type: 'held', reservationId: '00000000-0000-7000-8000-000000000001', warning: null }
    },
  }
}

/**
 * Returns two rounds whose tool returns the text, and the answer, with what was reserved for each and what the provider
 * counted.
 */
async function threeRounds(modelId: string, billing: Billing, text: string) {
  const held: WorstCase[] = []
  const answer = (events: ModelEvent[]) =>
    async function* ({ request }: { request: ModelRequest }): AsyncGenerator<ModelEvent> {
      for (const event of events) {
        yield event.type === 'finish'
          ? finish({ ...event, usage: billed(billing, request) })
          : event
      }
    }
  const look = testTool('look', {
    description: text.slice(0, 500),
    execute: async () => ({ content: text }),
  })
  const run = runFixture({
    script: [
      answer(asks(['look', { text: text.slice(0, 300) }])),
      answer(asks(['look'])),
      answer(says('Done.')),
    ],
    tools: [look],
    deps: holding(held),
  })
  const snapshot = runSnapshot({ targets: [modelTarget({ modelId })], systemPrompt: text })
  const state = await runAgent(runInput({ prompt: text, snapshot }), run.deps)
  expect(state.end?.reason).toBe('completed')
  return eventsOf(run.events, 'message').map(({ data }, index) => ({
    held: held[index]?.inputTokens ?? 0,
    billed: data.usage.inputTokens,
  }))
}

function billed(billing: Billing, request: ModelRequest) {
  return { ...emptyUsage, inputTokens: billedInput(billing, { ...request }), outputTokens: 50 }
}
