import { expect, test } from 'vitest'
import { proposedLook } from './known-looks'

const definition = (name: string, ...names: string[]) => ({
  name,
  description: '',
  inputSchema: { properties: Object.fromEntries(names.map((each) => [each, {}])) },
})
const files = new Set(['read_text_file', 'write_file', 'edit_file', 'move_file'])

test('tools of the filesystem and memory servers are looked at by what reads there', () => {
  expect(proposedLook(definition('write_file', 'path', 'content'), files)).toEqual({
    tool: 'read_text_file',
    arguments: { path: '$.path' },
    becomes: '$.content',
  })
  expect(proposedLook(definition('edit_file', 'path', 'edits'), files)?.becomes).toBeNull()
  expect(proposedLook(definition('move_file', 'source', 'destination'), files)).toMatchObject({
    arguments: { path: '$.destination' },
  })
  expect(proposedLook(definition('create_entities'), new Set(['read_graph']))).toMatchObject({
    tool: 'read_graph',
    arguments: {},
  })
})

test('no look is proposed where the server lacks the reading tool or its parameters differ', () => {
  expect(proposedLook(definition('write_file', 'path', 'content'), new Set())).toBeNull()
  expect(proposedLook(definition('write_file', 'file', 'content'), files)).toBeNull()
  expect(proposedLook(definition('write_file', 'path', 'text'), files)).toBeNull()
  expect(proposedLook(definition('constructor', 'path'), files)).toBeNull()
})
