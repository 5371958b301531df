import { expect, test } from 'vitest'
import { cacheSavedMicroUsd, cacheWords, emptyUsage, unpriced } from './cost'
import type { Prices } from './money'

const prices: Prices = {
  input: 3_000_000,
  output: null,
  cachedInput: 300_000,
  cacheWrite: 3_750_000,
  reasoning: null,
}
const read = { ...emptyUsage, inputTokens: 14_002, cachedInputTokens: 12_340, outputTokens: 9 }
const written = { ...emptyUsage, inputTokens: 2_000, cacheWriteTokens: 1_600 }

test('what was read from a cache is cheaper, what was written to it dearer', () => {
  expect(cacheSavedMicroUsd(read, prices)).toBe(Math.floor(12_340 * 2.7))
  expect(cacheSavedMicroUsd(written, prices)).toBe(-1_200)
  expect(cacheSavedMicroUsd({ ...emptyUsage, inputTokens: 9 }, unpriced)).toBe(0)
})

test.each([
  [read, { cachedInput: null }],
  [read, { input: null }],
  [written, { cacheWrite: null }],
])('an unknown price gives no figure', (usage, change) => {
  expect(cacheSavedMicroUsd(usage, { ...prices, ...change })).toBeNull()
  expect(cacheSavedMicroUsd(read, unpriced)).toBeNull()
})

test('it is said in words, with tokens alone when a price is unknown', () => {
  const text = (...of: Parameters<typeof cacheWords>) => cacheWords(...of).replaceAll('\u202f', ',')
  expect(text(read, 31_000)).toBe('12,340 from the cache, saved $0.031')
  expect(text(read, null)).toBe('12,340 from the cache')
  expect(text(written, -1_200)).toBe(
    '1,600 written to the cache, $0.0012 more than without the cache',
  )
  expect(text(emptyUsage, 0)).toBe('')
})
