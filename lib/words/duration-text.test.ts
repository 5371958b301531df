import { expect, it } from 'vitest'
import { durationParts, durationText, parseDuration } from './format'

const hour = 3_600_000

it('writes a duration in the largest unit that leaves no rest', () => {
  const texts = [5 * 60_000, hour, 1.5 * hour, 24 * hour, 36 * hour, 48 * hour, 720 * hour]
  expect(texts.map(durationText)).toEqual(['5m', '1h', '90m', '24h', '36h', '2d', '30d'])
  expect(durationParts(0)).toEqual({ amount: 0, unit: 'm' })
})

it('reads it back, and nothing that is no duration', () => {
  expect(['5m', ' 24h ', '30d', '0m'].map(parseDuration)).toEqual([
    300_000,
    24 * hour,
    720 * hour,
    0,
  ])
  for (const wrong of [
    '',
    '24',
    'h',
    '1.5h',
    '-1h',
    '24H',
    '1h30m',
    '1e3m',
    '9999999d',
    '5toString',
  ]) {
    expect(parseDuration(wrong)).toBeNull()
  }
})
