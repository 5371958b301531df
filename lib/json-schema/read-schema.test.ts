import { describe, expect, test } from 'vitest'
import { problemsOf } from '@/tests/support/problems-of'

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
