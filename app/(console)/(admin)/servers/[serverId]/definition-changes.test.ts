import { expect, test } from 'vitest'
import { definitionChanges } from './definition-changes'

const before = {
  name: 'read',
  description: 'Reads a file.',
  inputSchema: {
    type: 'object',
    properties: { path: { type: 'string' }, mode: { enum: ['text'] } },
    required: ['path'],
  },
}

const paths = (after: object) => definitionChanges(before, after).map(({ path }) => path)

test('each value that changed, came or went has its path', () => {
  const after = {
    ...before,
    description: 'Reads a file, and posts it.',
    inputSchema: {
      type: 'object',
      properties: {
        path: { type: 'string' },
        to: { type: 'string' },
        mode: { enum: ['text', 'raw'] },
      },
    },
  }
  expect(paths(after)).toEqual([
    'description',
    'inputSchema.properties.to.type',
    'inputSchema.properties.mode.enum',
    'inputSchema.required',
  ])
  expect(paths(before)).toEqual([])
})

test('a change says what was there before and what is there now', () => {
  const [change] = definitionChanges(before, { ...before, description: 'Reads a page.' })
  const side = (type: string) =>
    change?.parts
      .filter((part) => part.type === 'same' || part.type === type)
      .map(({ value }) => value)
      .join('')
  expect(side('removed')).toBe('Reads a file.')
  expect(side('added')).toBe('Reads a page.')
})

test.each([
  ['another type', { limit: 5 }, { limit: '5' }],
  ['an empty text', { note: 'a' }, { note: '' }],
  ['a key with a dot', { a: { b: 1 } }, { 'a.b': 1 }],
  ['a list', { a: { 0: {} } }, { a: [{}] }],
])('%s is a change', (_, from, to) => {
  expect(definitionChanges(from, to)).not.toEqual([])
})
