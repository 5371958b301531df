import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addCost, costMicroUsd, type Prices, unpriced } from './cost'
import { addUsage, emptyUsage, type Usage } from './usage'

const prices: Prices = {
  input: 3_000_000,
  output: 15_000_000,
  cachedInput: 300_000,
  cacheWrite: 3_750_000,
  reasoning: null,
}
const usage = (fields: Partial<Usage>): Usage => ({ ...emptyUsage, ...fields })

test('each part is priced once, by its own price', () => {
  const spent = usage({
    inputTokens: 1000,
    cachedInputTokens: 600,
    cacheWriteTokens: 100,
    outputTokens: 200,
    reasoningTokens: 50,
  })
  // 300 x 3 + 600 x 0.3 + 100 x 3.75 + 200 x 15, in micro-USD
  expect(costMicroUsd(spent, prices)).toBe(900 + 180 + 375 + 3000)
  expect(costMicroUsd(spent, { ...prices, reasoning: 60_000_000 })).toBe(
    900 + 180 + 375 + 2250 + 3000,
  )
})

test('rounds up once, to whole micro-USD', () => {
  const cheap = { ...prices, input: 1, output: 1 }
  expect(costMicroUsd(usage({ inputTokens: 1, outputTokens: 1 }), cheap)).toBe(1)
})

test('R14: a price that is needed and unknown gives null; one that is not needed does not matter', () => {
  expect(costMicroUsd(usage({ inputTokens: 1 }), unpriced)).toBeNull()
  expect(costMicroUsd(usage({ inputTokens: 1 }), { ...unpriced, input: 0 })).toBe(0)
  expect(costMicroUsd(emptyUsage, unpriced)).toBe(0)
})

test('large figures lose nothing', () => {
  const spent = usage({ inputTokens: 1_000_000_000 })
  expect(costMicroUsd(spent, { ...prices, input: 9_007_199 })).toBe(9_007_199_000)
})

test('unknown plus anything is unknown', () => {
  expect(addCost(1, 2)).toBe(3)
  expect(addCost(null, 2)).toBeNull()
  expect(addCost(1, null)).toBeNull()
})

test('adding usage is the same in any order and never forgets an estimate', () => {
  const count = fc.nat({ max: 1_000_000 })
  const usages = fc.record({
    inputTokens: count,
    outputTokens: count,
    cachedInputTokens: count,
    cacheWriteTokens: count,
    reasoningTokens: count,
    estimated: fc.boolean(),
  })
  fc.assert(
    fc.property(usages, usages, (a, b) => {
      expect(addUsage(a, b)).toEqual(addUsage(b, a))
      expect(addUsage(a, emptyUsage)).toEqual(a)
      expect(addUsage(a, b).estimated).toBe(a.estimated || b.estimated)
    }),
  )
})
