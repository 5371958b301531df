import { expect, test } from 'vitest'
import type { MissingAccount, RemoteState } from '@/lib/domains/servers/shared/remote-state'
import type { ApprovalDecision } from '@/lib/protocol/approval'
import type { TrustZone } from '@/lib/protocol/model/model-target'
import { DataClass, type ExecutableTool, gateNames } from '@/lib/protocol/tool'
import { toolAccess } from '@/lib/protocol/tool-access'
import { approvalFixture, everybody, lastRequest, yes } from '@/tests/support/approval-fixture'
import {
  admin,
  subjectConfiguration as configuration,
  member,
  openSubject,
  runInput,
  subjectConfiguration,
  testTool,
  toolMap,
} from '@/tests/support/run-fixture'
import { asks, says } from '@/tests/support/scripted-model'
import { runAgent } from '../run-agent'
import { decideTool, gates } from './decide-tool'
import type { Person, Subject, SubjectConfiguration, SwitchState } from './subject'

const tool = testTool('fetch_logs', { group: 'system' })
const off: SwitchState = { enabled: false, reason: 'leaks', changedBy: 'Ada', changedAt: 0 }
const on: SwitchState = { ...off, enabled: true, reason: '' }
const groupOff = (name: string) => new Map([[name, { by: 'Ada', reason: '' }]])
const storage = new Set(['storage'] as const)
const overrides = (state: SwitchState) => new Map([[tool.name, state]])

const only = (allowedToolGroups: string[] | null, allowedTools: string[]) =>
  toolAccess({ allowedToolGroups, allowedTools })

test('a registered, enabled tool is allowed', () => {
  expect(decideTool(tool, openSubject)).toEqual({ allowed: true })
})

const limiting = { name: 'Support', limits: { tools: ['other'], toolGroups: null } }

test.each([
  ['registered', undefined, {}, 'no tool with exactly this name'],
  [
    'registered',
    testTool('asset', { needs: 'storage' }),
    {},
    'this site has no storage that is switched on',
  ],
  ['registered', testTool('broken', { notLoaded: 'SyntaxError' }), {}, 'Not loaded: the file of'],
  ['frozen', tool, { frozen: { by: 'Ada', reason: 'breach' } }, 'stopped by Ada: breach.'],
  ['group', tool, { groupsOff: groupOff('system') }, 'group "system" is switched off'],
  ['enabled', tool, { overrides: overrides(off) }, 'Switched off for this site by Ada: leaks.'],
  [
    'enabled',
    testTool('raw', { enabledByDefault: false }),
    {},
    'Off until an admin switches it on',
  ],
  ['role', testTool('secret', { requiresAdmin: true }), { actor: member }, 'Only admins'],
  ['role', tool, { actor: null }, 'unknown or disabled'],
  [
    'role',
    tool,
    { actor: { ...admin, limitedBy: [limiting] } },
    'The group Support may not use this tool',
  ],
  [
    'configuration',
    tool,
    { configuration: configuration({ allowed: only(['web'], ['list_users']) }) },
    'The configuration Nightly does not allow this tool or its group "system". It allows the tool group web, and the tool list_users.',
  ],
  [
    'configuration',
    tool,
    { configuration: configuration({ allowed: only([], []) }) },
    'or its group "system". It allows no tools.',
  ],
  [
    'configuration',
    tool,
    { configuration: configuration({ allowed: only([], ['a', 'b', 'c', 'd', 'e', 'f', 'g']) }) },
    'It allows the tools a, b, c, d, e, and 2 more.',
  ],
  [
    'configuration',
    tool,
    {
      configuration: configuration({
        allowed: only(['system'], []),
        allowedThen: only(['web'], []),
      }),
    },
    'did not allow this tool or its group "system" when the run began. It allowed the tool group web. Start the run again',
  ],
  [
    'configuration',
    tool,
    {
      configuration: configuration({
        closed: { part: 'audience', reason: 'Max may not use Nightly.' },
      }),
    },
    'Max may not use Nightly.',
  ],
  [
    'skills',
    tool,
    { configuration: configuration({ grantedBySkills: new Set(['list_users']) }) },
    'The skills of Nightly do not list it',
  ],
  [
    'skills',
    tool,
    {
      configuration: configuration({
        grantedBySkills: new Set(['list_users']),
        limitingSkills: [
          { name: 'accounts', allowedTools: ['list_users'] },
          { name: 'logs', allowedTools: ['fetch_logs'] },
          { name: 'quiet', allowedTools: [] },
          { name: 'accounts', allowedTools: ['list_users'] },
        ],
      }),
    },
    'do not list it under allowed-tools. The limit comes from accounts and quiet.',
  ],
  [
    'skills',
    tool,
    { configuration: configuration({ grantedBySkills: new Set<string>() }) },
    'The skills of Nightly allow no tools at all.',
  ],
  ['selection', tool, { selected: new Set(['other']) }, 'Not picked for this run'],
  ['selection', tool, { selected: new Set<string>() }, 'Not picked for this run'],
] as const)('%s denies and says why', (gate, input, subject, words) => {
  const verdict = decideTool(input, { ...openSubject, ...subject })
  expect(verdict).toMatchObject({ allowed: false, gate })
  expect(verdict).toHaveProperty('reason', expect.stringContaining(words))
})

