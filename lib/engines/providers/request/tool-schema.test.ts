import { describe, expect, it } from 'vitest'
import { strictSchema } from './tool-schema'

const closed = (properties: object, more: object = {}) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  ...more,
})

describe('strictSchema', () => {
  it.each([
    ['no parameters', closed({})],
    [
      'nested objects and lists',
      closed({ a: closed({ b: { type: 'array', items: { type: 'string' } } }) }),
    ],
    ['null as a choice', closed({ a: { type: ['string', 'null'], description: 'Or nothing.' } })],
    ['bounds', closed({ a: { type: 'integer', minimum: 1, maximum: 50 } })],
    [
      'a choice of shapes',
      closed({ a: { anyOf: [{ type: 'string' }, closed({ b: { type: 'number' } })] } }),
    ],
    [
      'references',
      closed({ a: { $ref: '#/$defs/b' } }, { $defs: { b: closed({ c: { enum: ['x'] } }) } }),
    ],
    ['a simple pattern', closed({ a: { type: 'string', pattern: '^[a-z]+$' } })],
  ])('keeps a schema with %s', (_, schema) => expect(strictSchema(schema)).toEqual(schema))

  it('leaves out what says nothing about values', () => {
    const schema = closed(
      { a: { type: 'string', default: 'x', examples: ['y'] } },
      { $schema: 'z' },
    )
    expect(strictSchema(schema)).toEqual(closed({ a: { type: 'string' } }))
    expect(strictSchema({ type: 'object', additionalProperties: false })).toEqual(closed({}))
  })

  it.each<[string, Record<string, unknown>]>([
    ['an open object', { type: 'object', properties: {} }],
    ['an open object inside', closed({ a: { type: 'object', properties: {} } })],
    ['an optional property', { ...closed({ a: { type: 'string' } }), required: [] }],
    ['a required property that has no schema', { ...closed({}), required: ['a'] }],
    ['values of any kind', closed({ a: {} })],
    ['an open map', closed({ a: { type: 'object', additionalProperties: { type: 'string' } } })],
    ['a list of anything', closed({ a: { type: 'array' } })],
    ['lengths of texts', closed({ a: { type: 'string', minLength: 1 } })],
    ['one of several', closed({ a: { oneOf: [{ type: 'string' }] } })],
    ['all of several', closed({}, { allOf: [closed({})] })],
    ['no object', { type: 'string' }],
    ['a choice at its root', closed({}, { anyOf: [closed({})] })],
    ['a pattern that looks ahead', closed({ a: { type: 'string', pattern: '^(?!x)' } })],
    ['an unknown format', closed({ a: { type: 'string', format: 'uri' } })],
    ['a reference elsewhere', closed({ a: { $ref: 'https://example.org/a' } })],
    ['a schema that is no object', closed({ a: true })],
    ['too many values', closed({ a: { enum: Array.from({ length: 1_001 }, (_, i) => i) } })],
    [
      'too many levels',
      Array.from({ length: 11 }).reduce<Record<string, unknown>>(
        (inner) => closed({ a: inner }),
        closed({}),
      ),
    ],
  ])('refuses %s', (_, schema) => expect(strictSchema(schema)).toBeNull())
})
