import { describe, expect, test } from 'vitest'
import {
  formatBytes,
  formatCostMicroUsd,
  formatCount,
  formatDuration,
  formatRelativeTime,
  formatTokens,
} from './format'

const thin = (text: string) => text.replaceAll('_', '\u202f')

test.each([
  [0, '0'],
  [999, '999'],
  [1000, '1_000'],
  [1_234_567, '1_234_567'],
])('groups %i as %s', (count, text) => expect(formatCount(count)).toBe(thin(text)))

test('tokens carry their unit, singular for one', () => {
  expect(formatTokens(1)).toBe('1 token')
  expect(formatTokens(0)).toBe('0 tokens')
  expect(formatTokens(12_345)).toBe(thin('12_345 tokens'))
})

describe('cost', () => {
  test.each([
    [null, 'unpriced'],
    [0, '$0.00'],
    [0.4, '< $0.000001'],
    [1, '$0.000001'],
    [312, '$0.000312'],
    [1500, '$0.0015'],
    [120_000, '$0.12'],
    [500_000, '$0.50'],
    [999_999, '$0.999999'],
    [1_250_000, '$1.25'],
    [12_345_678_900, '$12_345.68'],
  ])('%s micro-USD is %s', (cost, text) => expect(formatCostMicroUsd(cost)).toBe(thin(text)))
})

test.each([
  [0, '0 ms'],
  [340.4, '340 ms'],
  [999.6, '1.00 s'],
  [1240, '1.24 s'],
  [12_440, '12.4 s'],
  [59_960, '1 min 00 s'],
  [125_000, '2 min 05 s'],
  [3_780_000, '1 h 03 min'],
])('%d ms is %s', (ms, text) => expect(formatDuration(ms)).toBe(text))

test.each([
  [0, '0 B'],
  [512, '512 B'],
  [1023, '1023 B'],
  [1024, '1 KB'],
  [1536, '1.5 KB'],
  [49_152, '48 KB'],
  [1_048_570, '1 MB'],
  [5 * 1024 * 1024, '5 MB'],
])('%d bytes are %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text))

describe('relative time', () => {
  const now = Date.UTC(2026, 0, 15, 12)
  test.each([
    [now - 3000, 'just now'],
    [now - 61_000, '1 minute ago'],
    [now - 2 * 3_600_000, '2 hours ago'],
    [now - 26 * 3_600_000, '1 day ago'],
    [now + 5 * 60_000, 'in 5 minutes'],
    [now - 800 * 86_400_000, '2 years ago'],
  ])('%d reads %s', (at, text) => expect(formatRelativeTime(at, now)).toBe(text))
})
