import { describe, expect, test } from 'vitest'
import { problemsOf } from '@/tests/support/problems-of'
import { linearPattern } from './linear-pattern'
import { readSchema } from './read-schema'

type Values = { fits: unknown[]; fails: unknown[] }

const money = { $defs: { Money: { type: 'object', properties: { amount: { maximum: 900 } } } } }

describe('a value fits a schema exactly if the schema says so', () => {
  test.each<[string, unknown, Values]>([
    [
      'keywords beside a reference',
      { $defs: { Money: { type: 'integer' } }, $ref: '#/$defs/Money', maximum: 100 },
      { fits: [100], fails: [5000, 1.5, '1'] },
    ],
    [
      'a reference into a property',
      { ...money, $ref: '#/$defs/Money' },
      { fits: [{ amount: 900 }], fails: [{ amount: 901 }, 1] },
    ],
    [
      'a definition inside of a definition',
      {
        $ref: '#/$defs/Who/$defs/Iban',
        $defs: { Who: { type: 'object', $defs: { Iban: { pattern: '^DE' } } } },
      },
      { fits: ['DE1'], fails: ['FR1'] },
    ],
    [
      'properties without a type',
      { properties: { n: { maximum: 5 } }, required: ['n'] },
      { fits: [{ n: 5 }, 'text'], fails: [{ n: 6 }, {}] },
    ],
    [
      'a required name that no property has',
      { type: 'object', required: ['approvalCode'] },
      { fits: [{ approvalCode: 1 }], fails: [{}] },
    ],
    [
      'a length beside choices',
      { enum: ['a', 'abc'], minLength: 2 },
      { fits: ['abc'], fails: ['a'] },
    ],
    [
      'names of the language',
      { required: ['constructor'], properties: { toString: { type: 'string' } } },
      { fits: [{ constructor: 1 }], fails: [{}, { constructor: 1, toString: 2 }] },
    ],
    [
      'the name __proto__',
      JSON.parse('{"properties":{"__proto__":{"type":"string"}},"additionalProperties":false}'),
      { fits: [JSON.parse('{"__proto__":"a"}')], fails: [JSON.parse('{"__proto__":1}'), { a: 1 }] },
    ],
    [
      'numbers that are none',
      { enum: [null], not: { const: 1 } },
      { fits: [null], fails: [Number.POSITIVE_INFINITY, 1] },
    ],
    [
      'an object as a constant',
      { const: { a: [1] } },
      { fits: [{ a: [1.0] }], fails: [{ a: [2] }, { a: [1], b: 1 }] },
    ],
    [
      'characters, not code units',
      { maxLength: 2, minLength: 2 },
      { fits: ['😀😀', 'ab'], fails: ['😀', '😀😀😀'] },
    ],
    [
      'unique objects',
      { uniqueItems: true },
      {
        fits: [[1, '1', true, { a: 1 }, [1]]],
        fails: [
          [
            { a: 1, b: 2 },
            { b: 2, a: 1 },
          ],
          [1, 1.0],
        ],
      },
    ],
    [
      'marks inside of a negation',
      { not: { anyOf: [true, { properties: { a: true } }], unevaluatedProperties: false } },
      { fits: [{ b: 1 }], fails: [{ a: 1 }, {}] },
    ],
    [
      'what a condition marks',
      { if: { prefixItems: [{ const: 'a' }] }, unevaluatedItems: false },
      { fits: [['a'], []], fails: [['b'], ['a', 'b']] },
    ],
  ])('%s', (_words, schema, { fits, fails }) => {
    for (const value of fits) expect(problemsOf(schema, value)).toEqual([])
    for (const value of fails) expect(problemsOf(schema, value)).not.toEqual([])
  })
})

