import { expect, test } from 'vitest'
import { limitFigure, limitText } from './shape'

test.each([
  ['12.5', 'micro-usd', 12_500_000],
  ['$0.000001', 'micro-usd', 1],
  ['1 000', 'tokens', 1_000],
  ['7', 'requests', 7],
  ['1.5', 'requests', Number.NaN],
  ['', 'micro-usd', Number.NaN],
] as const)('%s %s is %d', (text, unit, figure) => expect(limitFigure(text, unit)).toBe(figure))

test.each([
  [12_500_000, 'micro-usd'],
  [1_234_567, 'tokens'],
] as const)('what a field shows of %d %s is read as the same', (amount, unit) => {
  expect(limitFigure(limitText(amount, unit), unit)).toBe(amount)
})
