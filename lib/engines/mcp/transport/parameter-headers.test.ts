import { expect, test } from 'vitest'
import { readDefinitions } from '@/lib/engines/mcp/definition'
import { headerFault } from './parameter-headers'

const parameters = (properties: Record<string, unknown>, more = {}) => ({
  type: 'object',
  properties,
  ...more,
})
const header = (name: unknown, type = 'string') => ({ type, 'x-mcp-header': name })

test.each([
  ['none', {}],
  ['of each type', { a: header('A'), b: header('B', 'integer'), c: header('C', 'boolean') }],
  ['within a parameter', { a: parameters({ b: header('B') }) }],
  ['only a value', { a: { type: 'object', default: header(''), examples: [header('')] } }],
  ['only a name of a parameter', { 'x-mcp-header': { type: 'string' } }],
])('headers that can be sent: %s', (_, properties) => {
  expect(headerFault(parameters(properties))).toBeNull()
})

test.each([
  [{ a: header('') }, '"" is no name of a header'],
  [{ a: header('My Region') }, '"My Region" is no name of a header'],
  [{ a: header('Région') }, '"Région" is no name of a header'],
  [{ a: header('A\t1') }, '"A\\t1" is no name of a header'],
  [{ a: header(null) }, 'null is no name of a header'],
  [
    { a: header('A', 'number') },
    'the header A is that of a parameter that is no string, integer or boolean',
  ],
  [
    { a: header('A', 'array') },
    'the header A is that of a parameter that is no string, integer or boolean',
  ],
  [{ a: header('My-Field'), b: header('my-field') }, 'two parameters have the header'],
  [{ a: { type: 'array', items: header('A') } }, 'the header A is not that of a parameter'],
  [{ a: { anyOf: [header('A')] } }, 'the header A is not that of a parameter'],
])('%j cannot be sent: %s', (properties, words) => {
  expect(headerFault(parameters(properties))).toContain(words)
})

test('a header of all parameters, or in a definition that is referred to, cannot be sent', () => {
  expect(headerFault({ ...parameters({}), ...header('A', 'object') })).toContain('all parameters')
  expect(headerFault(parameters({}, { $defs: { a: header('A') } }))).toContain('not that of')
})

test('a tool with such a header is left out and named where parameters go into headers', async () => {
  const sent = [
    { name: 'fits', inputSchema: parameters({ a: header('A') }) },
    { name: 'does_not', inputSchema: parameters({ a: header('a b') }) },
  ]
  const names = async (inHeaders: boolean) => {
    const { tools, problems } = await readDefinitions(sent, { inHeaders })
    return [...tools.map(({ definition }) => definition.name), ...problems]
  }
  expect(await names(false)).toEqual(['fits', 'does_not'])
  expect(await names(true)).toEqual([
    'fits',
    '"does_not" cannot be called: "a b" is no name of a header.',
  ])
})
