import { describe, expect, it } from 'vitest'
import {
  formatBytes,
  formatClock,
  formatCost,
  formatCount,
  formatDuration,
  formatNumberOf,
} from './format-quantity'

describe('quantities in words', () => {
  it('groups counts', () => {
    expect([0, 999, 1000, 1234567, 1234.5].map(formatCount)).toEqual([
      '0',
      '999',
      '1\u202f000',
      '1\u202f234\u202f567',
      '1\u202f234.5',
    ])
  })

  it('shows the digits of a cost that are not zero, and says when it is unknown', () => {
    expect([null, 0, 1, 312, 20_000, 123_456, 1_500_000].map(formatCost)).toEqual([
      'unpriced',
      '$0',
      '$0.000001',
      '$0.000312',
      '$0.02',
      '$0.1235',
      '$1.5',
    ])
  })

  it('gives durations a unit that fits', () => {
    expect([0.2, 12.4, 999, 1240, 9_999, 59_999, 125_000, 3_725_000].map(formatDuration)).toEqual([
      '< 1 ms',
      '12 ms',
      '999 ms',
      '1.24 s',
      '10.0 s',
      '1 min 00 s',
      '2 min 05 s',
      '1 h 02 min',
    ])
    expect([0, 7_900, 125_000, 3_725_000].map(formatClock)).toEqual(['0:00', '0:07', '2:05', '1:02:05'])
  })

  it('gives sizes a unit that fits', () => {
    expect([1, 812, 1536, 49_152, 1_258_291].map(formatBytes)).toEqual([
      '1 byte',
      '812 bytes',
      '1.5 KB',
      '48 KB',
      '1.2 MB',
    ])
    expect([formatNumberOf(1, 'call'), formatNumberOf(2, 'call')]).toEqual(['1 call', '2 calls'])
  })
})
