import { expect, test } from 'vitest'
import { jsonOf, schemaFields, valuesOf } from './schema-fields'

const schema = {
  type: 'object',
  required: ['path', 'where'],
  properties: {
    path: { type: 'string', description: 'Where it is.' },
    id: { type: 'integer', default: 1 },
    deep: { type: 'boolean' },
    order: { enum: ['asc', 'desc', 3, null] },
    tags: { type: 'array', items: { type: 'string' } },
    sizes: { type: 'array', items: { type: 'number' } },
    where: { type: 'object', properties: { country: { type: 'string' } } },
    either: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    open: { type: 'object' },
  },
}
const fields = schemaFields(schema) ?? []

test('each property gets the control of its type, and JSON where there is none', () => {
  expect(fields.map(({ name, kind, required }) => [name, kind, required])).toEqual([
    ['path', 'text', true],
    ['id', 'number', false],
    ['deep', 'checkbox', false],
    ['order', 'choice', false],
    ['tags', 'list', false],
    ['sizes', 'list', false],
    ['where', 'object', true],
    ['either', 'json', false],
    ['open', 'json', false],
  ])
  expect(fields[0]?.hint).toBe('Where it is.')
  expect(fields[1]?.hint).toBe('Default: 1')
})

test('typed values become JSON, and empty fields are left out', () => {
  expect(jsonOf(fields, {})).toBe('{"where": {}}')
  const values = {
    path: '/a "b"',
    id: '12345678901234567890',
    deep: false,
    order: '3',
    tags: 'x\n\n y',
    sizes: '1\n2.5\nmany',
    where: { country: 'NZ' },
    either: ' null ',
  }
  expect(jsonOf(fields, values, { more: [1] })).toBe(
    '{"path": "/a \\"b\\"", "id": 12345678901234567890, "deep": false, "order": 3, "tags": ["x", " y"], "sizes": [1, 2.5, "many"], "where": {"country": "NZ"}, "either": null, "more": [1]}',
  )
  expect(jsonOf(fields, { path: ' ', id: 'x', open: '{"a":' })).toBe(
    '{"id": "x", "where": {}, "open": {"a":}',
  )
})

test.each([
  '{"path":"/a","id":7,"deep":true,"order":null,"tags":["x","y"],"where":{"country":"NZ"},"either":"z","open":{"a":[1]}}',
  '{"path":7,"id":"seven","deep":"yes","order":"up","tags":["a\\nb"],"sizes":[],"where":{"planet":1},"more":null}',
  '{"__proto__":{"path":"x"},"constructor":"y","path":""}',
])('JSON that goes through the fields says the same: %s', (text) => {
  const read = valuesOf(fields, text)
  if (!read) throw new Error('It is no object.')
  const { where: _added, ...said } = JSON.parse(jsonOf(fields, read.values, read.others))
  const { where: _given, ...given } = JSON.parse(text)
  expect(said).toEqual(given)
})

test('a typed value replaces the one in the JSON', () => {
  const read = valuesOf(fields, '{"path":"","id":"x","where":{"country":7},"tags":["a\u202eb"]}')
  if (!read) throw new Error('It is no object.')
  expect(read.values).toEqual({})
  const values = { path: '/new', tags: 'b', where: { country: 'NZ' } }
  expect(JSON.parse(jsonOf(fields, values, read.others))).toEqual({
    path: '/new',
    where: { country: 'NZ' },
    tags: ['b'],
    id: 'x',
  })
})

test('JSON that is no object fills no field', () => {
  for (const text of ['', '[]', '7', '{"a":', 'null']) expect(valuesOf(fields, text)).toBeNull()
})

test('a schema that is hostile is typed as JSON', () => {
  const many = Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`p${at}`, {}]))
  expect(schemaFields({ properties: many })).toBeNull()
  expect(schemaFields({ $ref: '#/x', properties: {} })).toBeNull()
  expect(schemaFields({ type: 'object', properties: 'x', required: 7 })).toEqual([])
  let nested: Record<string, unknown> = { type: 'string' }
  for (let depth = 0; depth < 50; depth++) nested = { type: 'object', properties: { in: nested } }
  const text = JSON.stringify(schemaFields(nested))
  expect(text.match(/"in"/g)?.length).toBeLessThan(8)
  expect(text).toContain('"json"')
})
