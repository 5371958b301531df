import { expect, test } from 'vitest'
import { changeText, figureText } from './usage-words'

test.each([
  [112, 100, '+12 %'],
  [92, 100, '−8 %'],
  [100, 100, 'no change'],
  [1001, 1000, 'no change'],
  [5, 0, null],
  [0, 5, '−100 %'],
  [null, 5, null],
  [5, null, null],
])('%d after %d is %s', (now, before, text) => expect(changeText(now, before)).toBe(text))

test('figures carry their unit', () => {
  expect(figureText('cost', 1_500_000)).toBe('$1.50')
  expect(figureText('latency', 1240)).toBe('1.24 s')
  expect(figureText('tokens', 12)).toBe('12')
})
