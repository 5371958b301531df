import { expect, test } from 'vitest'
import { readParameters } from './argument-schema'
import { bindTool } from './bind-tool'

/** Returns what is wrong with arguments as a model reads it; empty = they are accepted. */
function issuesOf(parameters: Record<string, unknown>, args: unknown): string[] {
  const parsed = toolWith(parameters).parse(args)
  return parsed.ok ? [] : parsed.issues
}

function toolWith(parameters: Record<string, unknown>) {
  const read = readParameters(parameters)
  if (Array.isArray(read)) return expect.fail(read.join(' '))
  const definition = {
    name: 'tool',
    description: 'A tool.',
    group: 'extra',
    enabledByDefault: true,
    requiresAdmin: false,
    effect: 'read' as const,
    dataClass: 'public' as const,
    timeoutMs: 1_000,
    ...read,
    execute: async () => ({ content: null }),
  }
  return bindTool(definition, () => expect.fail('A test asks for no resources.'))
}

const base = {
  $defs: { Base: { type: 'object', properties: { id: { type: 'string' } } } },
  type: 'object',
}

test.each<[string, Record<string, unknown>, unknown, string[]]>([
  [
    'a plain schema is closed',
    { type: 'object', properties: { a: {} } },
    { a: 1, b: 1 },
    ['b is not a parameter of this tool: it takes a.'],
  ],
  [
    'a schema without parameters',
    { type: 'object' },
    { b: 1 },
    ['b is not a parameter of this tool: it takes none.'],
  ],
  ['an open schema stays open', { type: 'object', additionalProperties: true }, { b: 1 }, []],
  [
    'names of other parts are known',
    { ...base, allOf: [{ $ref: '#/$defs/Base' }], properties: { a: {} } },
    { id: 'x', a: 1 },
    [],
  ],
  [
    'names of no part are not',
    { ...base, allOf: [{ $ref: '#/$defs/Base' }] },
    { id: 'x', b: 1 },
    ['b is not a parameter of this tool.'],
  ],
  [
    'names beside a reference',
    { ...base, $ref: '#/$defs/Base', properties: { a: {} } },
    { id: 1, a: 1 },
    ['id: expected string, got number.'],
  ],
  [
    'one of two',
    {
      type: 'object',
      properties: { a: {}, b: {} },
      anyOf: [{ required: ['a'] }, { required: ['b'] }],
    },
    { c: 1 },
    ['The arguments are not valid: fits none of the schemas in anyOf.', 'a: is required.'],
  ],
  [
    'a nested object that is closed',
    {
      type: 'object',
      properties: { a: { type: 'object', properties: {}, additionalProperties: false } },
    },
    { a: { x: 1 } },
    ['a: x is not a parameter here.'],
  ],
  [
    'no object',
    { type: 'object' },
    [],
    ['The arguments are not valid: expected object, got array.'],
  ],
])('%s', (_words, parameters, args, expected) => {
  expect(issuesOf(parameters, args)).toEqual(expected)
})

test('a model sees what its author wrote, closed only with the word that every provider knows', () => {
  expect(readParameters({ type: 'object' })).toMatchObject({
    parameters: { type: 'object', additionalProperties: false },
  })
  const joined = { type: 'object', allOf: [{ properties: { a: {} } }] }
  expect(readParameters(joined)).toMatchObject({ parameters: joined })
  expect(readParameters(joined)).not.toHaveProperty('parameters.unevaluatedProperties')
})

test('defaults fill in what was left out, where they fit', () => {
  const parameters = {
    type: 'object',
    properties: {
      limit: { type: 'integer', default: 20 },
      filter: { type: 'object', properties: { state: { default: 'open' } } },
    },
  }
  const parse = (given: Record<string, unknown>, args: unknown) => toolWith(given).parse(args)
  expect(parse(parameters, { filter: {} })).toEqual({
    ok: true,
    args: { limit: 20, filter: { state: 'open' } },
  })
  expect(parse(parameters, { limit: 5 })).toEqual({ ok: true, args: { limit: 5 } })
  const required = { type: 'object', properties: { a: { default: 1 } }, required: ['a'] }
  expect(parse(required, {})).toMatchObject({ ok: false, issues: ['a: is required.'] })
  const wrong = { type: 'object', properties: { a: { type: 'string', default: 1 } } }
  expect(parse(wrong, {})).toEqual({ ok: true, args: {} })
})

test.each<[Record<string, unknown>, string]>([
  [{ type: 'array' }, 'parameters.type must be "object".'],
  [{ type: ['object', 'null'] }, 'parameters.type must be "object".'],
  [{ properties: { a: {} } }, 'parameters.type must be "object".'],
  [
    { $schema: 'http://json-schema.org/draft-07/schema#', ...base, $ref: '#/$defs/Base' },
    'parameters: in this draft nothing counts beside $ref. Write the reference into allOf.',
  ],
  [{ type: 'object', required: true }, 'parameters.required: This must be a list of names.'],
  [
    { type: 'object', $vocabulary: {} },
    'parameters.$vocabulary: Vocabularies of others are not known.',
  ],
])('%j cannot be used', (parameters, sentence) => {
  expect(readParameters(parameters)).toEqual([sentence])
})
