import { expect, test } from 'vitest'
import { initialRunState } from '@/lib/protocol/run/fold-run'
import type { RoundView } from '@/lib/protocol/run/round-view'
import { modelTarget, runInput, runSnapshot } from '@/tests/support/run-fixture'
import { boundedCost, costBound, emptyUsage, runCostBound, sumWords } from './cost'
import type { Usage } from './money'

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
