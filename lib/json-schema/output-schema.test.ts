import { describe, expect, test } from 'vitest'
import { OutputSchema } from '@/lib/protocol/parameters/parameter-values'
import { isClosable, schemaProblems } from './output-schema'

type Schema = Record<string, unknown>

const person = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1, pattern: '^[A-Z]' },
    age: { type: ['integer', 'null'], minimum: 0 },
    tags: { type: 'array', items: { enum: ['a', 'b'] }, uniqueItems: true },
    boss: { $ref: '#/$defs/boss' },
  },
  required: ['name'],
  additionalProperties: false,
  $defs: { boss: { type: 'object', properties: { name: { type: 'string' } } } },
}

test.each<[string, Schema]>([
  ['an object of many kinds', person],
  [
    'a schema that refers to itself through a property',
    { type: 'object', properties: { next: { $ref: '#' } } },
  ],
  ['a choice', { anyOf: [{ type: 'string' }, { type: 'number' }] }],
  ['a condition', { if: { required: ['a'] }, else: { required: ['b'] } }],
  ['a negation and properties without a type', { not: { type: 'null' }, properties: {} }],
  ['a constant object', { const: { a: 1 } }],
  ['annotations and unknown words', { $id: 'x', example: 1, 'x-order': 2, propperties: {} }],
  ['anything', {}],
])('%s is taken', (_words, schema) => {
  expect(schemaProblems(schema)).toEqual([])
  expect(OutputSchema.safeParse(schema).success).toBe(true)
})

test.each<[string, Schema, RegExp]>([
  ['an unknown type', { type: 'text' }, /^type: Write one of string/],
  [
    'a property that is no schema',
    { type: 'object', properties: { a: 5 } },
    /^properties\.a: This must be a schema/,
  ],
  ['required that is no list', { required: 'a' }, /^required: This must be a list of names/],
  ['a length that is text', { minLength: '2' }, /^minLength: .*whole number/],
  ['an expression that is none', { pattern: '(' }, /^pattern: .*Unterminated group/],
  ['an expression that refers back', { pattern: '(a)\\1' }, /it refers back to a group/],
  ['a reference to nothing', { $ref: '#/$defs/none' }, /There is nothing at #\/\$defs\/none/],
  ['a reference to elsewhere', { $ref: 'https://example.org/schema' }, /within the schema/],
  ['a reference to itself alone', { $ref: '#' }, /refers to itself without an end/],
  ['a word that is not checked', { $vocabulary: {} }, /^\$vocabulary: /],
])('%s is refused with a sentence', (_words, schema, words) => {
  expect(schemaProblems(schema).join('\n')).toMatch(words)
  expect(OutputSchema.safeParse(schema).success).toBe(false)
})

test('a schema whose references double with each step is refused before anything is checked with it', () => {
  const $defs: Record<string, Schema> = { d0: { type: 'string' } }
  for (let n = 1; n < 40; n++) {
    const inner = { $ref: `#/$defs/d${n - 1}` }
    $defs[`d${n}`] = { allOf: [inner, inner] }
  }
  expect(schemaProblems({ $ref: '#/$defs/d39', $defs })[0]).toMatch(/too often/)
})

test('size and depth are bounded', () => {
  let deep: Schema = { type: 'string' }
  for (let n = 0; n < 60; n++) deep = { type: 'array', items: deep }
  expect(OutputSchema.safeParse(deep).success).toBe(false)
  const wide = Object.fromEntries(Array.from({ length: 5_100 }, (_, n) => [`p${n}`, {}]))
  expect(schemaProblems({ type: 'object', properties: wide })[0]).toContain('too large')
})

describe('a schema that a provider can hold with every object closed', () => {
  test.each<[boolean, Schema]>([
    [true, { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }],
    [true, person],
    [false, { type: 'array', items: { type: 'string' } }],
    [false, { type: 'object', properties: {}, required: ['a'] }],
    [false, { type: 'object', additionalProperties: { type: 'string' } }],
    [false, { type: 'object', properties: { a: { type: ['object', 'null'] } } }],
    [false, { type: 'object', properties: { a: {} } }],
    [
      false,
      { type: 'object', properties: { a: { type: 'null' } }, dependentRequired: { a: ['b'] } },
    ],
    [false, { type: 'object', not: { required: ['a'] } }],
    [
      false,
      {
        type: 'object',
        properties: { a: { $ref: '#/$defs/a' } },
        $defs: { a: { type: 'object', properties: { a: { $ref: '#/$defs/a' } } } },
      },
    ],
  ])('%s: %j', (closable, schema) => {
    expect(isClosable(schema)).toBe(closable)
  })

  test('references that name a part again and again end', () => {
    const $defs: Record<string, Schema> = { d0: { type: 'string' } }
    for (let n = 1; n < 30; n++)
      $defs[`d${n}`] = { allOf: [{ $ref: `#/$defs/d${n - 1}` }, { $ref: `#/$defs/d${n - 1}` }] }
    expect(isClosable({ type: 'object', properties: { a: { $ref: '#/$defs/d29' } }, $defs })).toBe(
      false,
    )
  })
})
