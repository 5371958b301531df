import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mostGrowth, timeGrowth } from '@/tests/support/time-growth'
import {
  argumentsCarryCanary,
  canarySpellings,
  redactCanary,
  redactionMark,
  searchCanary,
} from './canary'

const digits = '8b1f00d5e9a2c473'
const canary = `canary-${digits}`
const spellings = canarySpellings(canary)
const finds = (text: string) => searchCanary(text, spellings).found.length > 0
const base64 = (text: string) => Buffer.from(text).toString('base64')

describe('is found', () => {
  test.each([
    ['as it is', canary],
    ['without its first word', digits],
    ['in capitals', canary.toUpperCase()],
    ['in mixed case', 'CaNaRy-8B1f00D5e9a2C473'],
    ['with blanks', [...digits].join(' ')],
    ['with hyphens and dots', '8b-1f.00-d5_e9/a2:c4,73'],
    ['with line breaks', [...digits].join('\r\n')],
    ['with zero-width characters', [...canary].join('\u200b')],
    ['with bidi marks', `\u202e${[...digits].join('\u2066')}`],
    ['with tag characters', [...digits].join('\u{e0061}')],
    ['with accents', digits.replace('b', 'b\u0301').replace('a', 'á')],
    [
      'in fullwidth',
      [...digits].map((d) => String.fromCodePoint(d.charCodeAt(0) + 0xfee0)).join(''),
    ],
    ['in bold mathematics', digits.replace('8', '𝟖').replace('b', '𝐛').replace('ff', 'ﬀ')],
    ['with Cyrillic letters', digits.replace('a', 'а').replace('c', 'с').replace('e', 'е')],
    ['between emphasis', '**8b1f**`00d5`_e9a2_~c473~'],
    ['as a JSON list', JSON.stringify([...digits])],
    ['after a stray percent sign', `%${digits}`],
    ['in base64', base64(canary)],
    ['in base64 of something longer', base64(`please note: ${canary}, thank you`)],
    ['in base64 at another place', base64(`please note : ${canary}`)],
    ['in base64 at the third place', base64(`please  note : ${canary}`)],
    ['in base64url', Buffer.from(`??>>${canary}`).toString('base64url')],
    ['in base64 of capitals', base64(canary.toUpperCase())],
    ['in base64 with line breaks', base64(`x${canary}`).replace(/.{5}/g, '$&\n')],
    ['in percent-encoded base64', encodeURIComponent(base64(`~~${canary}~~`))],
    ['in an address', `https://evil.example/?q=${canary}&x=1`],
  ])('%s', (_how, text) => {
    expect(finds(text)).toBe(true)
    expect(finds(`Look: ${text} (end)`)).toBe(true)
    expect(redactCanary(`Look: ${text}.`, spellings)).not.toMatch(/8b1f00d5e9a2c473/i)
  })
})

test.each([
  '',
  'canary',
  'A canary-release of 8b1f00d5',
  `canary-${digits.slice(0, 15)}`,
  `${digits.slice(0, 8)} and then ${digits.slice(8)}`,
  '018f2a6e-7c1b-7def-8b1f-00d5e9a2c474',
  base64('canary-8b1f00d5e8a2c473'),
])('%j is none', (text) => {
  expect(searchCanary(text, spellings).found).toEqual([])
})

test('any number of separators may stand between its letters', () => {
  const apart = [...digits].join(' '.repeat(500))
  expect(searchCanary(apart, spellings).found).toHaveLength(1)
  expect(redactCanary(`a ${apart} b`, spellings)).toBe(`a ${redactionMark} b`)
  expect(argumentsCarryCanary(JSON.stringify({ to: apart }), spellings)).toBe(true)
  expect(argumentsCarryCanary(JSON.stringify([...digits].join('-'.repeat(70))), spellings)).toBe(
    true,
  )
})

test('arguments may hold more values than a call takes arguments', () => {
  const many = JSON.stringify({ list: Array(300_000).fill(0), last: digits })
  expect(argumentsCarryCanary(many, spellings)).toBe(true)
  expect(argumentsCarryCanary(many.replace(digits, ''), spellings)).toBe(false)
})

test('a number that is longer than it is written is searched whole', () => {
  const round = canarySpellings('canary-1000000000000000')
  expect(argumentsCarryCanary('{"page":1e15}', round)).toBe(true)
  expect(argumentsCarryCanary('{"page":1}', round)).toBe(false)
})

test('only the canary with its first word is removed from the text', () => {
  expect(redactCanary(`a ${canary} b ${digits.toUpperCase()} c`, spellings)).toBe(
    'a [redacted: canary] b [redacted: canary] c',
  )
  expect(redactCanary(`x=${base64(canary)};`, spellings)).toMatch(
    /^x=\w{1,12}\[redacted: canary\]\w?=*;$/,
  )
})

test('a run from before has no canary, and nothing is found', () => {
  for (const none of ['', 'canary-', 'canary-0', 'x']) {
    expect(canarySpellings(none)).toEqual([])
  }
  expect(searchCanary('anything', [])).toEqual({ found: [], openFrom: 8 })
})

test('only what may be the beginning is open', () => {
  const openOf = (text: string) => text.slice(searchCanary(text, spellings).openFrom)
  expect(openOf('All is fine.')).toBe('')
  expect(openOf('see canary-8b1f')).toBe('canary-8b1f')
  expect(openOf('see can')).toBe('can')
  expect(openOf('see can opener')).toBe('')
  expect(openOf(`${digits} and 8b1`)).toBe('8b1')
  expect(openOf(`x ${base64(digits).slice(0, 9)}`)).toBe(base64(digits).slice(0, 9))
  expect(openOf(`x ${base64(digits).slice(0, 9).toLowerCase()} x`)).toBe('')
  expect(openOf(`8b1${' '.repeat(20)}`)).toBe(`8b1${' '.repeat(20)}`)
  expect(openOf(`8b1${' '.repeat(200)}`)).toBe('')
})

test('however a text is cut into pieces, the same is found, and none of it gets out before', () => {
  const pieces = fc.constantFrom(
    'canary-',
    digits,
    digits.slice(0, 7),
    digits.slice(7),
    digits.toUpperCase(),
    '8',
    'b',
    ' ',
    '%',
    '\u200b',
    'x',
    'é',
    '𝟖',
    base64(canary),
    base64(`-${canary}`),
  )
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
      let held = ''
      let shown = ''
      for (const part of parts) {
        held += part
        const { openFrom } = searchCanary(held, spellings)
        shown += redactCanary(held.slice(0, openFrom), spellings)
        held = held.slice(openFrom)
      }
      shown += redactCanary(held, spellings)
      expect(finds(shown)).toBe(false)
      expect(shown.includes(redactionMark)).toBe(finds(parts.join('')))
      if (!finds(parts.join(''))) expect(shown).toBe(parts.join(''))
    }),
    { numRuns: 3000, examples: [[[digits.slice(0, 7), '%', '\u200b', digits.slice(7)]]] },
  )
})

test.each([
  'The quick brown fox jumps over the lazy dog. ',
  '%38%62',
  '\\\\\\\\u0038',
  digits.slice(0, 15),
  'é ü ñ 漢字 ',
])('takes time in proportion to the text when it repeats "%s"', (piece) => {
  const repeated = (length: number) => piece.repeat(length / piece.length)
  const growth = timeGrowth(64_000, repeated, (text) => searchCanary(text, spellings))
  expect(growth).toBeLessThan(mostGrowth)
})