test.each([
  [
    'an override switches a tool on',
    testTool('fetch_logs', { enabledByDefault: false }),
    { overrides: overrides(on) },
  ],
  [
    'an admin may use admin tools',
    testTool('fetch_logs', { requiresAdmin: true }),
    { actor: admin },
  ],
  ['a member may use the others', tool, { actor: member }],
  ['another group is off', tool, { groupsOff: groupOff('web') }],
  ['the site has what it needs', testTool('asset', { needs: 'storage' }), { present: storage }],
  ['it was picked', tool, { selected: new Set([tool.name]) }],
  [
    'its group is allowed',
    tool,
    { configuration: configuration({ allowed: only(['system'], []) }) },
  ],
  [
    'its name is allowed',
    tool,
    { configuration: configuration({ allowed: only([], ['fetch_logs']) }) },
  ],
  [
    'its name is allowed beside another group',
    tool,
    { configuration: configuration({ allowed: only(['web'], ['list_users', 'fetch_logs']) }) },
  ],
  [
    'its group was allowed, and its name is now',
    tool,
    {
      configuration: configuration({
        allowed: only([], ['fetch_logs']),
        allowedThen: only(['system'], []),
      }),
    },
  ],
])('allowed: %s', (_words, input, subject) => {
  expect(decideTool(input, { ...openSubject, ...subject })).toEqual({ allowed: true })
})

test('the configuration says which part of it says no', () => {
  const closed = { part: 'audience', reason: 'Max may not use Nightly.' } as const
  const allowed = only([], [])
  const decide = (fields: Partial<SubjectConfiguration>) =>
    decideTool(tool, { ...openSubject, configuration: configuration(fields) })
  expect(decide({ closed, allowed })).toHaveProperty('part', 'audience')
  expect(decide({ allowed })).not.toHaveProperty('part')
})

test('a reason that was not given leaves a whole sentence', () => {
  const verdict = decideTool(tool, {
    ...openSubject,
    overrides: overrides({ ...off, reason: ' ' }),
  })
  expect(verdict).toHaveProperty(
    'reason',
    'Switched off for this site by Ada. An admin can switch the tool on.',
  )
})

test('the gates stand in the order in which answers are shown', () => {
  expect(gates.map(({ name }) => name)).toEqual(gateNames)
})

test.each([
  'constructor',
  '__proto__',
  'toString',
  'Fetch_Logs',
  'FETCH_LOGS',
  'fetch_logs ',
  'fеtch_logs',
  'fetch_logs\u200b',
  'fetch-logs',
  '',
])('the name %j misses', (name) => {
  expect(decideTool(toolMap(tool).get(name), openSubject)).toMatchObject({ gate: 'registered' })
})

