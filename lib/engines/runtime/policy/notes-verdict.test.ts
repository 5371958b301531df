import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ApprovalRule } from '@/lib/protocol/approval'
import { anyRule } from '@/tests/support/any-rule'
import { anySubject } from '@/tests/support/any-subject'
import { openSubject, subjectConfiguration, testTool, toolMap } from '@/tests/support/run-fixture'
import { decideTool } from './decide-tool'
import { notesVerdict } from './notes-verdict'
import type { Subject } from './subject'

const reader = testTool('memory_read', { group: 'memory', dataClass: 'content' })
const tools = toolMap(reader)

const rule: ApprovalRule = { ...anyRule, name: 'Notes', toolName: 'memory_read', action: 'deny' }
const conditions = [{ path: '$.query', operator: 'contains' as const, value: 'salary' }]
const withRule = (fields: Partial<ApprovalRule>): Partial<Subject> => ({
  approvalRules: [{ ...rule, ...fields }],
})

test.each<[string, Partial<Subject>, string, RegExp]>([
  ['a rule that refuses it', withRule({}), 'rule', /The rule "Notes" refuses it/],
  ['a rule that refuses some of its calls', withRule({ conditions }), 'rule', /"Notes" refuses/],
  ['a rule that asks', withRule({ action: 'ask' }), 'approval', /because of the rule "Notes"/],
  ['a rule that asks once', withRule({ action: 'ask-once', conditions }), 'approval', /"Notes"/],
  [
    'an admin who wants to be asked',
    { toolApprovals: new Map([['memory_read', true]]) },
    'approval',
    /Calls of memory_read wait for approval, and nobody is asked/,
  ],
  [
    'skills that allow some of its calls',
    {
      configuration: subjectConfiguration({
        grantedBySkills: new Set(['memory_read(query:x)']),
      }),
    },
    'skills',
    /./,
  ],
  ['a freeze', { frozen: { by: 'Ada', reason: '' } }, 'frozen', /./],
  ['no selected tool', { selected: new Set() }, 'selection', /./],
])('notes stay out of the prompt after %s', (_what, fields, gate, reason) => {
  const verdict = notesVerdict(tools, { ...openSubject, ...fields })
  expect(verdict).toMatchObject({ allowed: false, gate, reason: expect.stringMatching(reason) })
})

test('notes go into the prompt when memory_read may be called, also when a rule only observes it', () => {
  expect(notesVerdict(tools, openSubject)).toEqual({ allowed: true })
  const observed = { ...openSubject, ...withRule({ action: 'observe' }) }
  expect(notesVerdict(tools, observed)).toEqual({ allowed: true })
  expect(notesVerdict(new Map(), openSubject)).toMatchObject({ allowed: false, gate: 'registered' })
})

test('G-X: notes never go into the prompt where a call of memory_read would not be allowed', () => {
  const tool = { ...reader, name: 'a', group: 'test' }
  fc.assert(
    fc.property(anySubject, (subject) => {
      const verdict = notesVerdict(new Map([['memory_read', tool]]), subject)
      const call = decideTool(tool, subject)
      if (!call.allowed) expect(verdict).toEqual(call)
    }),
  )
})
