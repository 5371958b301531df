import { describe, expect, test } from 'vitest'
import { problemsOf } from '@/tests/support/problems-of'
import { linearPattern } from './linear-pattern'
import { readSchema } from './read-schema'

function refusal(schema: unknown): string {
  const read = readSchema(schema, linearPattern)
  return read.type === 'refused' ? read.problems.join('\n') : ''
}

describe('what is wrong is said in words, with a path, and without what was sent', () => {
  test.each<[unknown, unknown, string[]]>([
    [{ type: ['integer', 'null'] }, 'SECRET', ['expected integer or null, got string']],
    [{ required: ['a', 'b'] }, {}, ['a: is required', 'b: is required']],
    [
      { properties: { a: { items: { minLength: 2 } } } },
      { a: ['xx', 'x'] },
      ['a.1: must have at least 2 characters'],
    ],
    [{ properties: { a: false } }, { a: 1 }, ['a: is not allowed']],
    [
      { anyOf: [{ type: 'string' }, { type: 'object', required: ['a', 'b'] }] },
      {},
      ['fits none of the schemas in anyOf', 'a: is required', 'b: is required'],
    ],
    [{ enum: ['x', 1] }, 'SECRET', ['must be one of the values: "x", 1']],
    [{ dependentRequired: { a: ['b'] } }, { a: 'SECRET' }, ['b: is required beside a']],
    [
      { contains: { const: 1 }, maxContains: 1 },
      [1, 1],
      ['must have 1 to 1 items that fit the schema in contains, has 2'],
    ],
    // A part that fails marks nothing, and what it would have marked is not called unknown.
    [
      { allOf: [{ properties: { a: { type: 'string' } } }], unevaluatedProperties: false },
      { a: 1 },
      ['a: expected string, got number'],
    ],
  ])('%j', (schema, value, expected) => {
    expect(problemsOf(schema, value)).toEqual(expected)
  })

  test('names that are not allowed stand beside the sentence', () => {
    const read = readSchema({ properties: { a: {} }, additionalProperties: false }, linearPattern)
    expect(read.type === 'checked' && read.check({ a: 1, b: 1, c: 1 })).toEqual([
      { path: [], message: 'has properties that are not allowed', unknown: ['b', 'c'] },
    ])
  })

  test('at most twenty problems are said', () => {
    expect(problemsOf({ items: { type: 'string' } }, Array(100_000).fill(1))).toHaveLength(20)
  })
})

describe('a schema that cannot be checked is refused in words', () => {
  test.each<[unknown, string]>([
    [5, 'This must be a schema: an object, true or false.'],
    [{ type: 'text' }, 'type: Write one of string, number'],
    [{ type: [] }, 'type: Write one of'],
    [{ properties: { a: 5 } }, 'properties.a: This must be a schema'],
    [{ properties: [] }, 'properties: This must be an object of schemas.'],
    [{ properties: {}, patternProperties: 1 }, 'patternProperties: This must be an object'],
    [{ items: { items: { minLength: -1 } } }, 'items.items.minLength: This must be a whole number'],
    [{ required: 'a' }, 'required: This must be a list of names.'],
    [{ anyOf: [] }, 'anyOf: This must be a list of schemas.'],
    [{ oneOf: [{}, 1] }, 'oneOf[1]: This must be a schema'],
    [{ maximum: '5' }, 'maximum: This must be a number.'],
    [{ maximum: Number.POSITIVE_INFINITY }, 'maximum: This must be a number.'],
    [{ multipleOf: 0 }, 'multipleOf: This must be a number above 0.'],
    [{ enum: 'a' }, 'enum: This must be a list of values.'],
    [{ minContains: 'a' }, 'minContains: This must be a whole number'],
    [{ uniqueItems: 'yes' }, 'uniqueItems: This must be true or false.'],
    [{ dependentRequired: { a: [1] } }, 'dependentRequired.a: This must be a list of names'],
    [{ prefixItems: [{}], items: [{}] }, 'items: Beside prefixItems, this must be one schema.'],
    [{ $defs: 1 }, '$defs: This must be an object of schemas.'],
    [{ $id: 1 }, '$id: This must be text.'],
    [{ $ref: 1 }, '$ref: This must be text.'],
    [{ $ref: '#/$defs/none' }, '$ref: There is nothing at #/$defs/none.'],
    [{ $ref: '#/$defs/a', $defs: { a: 'text' } }, '$ref: This must be a schema'],
    [{ $ref: 'https://example.org/a' }, 'Only references within the schema are followed'],
    [{ $ref: '#' }, 'refers to itself without an end'],
    [{ allOf: [{ not: { $ref: '#' } }] }, 'refers to itself without an end'],
    [{ $recursiveAnchor: true, $recursiveRef: '#' }, 'refers to itself without an end'],
    [{ $vocabulary: {} }, '$vocabulary: Vocabularies of others are not known.'],
    [{ extends: {} }, 'extends: Draft 3 is not known. Write allOf.'],
    [
      { pattern: '(a)\\1' },
      'pattern: The regular expression (a)\\1 cannot be checked: it refers back to a group.',
    ],
    [
      { patternProperties: { '(?=a)': {} } },
      'patternProperties: The regular expression (?=a) cannot',
    ],
    [
      { $defs: { a: { $anchor: 'x' }, b: { $anchor: 'x' } } },
      '$defs.b: Another part of the schema is called x, too.',
    ],
    [
      { $defs: { a: { $id: 'x' }, b: { $id: 'x' } } },
      '$defs.b: Another part of the schema has the address x, too.',
    ],
  ])('%j', (schema, words) => {
    expect(refusal(schema)).toContain(words)
  })

  test('what no keyword leads to is not read', () => {
    expect(
      problemsOf({ 'x-old': { type: 5 }, default: { $ref: 'https://example.org' } }, 1),
    ).toEqual([])
  })
})