const remoteTool = testTool('files__read', { server: 'files', pin: 'p' })

/** Returns what is stored about the tool: what the run began with, but for these facts. */
function remote(facts: Partial<RemoteState>): Map<string, RemoteState> {
  const state = { pin: 'p', held: null, isGone: false, isServerOn: true, ...facts }
  return new Map([['files__read', state]])
}

function without(of: MissingAccount['of'], state: MissingAccount['state']): Partial<Subject> {
  return { remote: remote({}), accounts: new Map([['files', { of, state }]]) }
}

test('a tool of a server that is as it was accepted is allowed', () => {
  expect(decideTool(remoteTool, { ...openSubject, remote: remote({}) })).toEqual({ allowed: true })
})

test.each([
  ['registered', remoteTool, {}, 'The server files does not offer it any more.'],
  ['registered', remoteTool, { remote: remote({ isGone: true }) }, 'does not offer it any more'],
  ['registered', remoteTool, { remote: remote({ isServerOn: false }) }, 'files is switched off'],
  [
    'registered',
    { ...remoteTool, notLoaded: 'A pattern looks behind.' },
    { remote: remote({}) },
    'Its schemas cannot be checked',
  ],
  ['pinned', remoteTool, { remote: remote({ held: 'new' }) }, 'Nobody accepted it yet'],
  ['pinned', remoteTool, { remote: remote({ held: 'changed' }) }, 'changed the definition'],
  ['pinned', remoteTool, { remote: remote({ held: 'unusable' }) }, 'The server has to mend it'],
  ['pinned', remoteTool, { remote: remote({ pin: 'q' }) }, 'changed this tool after the run began'],
  ['credentials', remoteTool, without('person', 'missing'), 'has not connected files.'],
  ['credentials', remoteTool, without('person', 'refused'), 'They have to sign in there again'],
  ['credentials', remoteTool, without('site', 'missing'), 'This site has no account at files.'],
  ['credentials', remoteTool, without('client', 'refused'), 'An admin has to connect it again'],
] as const)('%s denies and says why', (gate, tool, subject, words) => {
  const verdict = decideTool(tool, { ...openSubject, ...subject })
  expect(verdict).toMatchObject({ allowed: false, gate })
  expect(verdict).toHaveProperty('reason', expect.stringContaining(words))
})

function decide(dataClass: DataClass, zone: TrustZone, raisedDataClass: DataClass | null = null) {
  const leastTrusted = { connectionName: 'OpenAI', zone }
  const configuration = subjectConfiguration({ leastTrusted, raisedDataClass })
  return decideTool(testTool('look', { dataClass }), { ...openSubject, configuration })
}

test('denies and says what may be sent where', () => {
  expect(decide('diagnostics', 'external-global')).toMatchObject({
    allowed: false,
    gate: 'trust-zone',
    reason: expect.stringContaining(
      'It returns diagnostics data, and OpenAI (external, global) may receive data up to content.',
    ),
  })
})

const allowed: [TrustZone, DataClass[]][] = [
  ['local', DataClass.options],
  ['private', ['public', 'content', 'source-code', 'internal-config', 'diagnostics']],
  ['external-eu', ['public', 'content', 'source-code', 'internal-config']],
  ['external-global', ['public', 'content']],
]

test.each(allowed)('a provider in the zone %s may receive these classes alone', (zone, classes) => {
  expect(DataClass.options.filter((each) => decide(each, zone).allowed)).toEqual(classes)
})

test('an admin can raise what a configuration may send, and cannot lower it by that', () => {
  const isAllowed = (dataClass: DataClass, raised: DataClass) =>
    decide(dataClass, 'external-global', raised).allowed
  expect(isAllowed('diagnostics', 'diagnostics')).toBe(true)
  expect(isAllowed('secret-adjacent', 'diagnostics')).toBe(false)
  expect(isAllowed('content', 'public')).toBe(true)
})

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
