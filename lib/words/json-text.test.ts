import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { mostGrowth, timeGrowth } from '@/tests/support/time-growth'
import {
  changedNumber,
  exactJson,
  exactText,
  mostLevels,
  nestedTooDeeply,
  parseExact,
} from './json-text'

const parsed = (text: string) => ({ text, value: JSON.parse(text) })

describe('the exact text of a part', () => {
  it.each([
    [
      'keeps digits, and blanks in text alone',
      '{"a":{ "n" :\r\n\t9007199254740993, "t t":" \\" " }}',
      '{"n":9007199254740993,"t t":" \\" "}',
    ],
    [
      'is not fooled by braces, quotes and escapes in text',
      String.raw`{"x":"}\"{\"a\":{\\","a":{"t":"]}\\\"{","n":1.10}}`,
      String.raw`{"t":"]}\\\"{","n":1.10}`,
    ],
    ['is found under a name with escapes', String.raw`{"\u0061":{"n":1e2}}`, '{"n":1e2}'],
    ['is of the last of two members', '{"a":{"n":1.0},"a":{"n":2.0}}', '{"n":2.0}'],
    ['is of the last one where the first is longer', '{"a":{"b":{"n":1.0}},"a":{}}', '{}'],
    ['is found behind odd names', '{"__proto__":{"a":{"n":1.0}},"a":{"n":2.0}}', '{"n":2.0}'],
    ['may be of a list', '{"b":[1,[2.0]],"a":[ 3.0, [] ]}', '[3.0,[]]'],
  ])('%s', (_, text, expected) => {
    const whole = parsed(text)
    expect(exactText(whole.value.a, whole)).toBe(expected)
    expect(exactJson({ ...whole.value, a: whole.value.a })).toContain(`"a":${expected}`)
  })

  it('is that of the right one of many equal parts', () => {
    const whole = parsed('[{"n":1.0},{"n":1.00},{"n":1.000}]')
    const found = whole.value.map((part: object) => exactText(part, whole))
    expect(found).toEqual(['{"n":1.0}', '{"n":1.00}', '{"n":1.000}'])
  })

  it('is written anew where it stands in another text', () => {
    expect(exactText({ n: 1 }, parsed('{"n": 1}'))).toBe('{"n":1}')
    expect(exactText(7, parsed('{"n":7.0}'))).toBe('7')
  })

  it('is right for every part of any JSON', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), fc.constantFrom(0, 2), (json, indent) => {
        const value = JSON.parse(json)
        if (typeof value !== 'object' || value === null) return
        const whole = parsed(JSON.stringify(value, null, indent))
        const parts = [whole.value]
        for (const part of parts) {
          expect(JSON.parse(exactText(part, whole))).toEqual(part)
          for (const inner of Object.values(part)) {
            if (typeof inner === 'object' && inner !== null) parts.push(inner)
          }
        }
      }),
      { numRuns: 300 },
    )
  })
})

it('is found beside what is nested very deeply, without walking through it', () => {
  const nested = (depth: number) =>
    parsed(
      `{"deep":${'['.repeat(depth)}${']'.repeat(depth)},"a":{"b":[[{"n":12345678901234567890}]]}}`,
    )
  const whole = nested(200_000)
  expect(exactText(whole.value.a.b, whole)).toBe('[[{"n":12345678901234567890}]]')
  expect(exactText(whole.value.deep, whole)).toHaveLength(400_000)
  const growth = timeGrowth(200_000, nested, (each) => exactText(each.value.a.b, each))
  expect(growth).toBeLessThan(mostGrowth)
})

describe('what is written', () => {
  it('is what JSON.stringify writes where no text is known', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(exactJson(value)).toBe(JSON.stringify(value))
      }),
    )
    const left = { a: undefined, b: [undefined, 'ü"\n'] }
    expect(exactJson(left)).toBe(JSON.stringify(left))
  })

  it('has text that was parsed as it was, deep inside, too', () => {
    const text = '{ "n":123456789012345678901 }'
    expect(exactJson([{ inner: parseExact(text) }])).toBe(`[{"inner":${text}}]`)
  })
})

it.each([
  ['{"n":9007199254740993}', '9007199254740993'],
  ['{"n":-9007199254740993}', '-9007199254740993'],
  ['[1,[12345678901234567]]', '12345678901234567'],
  ['{"n":1e999}', '1e999'],
  [`{"n":${'9'.repeat(400)}}`, '9'.repeat(400)],
  ['{"n":9007199254740992,"m":10000000000000000000,"k":-0}', null],
  ['{"n":0.12345678901234567890,"m":1.5e300}', null],
  [String.raw`{"text":"9007199254740993 \" 9007199254740993","9007199254740993":1}`, null],
])('a number that would change is told: %s', (json, expected) => {
  expect(changedNumber(json)).toBe(expected)
})

const lists = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
const objects = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`

test.each([lists, objects])('levels are counted, whatever nests', (nested) => {
  expect(nestedTooDeeply(nested(mostLevels))).toBe(false)
  expect(nestedTooDeeply(nested(mostLevels + 1))).toBe(true)
  expect(nestedTooDeeply(nested(1_000_000))).toBe(true)
})

test('brackets side by side or inside of texts add no levels', () => {
  const lots = 1_000
  expect(nestedTooDeeply(`[${Array(lots).fill('[]').join(',')}]`)).toBe(false)
  expect(nestedTooDeeply(JSON.stringify({ a: '['.repeat(lots) }))).toBe(false)
  expect(nestedTooDeeply(JSON.stringify({ a: `\\"${'{'.repeat(lots)}\\` }))).toBe(false)
  expect(nestedTooDeeply(JSON.stringify(['\\', JSON.parse(lists(mostLevels))]))).toBe(true)
})
