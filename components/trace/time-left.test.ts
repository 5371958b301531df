import { expect, it } from 'vitest'
import { timeLeft } from './time-left'

it('is coarser the more time there is', () => {
  const minute = 60_000
  expect(timeLeft(50 * 60 * minute)).toBe('2 d 2 h left')
  expect(timeLeft(24 * 60 * minute - 1)).toBe('24 h 0 min left')
  expect(timeLeft(61 * minute)).toBe('1 h 1 min left')
  expect(timeLeft(5.5 * minute)).toBe('5 min left')
  expect(timeLeft(42_000)).toBe('42 s left')
  expect(timeLeft(0)).toBe('no time left')
})
