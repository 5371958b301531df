import { describe, expect, test } from 'vitest'
import {
  formatCount,
  parseCount,
  parseDecimal,
  parseSeconds,
  parseUsd,
  secondsText,
  typedFigure,
  usdText,
} from './format'

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

describe('whole numbers', () => {
  test.each([
    ['0', 0],
    ['007', 7],
    [' 12000 ', 12_000],
    ['12,000', 12_000],
    ['12_000', 12_000],
    ['1 234 567', 1_234_567],
    ['12\u202f345', 12_345],
    ['999999999999999', 999_999_999_999_999],
  ])('reads %j', (text, count) => {
    expect(parseCount(text)).toBe(count)
  })

  test.each([
    '',
    '1,5',
    '0,075',
    '1,0,0',
    '1,000_000',
    '12,0000',
    '1.000',
    '-1',
    '1e3',
    '0x10',
    '９',
  ])('refuses %j', (text) => {
    expect(parseCount(text)).toBeNull()
  })

  test('reads what pages write', () => {
    for (const count of [0, 999, 1_000, 12_345, 123_456_789]) {
      expect(parseCount(formatCount(count))).toBe(count)
    }
  })
})

test('numbers have a point and a sign, and nothing else', () => {
  expect(['0.7', ' -3 ', '12'].map(parseDecimal)).toEqual([0.7, -3, 12])
  const refused = ['', '0,7', '1e3', '0x10', '.5', '1.', '+1', 'Infinity', '1 000']
  expect(refused.map(parseDecimal)).toEqual(refused.map(() => null))
})

test('seconds are read to the millisecond, and what could be thousands is refused', () => {
  expect(['30', '2.5', '0,5', '0.001', ' 1.234 '].map(parseSeconds)).toEqual([
    30_000, 2_500, 500, 1, 1_234,
  ])
  const refused = ['', 'soon', '-1', '1e3', '0x10', '1,500', '0.0001', '1.', '.5']
  expect(refused.map(parseSeconds)).toEqual(refused.map(() => null))
  for (const ms of [1, 500, 1_234, 600_000]) expect(parseSeconds(secondsText(ms))).toBe(ms)
})

test('an empty field holds nothing, and words are no figure', () => {
  expect(['', ' ', 'many', '5'].map((text) => typedFigure(text, parseCount))).toEqual([
    null,
    null,
    Number.NaN,
    5,
  ])
})
