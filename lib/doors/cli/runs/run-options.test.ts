import { expect, test } from 'vitest'
import { costCapOption } from './run-options'

test.each([
  ['0.50', { mode: 'warn', limitMicroUsd: 500_000 }],
  ['enforce:$2', { mode: 'enforce', limitMicroUsd: 2_000_000 }],
  ['warn:0.000001', { mode: 'warn', limitMicroUsd: 1 }],
])('%s', (text, cap) => expect(costCapOption(text)).toEqual(cap))

test.each(['0', '', 'warn', 'off:1', '-1', '1e3', '0.0000001'])('%s is no cost cap', (text) => {
  expect(() => costCapOption(text)).toThrow('up to six decimals')
})
