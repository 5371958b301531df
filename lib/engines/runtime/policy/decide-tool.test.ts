import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ApprovalRule } from '@/lib/protocol/approval'
import { TrustZone } from '@/lib/protocol/model-target'
import { DataClass, gateNames, type ToolMeta } from '@/lib/protocol/tool'
import {
  admin,
  subjectConfiguration as configuration,
  member,
  openSubject,
  testTool,
  toolMap,
} from '@/tests/support/run-fixture'
import { decideTool, gates } from './decide-tool'
import {
  nothingRevoked,
  type Subject,
  type SubjectConfiguration,
  type SwitchState,
} from './subject'

const tool = testTool('fetch_logs', { group: 'system' })
const off: SwitchState = { enabled: false, reason: 'leaks', changedBy: 'Ada', changedAt: 0 }
const on: SwitchState = { ...off, enabled: true, reason: '' }
const groupOff = (name: string) => new Map([[name, { by: 'Ada', reason: '' }]])
const storage = new Set(['storage'] as const)
const overrides = (state: SwitchState) => new Map([[tool.name, state]])

test('a registered, enabled tool is allowed', () => {
  expect(decideTool(tool, openSubject)).toEqual({ allowed: true })
})

test.each([
  ['registered', undefined, {}, 'no tool with exactly this name'],
  ['registered', testTool('asset', { needs: 'storage' }), {}, 'this site has no storage yet'],
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
    'configuration',
    tool,
    { configuration: configuration({ allowedToolGroups: new Set(['web']) }) },
    'The configuration Nightly does not allow tools of the group "system".',
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
  ['pinned', tool, { unpinned: new Set([tool.name]) }, 'changed the definition'],
  ['selection', tool, { selected: new Set(['other']) }, 'Not picked for this run'],
  ['selection', tool, { selected: new Set<string>() }, 'Not picked for this run'],
] as const)('%s denies and says why', (gate, asked, subject, words) => {
  const verdict = decideTool(asked, { ...openSubject, ...subject })
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
])('allowed: %s', (_words, asked, subject) => {
  expect(decideTool(asked, { ...openSubject, ...subject })).toEqual({ allowed: true })
})

