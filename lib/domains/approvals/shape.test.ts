import { expect, test } from 'vitest'
import { scopeWords } from './shape'

test('a scope says what it is about and no more', () => {
  const every = {
    toolName: null,
    toolGroup: null,
    serverName: null,
    configuration: null,
    person: null,
    personGroup: null,
    apiKey: null,
  }
  expect(scopeWords(every)).toBe('every tool')
  expect(scopeWords({ ...every, toolGroup: 'web' })).toBe('every tool of the group web')
  expect(scopeWords({ ...every, toolName: 'exec', configuration: { name: 'Ops' } })).toBe(
    'exec, in the configuration Ops',
  )
  expect(scopeWords({ ...every, serverName: 'files', personGroup: { name: 'Support' } })).toBe(
    'every tool of the MCP server files, for members of Support',
  )
})
