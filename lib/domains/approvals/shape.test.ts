import { expect, test } from 'vitest'
import { conditionWords, scopeWords } from './shape'

test('a condition reads as a sentence', () => {
  const path = '$.amount'
  expect(conditionWords({ path, operator: 'greater-than', value: '100' })).toBe(
    '$.amount is greater than "100"',
  )
  expect(conditionWords({ path, operator: 'missing', value: '' })).toBe('$.amount is missing')
})

test('a scope says what it is about and no more', () => {
  const every = {
    ...{ toolName: null, toolGroup: null, serverName: null, configuration: null },
    ...{ person: null, personGroup: null, apiKey: null },
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
