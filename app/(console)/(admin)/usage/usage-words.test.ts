import { expect, test } from 'vitest'
import { changeText } from './usage-words'

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
