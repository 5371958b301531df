import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { emptyUsage, Usage } from '@/lib/protocol/usage'
import { finish } from '@/tests/support/scripted-model'
import { usageOf } from './usage-of'

type Limits = Parameters<typeof usageOf>[1]
const model = { contextTokens: 128_000, maxOutputTokens: 8_000 }
const unknown = { contextTokens: null, maxOutputTokens: null }
const good: Usage = { ...emptyUsage, inputTokens: 1_000, outputTokens: 50 }

function counted(usage: unknown, limits: Limits = model) {
  const said = finish({ text: 'x'.repeat(400), usage: usage as Usage })
  return usageOf({ finish: said, draftText: '' }, limits, 900)
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
      usageOf({ ...long, finish: { ...long.finish, usage: { ...good, ...usage } } }, model, 50_000)
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
    expect(usageOf({ finish: cut, draftText: 'y'.repeat(40) }, model, 900).outputTokens).toBe(10)
  })

  test('whatever a provider says, the result is whole, not negative and never free', () => {
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
})
