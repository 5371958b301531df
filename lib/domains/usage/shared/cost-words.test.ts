import { expect, test } from 'vitest'
import { costWords, isUnpriced } from './cost-words'

const exact = { unpriced: 0, estimated: 0, atMost: 0 }

test.each([
  ['nothing but unpriced', 3, 0, 'unpriced'],
  ['nothing at all', 0, 0, '$0.00'],
  ['all priced', 0, 7, '$0.000007'],
  ['one priced among unpriced ones', 3, 7, 'at least $0.000007'],
])('%s', (_, unpriced, costMicroUsd, words) => {
  expect(costWords({ ...exact, unpriced, costMicroUsd })).toBe(words)
  expect(isUnpriced({ unpriced, costMicroUsd })).toBe(words === 'unpriced')
})

test('an upper bound or an estimate beside unpriced requests is neither', () => {
  const figures = { ...exact, costMicroUsd: 7 }
  expect(costWords({ ...figures, atMost: 1 })).toBe('at most $0.000007')
  expect(costWords({ ...figures, estimated: 2, atMost: 1 })).toBe('about $0.000007')
  expect(costWords({ ...figures, unpriced: 1, atMost: 1 })).toBe('at least ~$0.000007')
})
