import { expect, test } from 'vitest'
import { costWords, isUnpriced } from './cost-words'

const exact = { estimated: 0, atMost: 0 }

test.each([
  [
    'three without a price and one that failed',
    { calls: 4, unpriced: 3, errors: 1, retries: 0 },
    'unpriced',
  ],
  ['nothing but unpriced', { calls: 3, unpriced: 3, errors: 0, retries: 0 }, 'unpriced'],
  ['one that was free among them', { calls: 2, unpriced: 1, errors: 0, retries: 0 }, '$0.00'],
  ['one that failed', { calls: 1, unpriced: 0, errors: 1, retries: 0 }, '$0.00'],
  ['one unpriced at its third try', { calls: 3, unpriced: 1, errors: 0, retries: 2 }, 'unpriced'],
  ['nothing at all', { calls: 0, unpriced: 0, errors: 0, retries: 0 }, '$0.00'],
])('%s', (_, figures, words) => {
  expect(costWords({ ...exact, ...figures, costMicroUsd: 0 })).toBe(words)
  expect(isUnpriced({ ...figures, costMicroUsd: 0 })).toBe(words === 'unpriced')
})

test('what is priced is said beside what is not', () => {
  const figures = { calls: 4, unpriced: 3, errors: 1, retries: 0, costMicroUsd: 7 }
  expect(costWords({ ...exact, ...figures })).toBe('$0.000007')
  expect(costWords({ ...exact, ...figures, atMost: 1 })).toBe('at most $0.000007')
  expect(costWords({ ...figures, estimated: 2, atMost: 1 })).toBe('about $0.000007')
})
