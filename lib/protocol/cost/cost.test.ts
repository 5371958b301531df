import fc from 'fast-check'
import { expect, test } from 'vitest'
import { initialRunState } from '@/lib/protocol/run/fold-run'
import type { RoundView } from '@/lib/protocol/run/round-view'
import { modelTarget, runInput, runSnapshot } from '@/tests/support/run-fixture'
import {
  addCost,
  addUsage,
  boundedCost,
  cacheSavedMicroUsd,
  cacheWords,
  costBound,
  costMicroUsd,
  emptyUsage,
  isCostAtMost,
  runCostBound,
  sumWords,
  unpriced,
  worstCostMicroUsd,
} from './cost'
import type { Prices, Usage } from './money'

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

test('cached input without a price costs what input costs, at most', () => {
  const spent = usage({ inputTokens: 1000, cachedInputTokens: 600 })
  const unknown = { ...prices, cachedInput: null }
  expect(costMicroUsd(spent, unknown)).toBe(3000)
  expect(isCostAtMost(spent, unknown)).toBe(true)
  expect(isCostAtMost(spent, prices)).toBe(false)
  expect(isCostAtMost(usage({ inputTokens: 1000 }), unknown)).toBe(false)
  expect(costMicroUsd(spent, { ...unknown, input: null })).toBeNull()
  expect(isCostAtMost(spent, { ...unknown, input: null })).toBe(false)
})

