import { expect, test } from 'vitest'
import type { ApprovalRule } from '@/lib/protocol/approval'
import { approvalNote } from './decide-tool'

const everything: ApprovalRule = {
  id: 'r',
  name: 'Writes',
  toolName: null,
  toolGroup: null,
  configurationId: null,
  conditions: [],
}
const conditions = [{ path: '$.level', operator: 'equals' as const, value: 'error' }]
const tool = { name: 'fetch_logs', group: 'system' }
const note = (...approvalRules: ApprovalRule[]) =>
  approvalNote(tool, { configuration: { id: 'c' }, approvalRules })

test('a rule without conditions makes every call wait, also behind one that looks at arguments', () => {
  const looking = { ...everything, name: 'Errors', conditions }
  expect(note(looking, everything)).toEqual({
    always: true,
    words: 'Each call waits for approval because of the rule "Writes".',
  })
})

test('where all rules look at arguments, the first is named and the others counted', () => {
  const looking = { ...everything, name: 'Errors', toolGroup: 'system', conditions }
  expect(note(looking, { ...looking, name: 'Other' })).toEqual({
    always: false,
    words: 'A call waits for approval if its arguments match the rule "Errors", or 1 more.',
  })
})

test('rules about other tools, groups or configurations say nothing', () => {
  expect(
    note(
      { ...everything, toolName: 'list_users' },
      { ...everything, toolGroup: 'web' },
      { ...everything, configurationId: 'd' },
    ),
  ).toBeNull()
})
