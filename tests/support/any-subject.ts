import fc from 'fast-check'
import type { RemoteState } from '@/lib/domains/servers/shared/remote-state'
import {
  nothingRevoked,
  type Subject,
  type SwitchState,
} from '@/lib/engines/runtime/policy/subject'
import type { ApprovalRule } from '@/lib/protocol/approval'
import { AfterUntrusted } from '@/lib/protocol/flow'
import { TrustZone } from '@/lib/protocol/model/model-target'
import { DataClass, Effect } from '@/lib/protocol/tool'
import { everything, toolAccess } from '@/lib/protocol/tool-access'
import { anyRule } from './any-rule'
import { admin, member, testTool } from './run-fixture'

export const off: SwitchState = { enabled: false, reason: 'leaks', changedBy: 'Ada', changedAt: 0 }
export const on: SwitchState = { ...off, enabled: true, reason: '' }
export const groupOff = (name: string) => new Map([[name, { by: 'Ada', reason: '' }]])
export const storage = new Set(['storage'] as const)

/** Returns what is stored about a tool of a server: what the run began with, but for these facts. */
export function remote(facts: Partial<RemoteState>, name: string): Map<string, RemoteState> {
  return new Map([[name, { pin: 'p', held: null, isGone: false, isServerOn: true, ...facts }]])
}

/** Mostly the value with which no gate denies: with all at random, hardly any call would reach the later gates. */
const mostly = <T>(open: T, any: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: 6, arbitrary: fc.constant(open) }, { weight: 1, arbitrary: any })

const nameSets = mostly(null, fc.constantFrom(new Set<string>(), new Set(['a']), new Set(['b'])))

export const refusing: ApprovalRule = { ...anyRule, id: 'r', name: 'No tests', action: 'deny' }

/** Returns a limit of two calls a minute and three a run, with so many used. */
export function rated(inMinute: number, inRun = 0) {
  return new Map([['a', { perMinute: 2, perRun: 3, use: { inMinute, inRun, waitMs: 5 } }]])
}

/** Tools that a configuration allows: mostly all of them, or some groups and single ones. */
const anyAccess = mostly(
  toolAccess(everything),
  fc
    .record({
      allowedToolGroups: fc.constantFrom(null, [], ['test'], ['other']),
      allowedTools: fc.constantFrom([], ['a'], ['b'], ['a', 'gone']),
    })
    .map(toolAccess),
)

const rules: ApprovalRule[] = [
  refusing,
  { ...refusing, toolName: 'b' },
  { ...refusing, configurationId: 'c' },
  { ...refusing, serverName: 's' },
  { ...refusing, userId: admin.userId },
  { ...refusing, groupId: 'g-support' },
  { ...refusing, apiKeyId: 'k' },
  { ...refusing, conditions: [{ path: '$.x', operator: 'exists', value: '' }] },
  { ...refusing, action: 'ask' },
]

/** Every input that a gate looks at, with all its values. */
export const anySubject: fc.Arbitrary<Subject> = fc.record({
  actor: fc.option(
    fc
      .tuple(
        fc.constantFrom(admin, member),
        fc.subarray([
          { name: 'A', limits: { tools: ['a'], toolGroups: null } },
          { name: 'B', limits: { tools: ['b'], toolGroups: [] } },
          { name: 'C', limits: { tools: null, toolGroups: ['test'] } },
        ]),
      )
      .map(([person, limitedBy]) => ({ ...person, limitedBy })),
  ),
  apiKeyId: fc.constantFrom(null, 'k'),
  frozen: mostly(null, fc.constant({ by: 'Ada', reason: '' })),
  present: mostly<Subject['present']>(
    storage,
    fc.constantFrom(new Set<'storage'>(), new Set<'host'>(['host'])),
  ),
  groupsOff: mostly(new Map(), fc.constantFrom(groupOff('test'), groupOff('other'))),
  overrides: mostly(
    new Map([['a', on]]),
    fc.constantFrom(new Map<string, SwitchState>(), new Map([['a', off]])),
  ),
  configuration: fc.option(
    fc.record({
      id: fc.constant('c'),
      name: fc.constant('Test'),
      task: fc.constantFrom(null, 'Notes'),
      closed: mostly(null, fc.constant({ part: 'switch' as const, reason: 'It is closed.' })),
      allowed: anyAccess,
      allowedThen: anyAccess,
      leastTrusted: fc.record({
        connectionName: fc.constant('Somewhere'),
        zone: mostly('local', fc.constantFrom(...TrustZone.options)),
      }),
      raisedDataClass: fc.option(fc.constantFrom(...DataClass.options)),
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
        tools: mostly(null, fc.constantFrom([], ['a'], ['b'])),
        toolGroups: mostly(null, fc.constantFrom([], ['test'], ['other'])),
        configurations: fc.constant(null),
      }),
    }),
  ),
  revoked: fc.constant(nothingRevoked),
  remote: mostly(
    remote({}, 'a'),
    fc.constantFrom(
      new Map(),
      remote({}, 'b'),
      ...[
        { pin: 'q' },
        { held: 'new' as const },
        { held: 'changed' as const },
        { isGone: true },
        { isServerOn: false },
      ].map((facts) => remote(facts, 'a')),
    ),
  ),
  accounts: mostly(
    new Map(),
    fc.constantFrom(
      new Map([['s', { of: 'person' as const, state: 'missing' as const }]]),
      new Map([['other', { of: 'site' as const, state: 'refused' as const }]]),
    ),
  ),
  approvalRules: fc.subarray(rules, { maxLength: 2 }),
  toolApprovals: fc.constantFrom(new Map(), new Map([['a', true]]), new Map([['a', false]])),
  untrustedReads: fc.constantFrom([], ['b']),
  rates: mostly(rated(1), fc.constantFrom(new Map(), rated(2), rated(0, 3))),
  approvalLifetimeMs: fc.constant(3_600_000),
  fourEyes: fc.boolean(),
  starters: fc.constant([]),
  approvers: fc.constant(new Map()),
})

/** A tool `a` of the group `test`, with all that a gate asks of a tool. */
export const anyTool = fc
  .record({
    enabledByDefault: fc.boolean(),
    effect: fc.constantFrom(...Effect.options),
    requiresAdmin: fc.boolean(),
    dataClass: fc.constantFrom(...DataClass.options),
    needs: fc.constantFrom(undefined, 'storage' as const),
    notLoaded: fc.oneof(
      { weight: 7, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: fc.constant('a.mjs cannot be loaded.') },
    ),
    isRemote: fc.boolean(),
  })
  .map(({ isRemote, ...fields }) =>
    // A server's tool needs nothing of the site.
    testTool('a', { ...fields, ...(isRemote && { server: 's', pin: 'p', needs: undefined }) }),
  )