test('all of a request costs more when its prompt is longer than the limit', () => {
  const longPrompt = { aboveTokens: 272_000, inputPercent: 200, outputPercent: 150 }
  const tiered = { ...prices, longPrompt }
  const spent = (inputTokens: number) =>
    usage({ inputTokens, cachedInputTokens: 1_000, outputTokens: 100 })
  expect(costMicroUsd(spent(272_000), tiered)).toBe(costMicroUsd(spent(272_000), prices))
  // 271,001 x 3 and 1,000 x 0.3 twice, 100 x 15 one and a half times
  expect(costMicroUsd(spent(272_001), tiered)).toBe(2 * (813_003 + 300) + 2_250)
  expect(worstCostMicroUsd(272_000, 100, tiered)).toBe(272_000 * 3.75 + 1_500)
  expect(worstCostMicroUsd(272_001, 100, tiered)).toBe(Math.ceil(272_001 * 7.5 + 2_250))
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

test('the cost of a run is the sum of its calls, in whole micro-USD, for any prices', () => {
  const tokens = fc.nat({ max: 10_000_000 })
  const call = fc
    .record({ fresh: tokens, cached: tokens, written: tokens, said: tokens, thought: tokens })
    .map(({ fresh, cached, written, said, thought }) =>
      usage({
        inputTokens: fresh + cached + written,
        cachedInputTokens: cached,
        cacheWriteTokens: written,
        outputTokens: said + thought,
        reasoningTokens: thought,
      }),
    )
  const price = fc.oneof(
    { weight: 9, arbitrary: fc.nat({ max: 2_147_483_647 }) },
    { weight: 1, arbitrary: fc.constant(null) },
  )
  const table = fc.record({
    input: price,
    output: price,
    cachedInput: price,
    cacheWrite: price,
    reasoning: price,
  })
  fc.assert(
    fc.property(fc.array(call, { maxLength: 20 }), table, (calls, known) => {
      const costs = calls.map((each) => costMicroUsd(each, known))
      const exact = calls.map((each) => millionths(each, known))
      const sum = costs.reduce<number | null>(addCost, 0)
      if (exact.includes(null)) {
        expect(sum).toBeNull()
        return
      }
      const rounded = exact.map((cost) => ((cost ?? 0n) + 999_999n) / 1_000_000n)
      expect(costs.map((cost) => BigInt(cost ?? -1))).toEqual(rounded)
      expect(Number.isSafeInteger(sum)).toBe(true)
      expect(BigInt(sum ?? -1)).toBe(rounded.reduce((total, cost) => total + cost, 0n))
    }),
  )
})

/**
 * Returns the cost of a call in millionths of a micro-USD, computed step by step; null = a price that it needs is
 * unknown.
 */
function millionths(spent: Usage, known: Prices): bigint | null {
  const fresh = spent.inputTokens - spent.cachedInputTokens - spent.cacheWriteTokens
  const needed = [
    { tokens: fresh, price: known.input },
    { tokens: spent.cachedInputTokens, price: known.cachedInput ?? known.input },
    { tokens: spent.cacheWriteTokens, price: known.cacheWrite },
    { tokens: spent.outputTokens - spent.reasoningTokens, price: known.output },
    { tokens: spent.reasoningTokens, price: known.reasoning ?? known.output },
  ].filter(({ tokens }) => tokens > 0)
  if (needed.some(({ price }) => price === null)) return null
  return needed.reduce((sum, { tokens, price }) => sum + BigInt(tokens) * BigInt(price ?? 0), 0n)
}

const priced = modelTarget()
const target = modelTarget({ prices: { ...priced.prices, cachedInput: null } })
const start = {
  ...runInput({ snapshot: runSnapshot({ targets: [priced, target] }) }),
  canary: '',
  accepted: [],
  rejected: [],
  nonce: 'n',
}
const cached: Usage = { ...emptyUsage, inputTokens: 100, cachedInputTokens: 50 }

/** Returns a run whose only request failed after it had read from the cache of this model. */
function failedOn(index: number, usage: Usage = cached) {
  const call = { round: 1, target: index, latencyMs: 1, retries: 0 }
  const data = { ...call, usage, costMicroUsd: 7 }
  const round = { notes: [{ type: 'lost', at: 0, data }], response: null } as unknown as RoundView
  return runCostBound({ ...initialRunState, start, usage, rounds: [round] })
}

test('a request that failed counts, by the prices of its own model', () => {
  expect(failedOn(1)).toBe('at-most')
  expect(failedOn(0)).toBe('exact')
  expect(failedOn(1, { ...cached, cachedInputTokens: 0 })).toBe('exact')
  expect(failedOn(1, { ...cached, estimated: true })).toBe('about')
})

test('an estimate may be too low, so that a sum with one is at most nothing', () => {
  expect(costBound({ estimated: true, atMost: true })).toBe('about')
  expect(boundedCost(1_250_000, 'about')).toBe('about $1.25')
  expect(boundedCost(0, 'about')).toBe('$0.00')
  expect(boundedCost(null, 'at-most')).toBe('unpriced')
})

test.each([
  [1_200_000, 0, '$1.20'],
  [1_200_000, 3, 'at least $1.20 (3 calls unpriced)'],
  [0, 1, 'unpriced'],
  [0, 0, '$0.00'],
])('a sum of %d without %d calls is %s', (microUsd, unpriced, words) => {
  expect(sumWords(microUsd, unpriced)).toBe(words)
})

const inputPrices: Prices = {
  input: 3_000_000,
  output: null,
  cachedInput: 300_000,
  cacheWrite: 3_750_000,
  reasoning: null,
}
const read = { ...emptyUsage, inputTokens: 14_002, cachedInputTokens: 12_340, outputTokens: 9 }
const written = { ...emptyUsage, inputTokens: 2_000, cacheWriteTokens: 1_600 }

test('tokens read from a cache cost less, tokens written to it more', () => {
  expect(cacheSavedMicroUsd(read, inputPrices)).toBe(Math.floor(12_340 * 2.7))
  expect(cacheSavedMicroUsd(written, inputPrices)).toBe(-1_200)
  expect(cacheSavedMicroUsd({ ...emptyUsage, inputTokens: 9 }, unpriced)).toBe(0)
})

test.each([
  [read, { cachedInput: null }],
  [read, { input: null }],
  [written, { cacheWrite: null }],
])('an unknown price gives no figure', (usage, change) => {
  expect(cacheSavedMicroUsd(usage, { ...inputPrices, ...change })).toBeNull()
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
