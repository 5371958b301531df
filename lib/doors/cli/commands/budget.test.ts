import { expect, test } from 'vitest'
import { readLimit } from './budget'

test.each([
  ['$12.50', undefined, { unit: 'micro-usd', amount: 12_500_000 }],
  ['100,000 tokens', undefined, { unit: 'tokens', amount: 100_000 }],
  ['1_500_000 tokens', undefined, { unit: 'tokens', amount: 1_500_000 }],
  ['1 request', undefined, { unit: 'requests', amount: 1 }],
  ['0.30', 'micro-usd', { unit: 'micro-usd', amount: 300_000 }],
  ['500', 'requests', { unit: 'requests', amount: 500 }],
] as const)('%s (%s)', (text, unit, limit) => expect(readLimit(text, unit)).toEqual(limit))

test.each([
  ['12', undefined],
  ['$1', 'tokens'],
  ['5 tokens', 'requests'],
  ['$0.0000001', undefined],
  ['-5 tokens', undefined],
  ['1,5 requests', undefined],
  ['1,0,0 requests', undefined],
] as const)('%s is no limit (%s)', (text, unit) => {
  expect(() => readLimit(text, unit)).toThrow()
})
