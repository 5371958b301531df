import { describe, expect, test } from 'vitest'
import { parseUsd, usdText } from './usd-text'

describe('dollars in words', () => {
  test.each([
    ['0.075', 75_000],
    ['$3', 3_000_000],
    [' 12.50 ', 12_500_000],
    ['0.000001', 1],
    ['0', 0],
    ['0.1', 100_000],
    ['2147.483647', 2_147_483_647],
    ['999999999.999999', 999_999_999_999_999],
  ])('reads %j exactly', (text, microUsd) => {
    expect(parseUsd(text)).toBe(microUsd)
  })

  test.each(['', '.5', '1.', '-1', '1e3', '0.0000001', '1,5', '1 000', '0x10', 'NaN', '１'])(
    'refuses %j',
    (text) => {
      expect(parseUsd(text)).toBeNull()
    },
  )

  test('writes what it reads', () => {
    for (const microUsd of [0, 1, 75_000, 750_000, 3_000_000, 12_345_678, 2_147_483_647]) {
      expect(parseUsd(usdText(microUsd))).toBe(microUsd)
    }
    expect([0, 75_000, 3_000_000, 12_500_000].map(usdText)).toEqual([
      '0.00',
      '0.075',
      '3.00',
      '12.50',
    ])
  })
})