describe('words of other drafts and tools mean what their authors mean', () => {
  test.each<[string, unknown, Values]>([
    [
      'definitions',
      { definitions: { a: { type: 'string' } }, $ref: '#/definitions/a' },
      { fits: ['a'], fails: [1] },
    ],
    [
      'a list of items',
      { items: [{ type: 'string' }], additionalItems: false },
      { fits: [['a'], []], fails: [[1], ['a', 'b']] },
    ],
    [
      'exclusiveMaximum of draft 4',
      { maximum: 5, exclusiveMaximum: true },
      { fits: [4], fails: [5] },
    ],
    [
      'dependencies',
      { dependencies: { a: ['b'], c: { required: ['d'] } } },
      { fits: [{ a: 1, b: 1 }, {}], fails: [{ a: 1 }, { c: 1 }] },
    ],
    [
      'a reference of draft 7, which stands alone',
      {
        $schema: 'http://json-schema.org/draft-07/schema#',
        definitions: { a: {} },
        $ref: '#/definitions/a',
        type: 'string',
      },
      { fits: [1], fails: [] },
    ],
    [
      'nullable',
      { type: 'string', enum: ['a'], nullable: true },
      { fits: ['a', null], fails: ['b', 1] },
    ],
    [
      'nullable beside a reference',
      { $defs: { a: { type: 'string' } }, $ref: '#/$defs/a', nullable: true },
      { fits: ['a', null], fails: [1] },
    ],
    [
      'a name with a space or a percent sign',
      {
        $defs: { 'a b': { type: 'string' }, '50%': { type: 'null' } },
        anyOf: [{ $ref: '#/$defs/a b' }, { $ref: '#/$defs/a%20b' }],
      },
      { fits: ['a'], fails: [1] },
    ],
    [
      'annotations and unknown words',
      {
        $id: 'x',
        $comment: 1,
        title: 5,
        example: {},
        'x-order': 1,
        format: 'email',
        default: 3,
        examples: 1,
        type: 'string',
        xml: {},
      },
      { fits: ['no e-mail'], fails: [1] },
    ],
    [
      'a dynamic reference',
      {
        $id: 'https://example.org/strict',
        $dynamicAnchor: 'node',
        $ref: 'tree',
        unevaluatedProperties: false,
        $defs: {
          tree: {
            $id: 'tree',
            $dynamicAnchor: 'node',
            properties: { data: true, children: { items: { $dynamicRef: '#node' } } },
          },
        },
      },
      { fits: [{ children: [{ data: 1 }] }], fails: [{ children: [{ daat: 1 }] }] },
    ],
    [
      'a dynamic reference to a plain place',
      { properties: { a: { $dynamicRef: '#/$defs/no' } }, $defs: { no: false } },
      { fits: [{}], fails: [{ a: 1 }] },
    ],
    [
      'an address that is no web address',
      {
        $id: 'urn:example:1',
        $ref: 'urn:example:1#a',
        $defs: { a: { $anchor: 'a', type: 'null' } },
      },
      { fits: [null], fails: [1] },
    ],
  ])('%s', (_words, schema, { fits, fails }) => {
    for (const value of fits) expect(problemsOf(schema, value)).toEqual([])
    for (const value of fails) expect(problemsOf(schema, value)).not.toEqual([])
  })

  const pets = (mapping?: Record<string, string>) => ({
    $defs: {
      Cat: { properties: { kind: { type: 'string' }, lives: { type: 'integer' } } },
      Dog: { properties: { kind: { type: 'string' }, tricks: { type: 'array' } } },
    },
    oneOf: [{ $ref: '#/$defs/Cat' }, { $ref: '#/$defs/Dog' }],
    discriminator: { propertyName: 'kind', ...(mapping && { mapping }) },
  })

  test('a discriminator says which schema of a choice counts', () => {
    const mapped = pets({ cat: '#/$defs/Cat', dog: 'Dog' })
    expect(problemsOf(mapped, { kind: 'cat', lives: 9 })).toEqual([])
    expect(problemsOf(mapped, { kind: 'dog', lives: 'many' })).toEqual([])
    expect(problemsOf(mapped, { kind: 'cat', lives: 'many' })).toEqual([
      'lives: expected integer, got string',
    ])
    expect(problemsOf(mapped, { kind: 'cow' })).toEqual(['kind: must be one of Cat, Dog, cat, dog'])
    expect(problemsOf(pets(), { kind: 'Dog', tricks: 1 })).toEqual([
      'tricks: expected array, got number',
    ])
    // Both fit, and nothing says which.
    expect(problemsOf(pets(), {})).toEqual(['fits more than one of the schemas in oneOf'])
  })
})

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

  test('parts of a schema that no keyword leads to are not read', () => {
    expect(
      problemsOf({ 'x-old': { type: 5 }, default: { $ref: 'https://example.org' } }, 1),
    ).toEqual([])
  })
})
