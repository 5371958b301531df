import { expect, test } from 'vitest'
import { schemaSample } from './schema-sample'

test.each<[Record<string, unknown>, unknown]>([
  [
    {
      type: 'object',
      properties: {
        n: { type: 'integer', minimum: 5 },
        when: { type: 'string', format: 'date' },
        kind: { enum: ['a', 'b'] },
        tags: { type: 'array', items: { type: ['string', 'null'] } },
        boss: { $ref: '#/$defs/boss' },
        any: {},
      },
      $defs: { boss: { anyOf: [{ type: 'boolean' }] } },
    },
    { n: 5, when: '2026-01-31', kind: 'a', tags: ['text'], boss: true, any: null },
  ],
  [{ type: 'string', examples: ['Ulm'] }, 'Ulm'],
  [{ $ref: '#/$defs/none' }, null],
])('%j', (schema, value) => expect(schemaSample(schema)).toEqual(value))

test('a schema that refers to itself has a sample that ends', () => {
  const schema = { type: 'object', properties: { next: { $ref: '#' } } }
  expect(JSON.stringify(schemaSample(schema))).toMatch(/^(\{"next":)+null\}+$/)
})
