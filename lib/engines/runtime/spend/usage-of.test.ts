import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runAgent } from '@/lib/engines/runtime/run-agent'
import { emptyUsage } from '@/lib/protocol/cost/cost'
import { Usage } from '@/lib/protocol/cost/money'
import type { ModelTarget } from '@/lib/protocol/model/model-target'
import { foldRun } from '@/lib/protocol/run/fold-run'
import type { RunEventBody } from '@/lib/protocol/run/run-event'
import { modelTarget, runFixture, runInput, runSnapshot } from '@/tests/support/run-fixture'
import { fails, finish, providerFailure, says } from '@/tests/support/scripted-model'
import { lostRequest, type SentRequest, usageOf, usageOfSilence } from './usage-of'

type Limits = Pick<ModelTarget, 'contextTokens' | 'maxOutputTokens'>
const model: Limits = { contextTokens: 128_000, maxOutputTokens: 8_000 }
const unknown: Limits = { contextTokens: null, maxOutputTokens: null }
const good: Usage = { ...emptyUsage, inputTokens: 1_000, outputTokens: 50 }

function sent(
  target: Partial<ModelTarget>,
  fields: Partial<Omit<SentRequest, 'target'>> = {},
): SentRequest {
  const { parameters } = runSnapshot()
  return { target: modelTarget(target), parameters, contextTokens: 900, worst: null, ...fields }
}

function counted(usage: unknown, limits: Limits = model) {
  const said = finish({ text: 'x'.repeat(400), usage: usage as Usage })
  return usageOf({ finish: said, draftText: '' }, sent(limits))
}

