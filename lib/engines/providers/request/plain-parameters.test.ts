import { expect, test } from 'vitest'
import { plainParameters } from './plain-parameters'

const text = { type: 'string' }

test('parameters without a choice at the root stay as they are', () => {
  const parameters = { type: 'object', properties: { a: { anyOf: [text, { type: 'null' }] } } }
  expect(plainParameters(parameters)).toBe(parameters)
})

test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
  [
    'what all parts say',
    {
      type: 'object',
      $defs: { Base: { properties: { id: text }, required: ['id'] } },
      allOf: [{ $ref: '#/$defs/Base' }, { properties: { a: text } }],
      unevaluatedProperties: false,
    },
    {
      type: 'object',
      $defs: { Base: { properties: { id: text }, required: ['id'] } },
      properties: { id: text, a: text },
      required: ['id'],
    },
  ],
  [
    'a choice of which one is required',
    {
      type: 'object',
      properties: { a: text, b: text },
      anyOf: [{ required: ['a'] }, { required: ['b'] }],
    },
    { type: 'object', properties: { a: text, b: text } },
  ],
  [
    'a choice that says different things of one name',
    {
      type: 'object',
      oneOf: [
        { properties: { kind: { const: 'cat' } }, required: ['kind'] },
        { properties: { kind: { const: 'dog' } }, required: ['kind'] },
      ],
    },
    { type: 'object', properties: { kind: { anyOf: [{ const: 'cat' }, { const: 'dog' }] } } },
  ],
  [
    'a schema that refers to itself',
    { type: 'object', $defs: { A: { allOf: [{ $ref: '#/$defs/A' }] } }, $ref: '#/$defs/A' },
    { type: 'object', $defs: { A: { allOf: [{ $ref: '#/$defs/A' }] } }, properties: {} },
  ],
])('%s', (_words, parameters, expected) => {
  expect(plainParameters(parameters)).toEqual(expected)
})
