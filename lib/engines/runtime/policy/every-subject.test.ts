import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ApprovalRule } from '@/lib/protocol/approval'
import { AfterUntrusted } from '@/lib/protocol/flow'
import { noLimits } from '@/lib/protocol/key-limits'
import { TrustZone } from '@/lib/protocol/model-target'
import type { RemoteState } from '@/lib/protocol/remote-state'
import { DataClass, Effect, gateNames, type ToolMeta } from '@/lib/protocol/tool'
import {
  admin,
  subjectConfiguration as configuration,
  member,
  openSubject,
  testTool,
} from '@/tests/support/run-fixture'
import { decideTool } from './decide-tool'
import { nothingRevoked, type Subject, type SwitchState } from './subject'

const off: SwitchState = { enabled: false, reason: 'leaks', changedBy: 'Ada', changedAt: 0 }
const on: SwitchState = { ...off, enabled: true, reason: '' }
const groupOff = (name: string) => new Map([[name, { by: 'Ada', reason: '' }]])
const storage = new Set(['storage'] as const)

/** Returns what is stored about a tool of a server: what the run began with, but for these facts. */
function remote(facts: Partial<RemoteState>, name: string): Map<string, RemoteState> {
  return new Map([[name, { pin: 'p', held: null, isGone: false, isServerOn: true, ...facts }]])
}

const zones = TrustZone.options
const classes = DataClass.options
const limits = { local: 5, private: 4, 'external-eu': 3, 'external-global': 1 } as const
const nameSets = fc.constantFrom(null, new Set<string>(), new Set(['a']), new Set(['b']))

const refusing: ApprovalRule = {
  id: 'r',
  name: 'No tests',
  toolName: null,
  toolGroup: null,
  serverName: null,
  configurationId: null,
  userId: null,
  groupId: null,
  apiKeyId: null,
  action: 'deny',
  conditions: [],
}

/** Returns a limit of two calls a minute and three a run, with so many used. */
function rated(inMinute: number, inRun = 0) {
  return new Map([['a', { perMinute: 2, perRun: 3, use: { inMinute, inRun, waitMs: 5 } }]])
}

/** Every input that a gate looks at, with all its values. */
const subjects: fc.Arbitrary<Subject> = fc.record({
  actor: fc.constantFrom(null, admin, member),
  limitingGroups: fc.subarray([
    { name: 'A', limits: { tools: ['a'], toolGroups: null } },
    { name: 'B', limits: { tools: ['b'], toolGroups: [] } },
    { name: 'C', limits: { tools: null, toolGroups: ['test'] } },
  ]),
  apiKeyId: fc.constantFrom(null, 'k'),
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
      afterUntrusted: fc.constantFrom(...AfterUntrusted.options),
      limitingSkills: fc.constant([]),
    }),
  ),
  selected: nameSets,
  apiKey: fc.option(
    fc.record({
      name: fc.constant('Nightly'),
      limits: fc.record({
        tools: fc.constantFrom(null, [], ['a'], ['b']),
        toolGroups: fc.constantFrom(null, [], ['test'], ['other']),
        configurations: fc.constant(null),
      }),
    }),
  ),
  revoked: fc.constant(nothingRevoked),
  remote: fc.constantFrom(
    new Map(),
    remote({}, 'b'),
    remote({}, 'a'),
    ...[
      { pin: 'q' },
      { held: 'new' as const },
      { held: 'changed' as const },
      { isGone: true },
      { isServerOn: false },
    ].map((facts) => remote(facts, 'a')),
  ),
  approvalRules: fc.subarray([
    refusing,
    { ...refusing, toolName: 'b' },
    { ...refusing, configurationId: 'c' },
    { ...refusing, serverName: 's' },
    { ...refusing, userId: admin.userId },
    { ...refusing, groupId: 'g-support' },
    { ...refusing, apiKeyId: 'k' },
    { ...refusing, conditions: [{ path: '$.x', operator: 'exists', value: '' }] },
    { ...refusing, action: 'ask' },
  ]),
  toolApprovals: fc.constantFrom(new Map(), new Map([['a', true]]), new Map([['a', false]])),
  untrustedReads: fc.constantFrom([], ['b']),
  rates: fc.constantFrom(new Map(), rated(1), rated(2), rated(0, 3)),
  approvalLifetimeMs: fc.constant(3_600_000),
  fourEyes: fc.boolean(),
  approvers: fc.constant(new Map()),
})
const tools = fc
  .record({
    enabledByDefault: fc.boolean(),
    effect: fc.constantFrom(...Effect.options),
    requiresAdmin: fc.boolean(),
    dataClass: fc.constantFrom(...classes),
    needs: fc.constantFrom(undefined, 'storage' as const),
    notLoaded: fc.option(fc.constant('a.mjs cannot be loaded.'), { nil: undefined, freq: 8 }),
    isRemote: fc.boolean(),
  })
  .map(({ isRemote, ...fields }) =>
    // A server's tool needs nothing of the site.
    testTool('a', { ...fields, ...(isRemote && { server: 's', pin: 'p', needs: undefined }) }),
  )