test('the configuration says which part of it says no', () => {
  const closed = { part: 'audience', reason: 'Max may not use Nightly.' } as const
  const allowedToolGroups = new Set<string>()
  const decide = (fields: Partial<SubjectConfiguration>) =>
    decideTool(tool, { ...openSubject, configuration: configuration(fields) })
  expect(decide({ closed, allowedToolGroups })).toHaveProperty('part', 'audience')
  expect(decide({ allowedToolGroups })).not.toHaveProperty('part')
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

const zones = TrustZone.options
const classes = DataClass.options
const limits = { local: 5, private: 4, 'external-eu': 3, 'external-global': 1 } as const
const nameSets = fc.constantFrom(null, new Set<string>(), new Set(['a']), new Set(['b']))

const refusing: ApprovalRule = {
  id: 'r',
  name: 'No tests',
  toolName: null,
  toolGroup: null,
  configurationId: null,
  action: 'deny',
  conditions: [],
}

/** Every input that a gate looks at, with all its values. */
const subjects: fc.Arbitrary<Subject> = fc.record({
  actor: fc.constantFrom(null, admin, member),
  frozen: fc.constantFrom(null, { by: 'Ada', reason: '' }),
  present: fc.constantFrom(new Set<'storage'>(), storage),
  groupsOff: fc.constantFrom(new Map(), groupOff('test'), groupOff('other')),
  overrides: fc.constantFrom(
    new Map<string, SwitchState>(),
    new Map([['a', on]]),
    new Map([['a', off]]),
  ),
  configuration: fc.option(
    fc.record({
      id: fc.constant('c'),
      name: fc.constant('Test'),
      task: fc.constantFrom(null, 'Notes'),
      closed: fc.constantFrom(null, { part: 'switch' as const, reason: 'It is closed.' }),
      allowedToolGroups: fc.constantFrom(null, new Set<string>(), new Set(['test'])),
      leastTrusted: fc.record({
        connectionName: fc.constant('Somewhere'),
        zone: fc.constantFrom(...zones),
      }),
      raisedDataClass: fc.option(fc.constantFrom(...classes)),
      grantedBySkills: nameSets,
      limitingSkills: fc.constant([]),
    }),
  ),
  selected: nameSets,
  revoked: fc.constant(nothingRevoked),
  unpinned: fc.constantFrom(new Set<string>(), new Set(['a']), new Set(['b'])),
  approvalRules: fc.subarray([
    refusing,
    { ...refusing, toolName: 'b' },
    { ...refusing, configurationId: 'c' },
    { ...refusing, conditions: [{ path: '$.x', operator: 'exists', value: '' }] },
    { ...refusing, action: 'ask' },
  ]),
  approvalLifetimeMs: fc.constant(3_600_000),
  fourEyes: fc.boolean(),
  approvers: fc.constant(new Map()),
})
const tools = fc
  .record({
    enabledByDefault: fc.boolean(),
    requiresAdmin: fc.boolean(),
    dataClass: fc.constantFrom(...classes),
    needs: fc.constantFrom(undefined, 'storage' as const),
    notLoaded: fc.option(fc.constant('a.mjs cannot be loaded.'), { nil: undefined, freq: 8 }),
  })
  .map((fields) => testTool('a', fields))

const closers: Partial<Subject>[] = [
  { present: new Set() },
  { frozen: { by: 'Ada', reason: '' } },
  { groupsOff: groupOff('test') },
  { overrides: new Map([['a', off]]) },
  { actor: null },
  { configuration: configuration({ allowedToolGroups: new Set() }) },
  { configuration: configuration({ grantedBySkills: new Set(['b']) }) },
  { selected: new Set<string>() },
  { unpinned: new Set(['a']) },
  { approvalRules: [refusing] },
]

test('whatever else is said, one no stays a no, and an earlier gate is told first', () => {
  const place = (gate: string) => (gateNames as readonly string[]).indexOf(gate)
  fc.assert(
    fc.property(tools, subjects, fc.constantFrom(...closers), (asked, subject, closer) => {
      const open = { ...openSubject, present: storage }
      const { needs, notLoaded } = asked
      const alone = decideTool(testTool('a', { needs, notLoaded }), { ...open, ...closer })
      if (alone.allowed) return fc.pre(false)
      const together = decideTool(asked, { ...subject, ...closer })
      if (together.allowed) throw new Error('A closed gate was passed.')
      expect(place(together.gate)).toBeLessThanOrEqual(place(alone.gate))
    }),
  )
})

test('the answer is yes only when every single condition holds', () => {
  fc.assert(
    fc.property(tools, subjects, (asked, subject) => {
      expect(decideTool(asked, subject).allowed).toBe(isAllowed(asked, subject))
    }),
    { numRuns: 2_000 },
  )
})

test('the gates stand in the order in which answers are shown', () => {
  expect(gates.map(({ name }) => name)).toEqual(gateNames)
})

/** Returns what SPEC section 4 says, written again without order and words. */
function isAllowed(tool: ToolMeta, subject: Subject): boolean {
  const { configuration: chosen } = subject
  const override = subject.overrides.get('a')
  const within = (names: ReadonlySet<string> | null | undefined, name: string) =>
    !names || names.has(name)
  const sent = classes.indexOf(tool.dataClass)
  const mayBeSent =
    !chosen ||
    sent <=
      Math.max(
        limits[chosen.leastTrusted.zone],
        chosen.raisedDataClass ? classes.indexOf(chosen.raisedDataClass) : 0,
      )
  return (
    tool.notLoaded === undefined &&
    (!tool.needs || subject.present.has(tool.needs)) &&
    subject.frozen === null &&
    !subject.groupsOff.has('test') &&
    (override ? override.enabled : tool.enabledByDefault) &&
    subject.actor !== null &&
    (!tool.requiresAdmin || subject.actor.role === 'admin') &&
    !chosen?.closed &&
    within(chosen?.allowedToolGroups, 'test') &&
    mayBeSent &&
    within(chosen?.grantedBySkills, 'a') &&
    within(subject.selected, 'a') &&
    !subject.unpinned.has('a') &&
    !subject.approvalRules.some(
      ({ action, toolName, configurationId, conditions }) =>
        action === 'deny' &&
        conditions.length === 0 &&
        toolName !== 'b' &&
        (configurationId === null || configurationId === chosen?.id),
    )
  )
}

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
