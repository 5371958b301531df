import { expect, test } from 'vitest'
import type { ApprovalDecision } from '@/lib/protocol/approval'
import type { ExecutableTool } from '@/lib/protocol/tool'
import { approvalFixture, everybody, lastRequest, yes } from '@/tests/support/approval-fixture'
import { admin, member, runInput } from '@/tests/support/run-fixture'
import { asks, says } from '@/tests/support/scripted-model'
import { runAgent } from '../run-agent'
import type { Person, Subject } from './subject'

const other = { ...admin, userId: 'u-other' }
const byOther = { ...yes, userId: other.userId }
const approversNow = (...people: Person[]) =>
  new Map(people.map((person) => [person.userId, person]))

/** Runs a call that is approved, and changes the subject by `since` before it begins. */
async function approvedThen(
  since: Partial<Subject>,
  decision: ApprovalDecision,
  tool: Partial<ExecutableTool> = {},
) {
  const run = approvalFixture(
    [asks(['save', { n: 1 }]), says('Oh.')],
    {
      readDecisions: async (waiting, signal) => {
        run.switches.subject = { ...run.switches.subject, ...since }
        return everybody(() => decision)(waiting, signal)
      },
    },
    tool,
  )
  const state = await runAgent(runInput(), run.deps)
  return { run, state: state.rounds[0]?.calls[0]?.state, end: state.end }
}

test.each<[string, Partial<Subject>, ApprovalDecision, string]>([
  ['was disabled', { approvers: new Map() }, byOther, 'is disabled or unknown'],
  [
    'is no admin any more',
    { approvers: approversNow({ ...other, role: 'member' }) },
    byOther,
    'only admins may approve calls in other people’s runs',
  ],
  ['started the run, and four eyes count now', { fourEyes: true }, yes, 'who starts a run'],
  [
    'counts as its starter, and four eyes count now',
    { fourEyes: true, starters: [other.userId], approvers: approversNow(other) },
    byOther,
    'who starts a run',
  ],
  [
    'is not known, as in journals from before',
    {},
    { type: 'approved', by: yes.by, message: '' },
    'is disabled or unknown',
  ],
  [
    'edited it and was disabled',
    { approvers: new Map() },
    { ...byOther, type: 'edited', argumentsText: '{"n":7}' },
    'is disabled or unknown',
  ],
])('G-A: a yes counts for nothing when its giver %s', async (_why, since, decision, reason) => {
  const { run, state, end } = await approvedThen(since, decision)
  expect(run.saved).toEqual([])
  expect(state).toMatchObject({
    verdict: { allowed: false, gate: 'approval', reason: expect.stringContaining(reason) },
    outcome: { type: 'denied', gate: 'approval' },
  })
  expect(end?.reason).toBe('completed')
  expect(lastRequest(run)).not.toContain('before it ran')
})

test('G-A: a giver who may not use the tool any more lets it run no more', async () => {
  // The same person as two readings would show them: only the approver's rights are gone.
  const since = { approvers: approversNow({ ...member, userId: admin.userId }) }
  const { run, state } = await approvedThen(since, yes, { requiresAdmin: true })
  expect(run.saved).toEqual([])
  expect(state).toMatchObject({ verdict: { reason: expect.stringContaining('Only admins may') } })
})

test('G-A: nor one whose groups limit them to other tools', async () => {
  const limiting = { name: 'Support', limits: { tools: ['look'], toolGroups: null } }
  const since = { approvers: approversNow({ ...admin, limitedBy: [limiting] }) }
  const { run, state } = await approvedThen(since, yes)
  expect(run.saved).toEqual([])
  expect(state).toMatchObject({ verdict: { reason: expect.stringContaining('Support') } })
})

test('G-A: the yes of somebody else counts, four eyes or not', async () => {
  for (const fourEyes of [true, false]) {
    const { run } = await approvedThen({ fourEyes, approvers: approversNow(other) }, byOther)
    expect(run.saved).toEqual([{ n: 1 }])
  }
})