function isAsAccepted(state: RemoteState | undefined): boolean {
  return state?.pin === 'p' && state.held === null && !state.isGone && state.isServerOn
}

const closers: Partial<Subject>[] = [
  { present: new Set() },
  { frozen: { by: 'Ada', reason: '' } },
  { groupsOff: groupOff('test') },
  { overrides: new Map([['a', off]]) },
  { actor: null },
  { limitingGroups: [{ name: 'B', limits: { tools: ['b'], toolGroups: [] } }] },
  { configuration: configuration({ allowedToolGroups: new Set() }) },
  { configuration: configuration({ grantedBySkills: new Set(['b']) }) },
  { selected: new Set<string>() },
  { apiKey: { name: 'Nightly', limits: { ...noLimits, tools: ['b'] } } },
  { remote: remote({ held: 'new' }, 'a') },
  { approvalRules: [refusing] },
  { actor: member, approvalRules: [{ ...refusing, groupId: 'g-support' }] },
  { rates: rated(2) },
  { rates: rated(0, 3) },
  { apiKeyId: 'k', approvalRules: [{ ...refusing, apiKeyId: 'k' }] },
  { configuration: configuration({ afterUntrusted: 'refuse' }), untrustedReads: ['b'] },
]

test('whatever else is said, one no stays a no, and an earlier gate is told first', () => {
  const place = (gate: string) => (gateNames as readonly string[]).indexOf(gate)
  fc.assert(
    fc.property(tools, subjects, fc.constantFrom(...closers), (asked, subject, closer) => {
      const open = { ...openSubject, present: storage }
      const { needs, notLoaded, server, pin, effect } = asked
      const plain = testTool('a', {
        needs,
        notLoaded,
        effect,
        ...(server && pin && { server, pin }),
      })
      const alone = decideTool(plain, { ...open, remote: remote({}, 'a'), ...closer })
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

function keyAllows(key: Subject['apiKey']): boolean {
  if (!key || (key.limits.tools === null && key.limits.toolGroups === null)) return true
  return [...(key.limits.tools ?? []), ...(key.limits.toolGroups ?? [])].some(
    (name) => name === 'a' || name === 'test',
  )
}

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
    (subject.limitingGroups.length === 0 ||
      subject.limitingGroups.some(({ name }) => name !== 'B')) &&
    !chosen?.closed &&
    within(chosen?.allowedToolGroups, 'test') &&
    mayBeSent &&
    within(chosen?.grantedBySkills, 'a') &&
    within(subject.selected, 'a') &&
    keyAllows(subject.apiKey) &&
    (tool.server === undefined || isAsAccepted(subject.remote.get('a'))) &&
    (subject.rates.get('a')?.use?.inMinute ?? 0) < 2 &&
    (subject.rates.get('a')?.use?.inRun ?? 0) < 3 &&
    !subject.approvalRules.some(
      ({ action, toolName, serverName, configurationId, userId, groupId, apiKeyId, conditions }) =>
        action === 'deny' &&
        conditions.length === 0 &&
        toolName !== 'b' &&
        (serverName === null || serverName === tool.server) &&
        (configurationId === null || configurationId === chosen?.id) &&
        (userId === null || userId === subject.actor?.userId) &&
        (groupId === null || subject.actor === member) &&
        (apiKeyId === null || apiKeyId === subject.apiKeyId),
    )
  )
}
