import { expect, test } from 'vitest'
import { wireSchema } from './wire-schema'

type Schema = Record<string, unknown>

test.each<[string, Schema, Schema]>([
  [
    'leaves what providers know, and names of properties',
    { type: 'object', properties: { if: { type: 'string', minLength: 1 } }, required: ['if'] },
    { type: 'object', properties: { if: { type: 'string', minLength: 1 } }, required: ['if'] },
  ],
  [
    'removes the rest, at each place',
    {
      $id: 'https://example.org/a',
      if: {},
      items: { not: {}, type: 'string' },
      anyOf: [{ dependentRequired: {} }, true],
      $defs: { a: { 'x-b': 1, additionalProperties: { example: 1 } } },
    },
    { items: { type: 'string' }, anyOf: [{}, true], $defs: { a: { additionalProperties: {} } } },
  ],
  [
    'writes old words so that more is allowed',
    { type: 'string', nullable: true, maximum: 5, exclusiveMaximum: true, items: [{}] },
    { type: ['string', 'null'], maximum: 5 },
  ],
])('%s', (_words, schema, expected) => {
  expect(wireSchema(schema)).toEqual(expected)
  expect(wireSchema(schema)).toBe(wireSchema(schema))
})

test.each<Schema>([
  { $ref: '#a', $defs: { a: { $anchor: 'a' } } },
  { $id: 'https://example.org/a', $ref: 'https://example.org/a#/$defs/b', $defs: { b: {} } },
  { $ref: '#/components/a', components: { a: {} } },
  { properties: { a: { $id: 'b', $ref: '#/$defs/c', $defs: { c: {} } } } },
])('%j has no form for a request', (schema) => {
  expect(wireSchema(schema)).toBeNull()
})