describe('usageOf', () => {
  test('believes figures that make sense', () => {
    expect(counted(good)).toEqual(good)
    expect(counted({ ...good, outputTokens: 40_000, reasoningTokens: 39_000 })).toMatchObject({
      estimated: false,
    })
  })

  test.each([
    ['missing', null],
    ['zero', emptyUsage],
    ['negative', { ...good, inputTokens: -1_000 }],
    ['not a number', { ...good, outputTokens: Number.NaN }],
    ['a text', { ...good, outputTokens: '50' }],
    ['no whole number', { ...good, inputTokens: 0.5 }],
    ['absurd', { ...good, inputTokens: 1e15, outputTokens: 1e15 }],
    ['more than there is', { ...good, cachedInputTokens: 5_000, reasoningTokens: 5_000 }],
  ])('estimates both sides of what is %s', (_words, usage) => {
    expect(counted(usage)).toEqual({
      ...emptyUsage,
      inputTokens: 900,
      outputTokens: 100,
      estimated: true,
    })
  })

  test('does not believe a long request or answer that is said to be next to nothing', () => {
    const long = { finish: finish({ text: 'word '.repeat(10_000) }), draftText: '' }
    const said = (usage: Partial<Usage>) =>
      usageOf(
        { ...long, finish: { ...long.finish, usage: { ...good, ...usage } } },
        sent(model, { contextTokens: 50_000 }),
      )
    expect(said({ inputTokens: 1, outputTokens: 8_000 })).toEqual({
      ...emptyUsage,
      inputTokens: 50_000,
      outputTokens: 8_000,
      estimated: true,
    })
    expect(said({ inputTokens: 40_000, outputTokens: 1 })).toEqual({
      ...emptyUsage,
      inputTokens: 40_000,
      outputTokens: 12_500,
      estimated: true,
    })
    // Text of few different words, and whatever was read from a cache, is fewer tokens than it looks.
    const cached = { inputTokens: 40_000, cachedInputTokens: 39_990, outputTokens: 1_000 }
    expect(said(cached)).toMatchObject({ ...cached, estimated: false })
    expect(said({ inputTokens: 2_500, outputTokens: 625 })).toMatchObject({ estimated: false })
  })

  test('judges input and output apart', () => {
    expect(counted({ ...good, outputTokens: 0 })).toMatchObject({
      inputTokens: 1_000,
      outputTokens: 100,
      estimated: true,
    })
    expect(counted({ ...good, inputTokens: 0, cachedInputTokens: 0 })).toMatchObject({
      inputTokens: 900,
      outputTokens: 50,
      estimated: true,
    })
    const beyond = { ...good, inputTokens: 300_000, outputTokens: 60_000 }
    expect(counted(beyond)).toMatchObject({ inputTokens: 900, outputTokens: 100 })
    expect(counted(beyond, unknown)).toEqual(beyond)
  })

  test('counts calls that were shown and never became whole', () => {
    const cut = finish({ finishReason: 'cut', usage: null })
    expect(usageOf({ finish: cut, draftText: 'y'.repeat(40) }, sent(model)).outputTokens).toBe(10)
  })

  test('usage of any reply is in whole numbers, not negative and never free', () => {
    const figure = fc.oneof(fc.integer(), fc.double(), fc.constantFrom(null, '5', 1e15, {}))
    const usage = fc.record({
      inputTokens: figure,
      outputTokens: figure,
      cachedInputTokens: figure,
      cacheWriteTokens: figure,
      reasoningTokens: figure,
      estimated: fc.boolean(),
    })
    fc.assert(
      fc.property(usage, (claimed) => {
        const result = Usage.parse(counted(claimed))
        expect(result.inputTokens).toBeGreaterThan(0)
        expect(result.outputTokens).toBeGreaterThan(0)
        expect(result.inputTokens).toBeLessThanOrEqual(256_000)
        expect(result.cachedInputTokens + result.cacheWriteTokens).toBeLessThanOrEqual(
          result.inputTokens,
        )
      }),
    )
  })

  const cut = (text: string) => ({
    finish: finish({ finishReason: 'cut', text, usage: null }),
    draftText: '',
  })
  const effort = (reasoningEffort: 'none' | 'high') => ({
    parameters: { ...runSnapshot().parameters, reasoningEffort },
  })
  const worst = { inputTokens: 3_000, outputTokens: 5_000 }

  test.each([
    ['of a model that reasons', { reasoning: true }, {}, 8_000],
    ['of a model that is asked to reason', {}, effort('high'), 8_000],
    ['that a budget limited', { reasoning: true }, { worst }, 5_000],
    ['of a model that is told not to reason', { reasoning: true }, effort('none'), 25],
    ['of a model that does not reason', { reasoning: false }, effort('high'), 25],
    ['of Gemini, which thinks all the same', { wire: 'gemini' as const }, effort('none'), 8_000],
    ['of a model that thinks on demand', { reasoning: true, wire: 'anthropic' as const }, {}, 25],
    ['whose thinking would have been shown', { reasoning: true, wire: 'ollama' as const }, {}, 25],
  ])(
    'an answer that was cut counts what it may have cost: %s',
    (_words, target, fields, tokens) => {
      const usage = usageOf(cut('x'.repeat(100)), sent({ ...model, ...target }, fields))
      expect(usage).toMatchObject({ outputTokens: Math.max(tokens, 25), estimated: true })
    },
  )

  test('tokens that the provider counted before the cut are part of the estimate', () => {
    const half = { ...good, outputTokens: 70, estimated: true }
    const answer = {
      finish: finish({ finishReason: 'cut', text: 'x', usage: half }),
      draftText: '',
    }
    expect(usageOf(answer, sent(model))).toEqual(half)
    expect(usageOf(answer, sent({ ...model, reasoning: true }))).toEqual({
      ...half,
      outputTokens: 8_000,
    })
  })

  test('an estimate that a budget counts is the most that the request may have used', () => {
    const dense = '9f8e7d6c'.repeat(50)
    const prices = { input: 3, output: 15, cachedInput: 1, cacheWrite: 4, reasoning: null }
    expect(usageOf(cut(dense), sent({ ...model, prices }, { worst }))).toEqual({
      ...emptyUsage,
      inputTokens: 3_000,
      cacheWriteTokens: 3_000,
      outputTokens: 400,
      estimated: true,
    })
    const missing = { finish: finish({ text: dense, usage: null }), draftText: '' }
    expect(usageOf(missing, sent(model, { worst }))).toMatchObject({
      inputTokens: 3_000,
      outputTokens: 400,
    })
    expect(usageOfSilence(sent({ ...model, reasoning: true }, { worst }))).toMatchObject(worst)
    expect(usageOfSilence(sent(model))).toMatchObject({ inputTokens: 900, outputTokens: 0 })
  })
})

const first = '00000000-0000-7000-8000-0000000000f1'
const second = '00000000-0000-7000-8000-0000000000f2'

test('M5: a try that has a record of its own is not counted again, and the next has its own amounts', async () => {
  const run = runFixture({ script: [fails('server'), says('Done.')] })
  await runAgent(runInput(), run.deps)
  const at = run.events.findIndex(({ type }) => type === 'model-retry')
  const begun = run.events.slice(0, at)
  const place = (body: RunEventBody, seq: number) => ({ ...body, runId: 'run-1', seq, at: 1e15 })
  const used = { usage: emptyUsage, costMicroUsd: 0, reservationId: first }
  const failedCall = { round: 1, target: 0, latencyMs: 5, retries: 0, used }
  const failure = providerFailure('rate-limited')
  const data = { round: 1, attempt: 1, delayMs: 60_000, failure, failedCall }
  const state = foldRun([...begun, place({ type: 'model-retry', data }, at + 1)])
  expect(lostRequest(state)).toBeNull()

  const next = { round: 1, target: 0, attempt: 2, reservationId: second }
  const again = foldRun([place({ type: 'request-start', data: next }, at + 2)], state)
  expect(lostRequest(again)?.data).toMatchObject({
    retries: 0,
    reservationId: second,
    usage: { estimated: true },
  })
})
