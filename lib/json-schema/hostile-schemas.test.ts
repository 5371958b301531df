import { describe, expect, test } from 'vitest'
import { linearPattern } from './linear-pattern'
import { readSchema } from './read-schema'

// None of these would end, or all would end the process, without a bound. The time-out of a test is what they are checked by.

const tooMuch = [{ path: [], message: 'it is nested too deeply, or too large, to be checked' }]

function nest(depth: number, leaf: unknown, wrap: (inner: unknown) => unknown): unknown {
  let value = leaf
  for (let step = 0; step < depth; step += 1) value = wrap(value)
  return value
}

function many<T>(count: number, each: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => each(index))
}

function named(count: number, each: (index: number) => unknown): Record<string, unknown> {
  return Object.fromEntries(many(count, (index) => [`n${index}`, each(index)]))
}

function check(schema: unknown, value: unknown) {
  const read = readSchema(schema, linearPattern)
  return read.type === 'checked' ? read.check(value) : expect.fail(read.problems.join(' '))
}

test.each<[string, unknown, string]>([
  ['nested 100,000 deep', nest(100_000, {}, (items) => ({ items })), 'nested too deeply'],
  ['with 5,001 parts', { properties: named(5_001, () => ({})) }, 'too large'],
  ['that doubles with each step', nest(60, {}, (each) => ({ allOf: [each, each] })), 'too often'],
  [
    'with a long chain of references',
    {
      $ref: '#/$defs/n0',
      $defs: named(4_000, (index) => ({ $ref: `#/$defs/n${(index + 1) % 4_000}` })),
    },
    'without an end',
  ],
  [
    'with more patterns than are compiled',
    { patternProperties: Object.fromEntries(many(600, (index) => [`^a{${index}}`, {}])) },
    'too many, or repeat too much',
  ],
])('a schema %s is refused', (_words, schema, words) => {
  const read = readSchema(schema, linearPattern)
  expect(read.type === 'refused' && read.problems.join(' ')).toContain(words)
})

describe('a value that takes too much work does not fit', () => {
  test.each<[string, unknown, unknown]>([
    ['deep', { items: { $ref: '#' } }, nest(100_000, [], (inner) => [inner])],
    ['large', { items: { type: 'object' } }, many(1_000_000, () => ({}))],
    [
      'looked at twice at each step',
      { oneOf: [{ items: { $ref: '#' } }, { items: { $ref: '#' } }] },
      nest(100, 1, (inner) => [inner]),
    ],
    [
      'with many names for many patterns',
      { patternProperties: Object.fromEntries(many(300, (index) => [`^x${index}(a|b)*$`, {}])) },
      named(50_000, () => 1),
    ],
    [
      'a text for a pattern with many states',
      { pattern: '(a|b)*a(a|b){200}$' },
      'ab'.repeat(50_000),
    ],
    [
      'in a negation, which it would fit',
      { not: { items: { $ref: '#/$defs/a' } }, $defs: { a: { items: { $ref: '#/$defs/a' } } } },
      nest(100_000, [], (inner) => [inner]),
    ],
  ])('%s', (_words, schema, value) => {
    expect(check(schema, value)).toEqual(tooMuch)
  })
})

describe('what looks hostile but ends is checked', () => {
  const deep = () => nest(100_000, [], (inner) => [inner])
  test.each<[string, unknown, unknown, boolean]>([
    ['a deep value that no keyword looks into', { type: 'array' }, deep(), true],
    ['a deep value beside a deep constant', { enum: [deep()] }, deep(), true],
    ['deep values that are the same', { uniqueItems: true }, [deep(), deep()], false],
    ['100,000 unique items', { uniqueItems: true }, many(100_000, (index) => index), true],
    [
      '4,000 choices for an object',
      { enum: many(4_000, (index) => ({ index })) },
      named(200_000, () => 1),
      false,
    ],
    [
      '4,000 choices by size',
      { anyOf: many(900, () => ({ minProperties: 200_001 })) },
      named(200_000, () => 1),
      false,
    ],
    ['a tiny step', { multipleOf: 1e-300 }, 1e300, true],
    ['nested repetitions', { pattern: '^(a+)+$' }, `${'a'.repeat(100_000)}!`, false],
    [
      'many alternatives',
      { items: { anyOf: many(2_000, (index) => ({ const: index })) } },
      [1_999],
      true,
    ],
    [
      'a schema that refers to itself',
      { properties: { next: { $ref: '#' } }, type: 'object' },
      nest(100, {}, (next) => ({ next })),
      true,
    ],
  ])('%s', (_words, schema, value, isFit) => {
    expect(check(schema, value).length === 0).toBe(isFit)
  })
})

test('a check returns also where the stack is nearly used up', () => {
  const read = readSchema({ items: { $ref: '#' } }, linearPattern)
  if (read.type === 'refused') return expect.fail()
  const value = nest(150, [], (inner) => [inner])
  const answers = new Set<number>()
  const dive = (): void => {
    answers.add(read.check(value).length)
    dive()
  }
  expect(dive).toThrow(RangeError)
  expect([...answers].sort()).toEqual([0, 1])
})
