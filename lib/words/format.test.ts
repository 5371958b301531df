import { describe, expect, it, test } from 'vitest'
import { z } from 'zod'
import { ConfigurationForm } from '@/lib/protocol/parameters/configuration-form'
import { RunSnapshot, SkillSnapshot } from '@/lib/protocol/run/run-snapshot'
import {
  durationParts,
  durationText,
  formatBytes,
  formatCostMicroUsd,
  formatCount,
  formatDuration,
  formatRelativeTime,
  formatTokens,
  listLabel,
  listMeaning,
  listWords,
  parseCount,
  parseDecimal,
  parseDuration,
  parseSeconds,
  parseUsd,
  secondsText,
  typedFigure,
  usdText,
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

/** Returns the fields of a schema that are a list or null. */
function nullableLists({ shape }: z.ZodObject): string[] {
  return Object.entries(shape).flatMap(([name, field]) => {
    const takes = (value: unknown) => z.safeParse(field as z.ZodType, value).success
    return takes(null) && takes([]) ? [name] : []
  })
}

describe.each([
  ['configuration', ConfigurationForm],
  ['run', RunSnapshot],
  ['skill', SkillSnapshot],
] as const)('%s', (kind, schema) => {
  test.each(nullableLists(schema))('%s has two words', (field) => {
    const meaning = listMeaning(kind, field)
    expect(meaning).not.toBe('other')
    expect(listWords(meaning, null)).not.toBe(listWords(meaning, []))
  })
})

test('a run that had all tools never reads as one that had none', () => {
  const meaning = listMeaning('run', 'tools')
  expect(listWords(meaning, null)).toBe('all tools')
  expect(listWords(meaning, [])).toBe('no tools')
  expect(listLabel(meaning, null)).toBe('All tools')
  expect(listLabel(meaning, ['fetch_logs', 'get_env'])).toBe('fetch_logs, get_env')
})

test('a field of that name in another object means something else', () => {
  expect(listMeaning('user', 'groups')).toBe('other')
  expect(listMeaning('constructor', '__proto__')).toBe('other')
  expect(listWords('other', null)).toBe('not set')
  expect(listWords('other', [])).toBe('none')
})

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
