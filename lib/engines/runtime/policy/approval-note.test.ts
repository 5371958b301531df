import { expect, test } from 'vitest'
import type { ApprovalRule } from '@/lib/protocol/approval'
import type { Effect } from '@/lib/protocol/tool'
import { anyRule } from '@/tests/support/any-rule'
import { approvalNote, noteWords } from './approval-note'

const everything: ApprovalRule = { ...anyRule, id: 'r', name: 'Writes' }
const conditions = [{ path: '$.level', operator: 'equals' as const, value: 'error' }]
const tool = { name: 'fetch_logs', group: 'system', effect: 'read' as const }
const note = (...approvalRules: ApprovalRule[]) =>
  approvalNote(tool, {
    configuration: { id: 'c', afterUntrusted: 'allow' as const },
    actor: null,
    apiKeyId: null,
    approvalRules,
    toolApprovals: new Map(),
    untrustedReads: [],
  })

test('a rule without conditions makes every call wait, also behind one that looks at arguments', () => {
  const looking = { ...everything, name: 'Errors', conditions }
  expect(note(looking, everything)).toEqual({
    always: true,
    sentences: [
      {
        words: 'Each call waits for approval because of the rule "Writes".',
        cause: { type: 'rule', id: 'r' },
      },
    ],
  })
})

test('the note names the first rule and counts the others where all rules look at arguments', () => {
  const looking = { ...everything, name: 'Errors', toolGroup: 'system', conditions }
  expect(note(looking, { ...looking, name: 'Other' })).toEqual({
    always: false,
    sentences: [
      {
        words: 'A call waits for approval if its arguments match the rule "Errors", or 1 more.',
        cause: { type: 'rules' },
      },
    ],
  })
})

test('a rule that asks a second person says so, and one that only observes does not', () => {
  expect(noteWords(note({ ...everything, fourEyes: true }))).toBe(
    'Each call waits for approval because of the rule "Writes". Whoever starts the run may not decide about calls that match the rule "Writes".',
  )
  expect(note({ ...everything, action: 'observe', fourEyes: true })).toBeNull()
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

test('the note names rules that refuse first, says when a rule asks once, and leaves out rules that only observe', () => {
  const refusing = { ...everything, name: 'No errors', action: 'deny' as const, conditions }
  const once = { ...everything, action: 'ask-once' as const }
  const both = note(once, refusing, { ...everything, action: 'observe' })
  expect(both?.always).toBe(false)
  expect(noteWords(both)).toBe(
    'A call is refused if its arguments match the rule "No errors". Until one call of a run is approved, each waits because of the rule "Writes".',
  )
  expect(noteWords(note(once, { ...everything, name: 'Errors', conditions }))).toBe(
    'Until one call of a run is approved, each waits because of the rule "Writes". A call waits for approval if its arguments match the rule "Errors".',
  )
  expect(note({ ...everything, action: 'observe' })).toBeNull()
})

test('a tool that writes says that its calls wait, beside the rules that ask about all of them', () => {
  const ofTool = (effect: Effect, toolApprovals: Map<string, boolean>, ...rules: ApprovalRule[]) =>
    approvalNote(
      { ...tool, effect },
      {
        configuration: null,
        actor: null,
        apiKeyId: null,
        approvalRules: rules,
        toolApprovals,
        untrustedReads: [],
      },
    )
  const waits =
    'Calls of this tool wait for approval because it writes. An admin can change that for the tool.'
  const sentence = { words: waits, cause: { type: 'tool' } }
  expect(ofTool('write', new Map())).toEqual({ always: true, sentences: [sentence] })
  const once = { ...everything, action: 'ask-once' } as const
  expect(noteWords(ofTool('write', new Map(), once))).toBe(waits)
  expect(noteWords(ofTool('write', new Map(), everything))).toBe(
    `Each call waits for approval because of the rule "Writes". ${waits}`,
  )
  expect(ofTool('write', new Map([[tool.name, false]]))).toBeNull()
  const wanted = ofTool('read', new Map([[tool.name, true]]))
  expect(noteWords(wanted)).toContain('because an admin wants')
})

test('the note about writes after untrusted reads names the configuration', () => {
  const writing = { ...tool, effect: 'write' as const }
  const after = (afterUntrusted: 'refuse' | 'ask' | 'allow', asks: boolean) =>
    approvalNote(writing, {
      configuration: { id: 'c', afterUntrusted },
      actor: null,
      apiKeyId: null,
      approvalRules: [],
      toolApprovals: new Map([[tool.name, asks]]),
      untrustedReads: [],
    })?.sentences.map(({ cause }) => cause)
  const configuration = { type: 'configuration', id: 'c' }
  expect(after('refuse', false)).toEqual([configuration])
  expect(after('ask', false)).toEqual([configuration])
  expect(after('refuse', true)).toEqual([{ type: 'tool' }, configuration])
  expect(after('ask', true)).toEqual([{ type: 'tool' }])
  expect(after('allow', false)).toBeUndefined()
})

test('it names notes in the prompt where a run begins with them', () => {
  const configuration = { id: 'c', afterUntrusted: 'ask' as const, memoryInPrompt: true }
  const note = approvalNote(
    { ...tool, effect: 'write' },
    {
      configuration,
      actor: null,
      apiKeyId: null,
      approvalRules: [],
      untrustedReads: [],
      toolApprovals: new Map([[tool.name, false]]),
    },
  )
  expect(noteWords(note)).toBe(
    'After the run has read what others can write, such as the notes in the prompt, its calls wait for approval.',
  )
})
