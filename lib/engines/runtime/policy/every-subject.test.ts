import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RemoteState } from '@/lib/domains/servers/shared/remote-state'
import { noLimits } from '@/lib/protocol/key-limits'
import { DataClass, gateNames, type ToolMeta } from '@/lib/protocol/tool'
import { type ToolAccess, toolAccess } from '@/lib/protocol/tool-access'
import {
  anySubject,
  anyTool,
  groupOff,
  off,
  rated,
  refusing,
  remote,
  storage,
} from '@/tests/support/any-subject'
import {
  admin,
  subjectConfiguration as configuration,
  member,
  openSubject,
  testTool,
} from '@/tests/support/run-fixture'
import { decideTool } from './decide-tool'
import type { Subject } from './subject'

const classes = DataClass.options
const limits = { local: 5, private: 4, 'external-eu': 3, 'external-global': 1 } as const

function isAsAccepted(state: RemoteState | undefined): boolean {
  return state?.pin === 'p' && state.held === null && !state.isGone && state.isServerOn
}

const onlyB = toolAccess({ allowedToolGroups: [], allowedTools: ['b'] })

const denyingSubjects: Partial<Subject>[] = [
  { present: new Set() },
  { frozen: { by: 'Ada', reason: '' } },
  { groupsOff: groupOff('test') },
  { overrides: new Map([['a', off]]) },
  { actor: null },
  { actor: { ...admin, limitedBy: [{ name: 'B', limits: { tools: ['b'], toolGroups: [] } }] } },
  { configuration: configuration({ allowed: onlyB }) },
  { configuration: configuration({ allowedThen: onlyB }) },
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
  { accounts: new Map([['s', { of: 'person', state: 'missing' }]]) },
]

test('one gate that denies denies the tool whatever the others say, and the first such gate is named', () => {
  const place = (gate: string) => (gateNames as readonly string[]).indexOf(gate)
  fc.assert(
    fc.property(
      anyTool,
      anySubject,
      fc.constantFrom(...denyingSubjects),
      (input, subject, closer) => {
        const open = { ...openSubject, present: storage }
        const { needs, notLoaded, server, pin, effect } = input
        const plain = testTool('a', {
          needs,
          notLoaded,
          effect,
          ...(server && pin && { server, pin }),
        })
        const alone = decideTool(plain, { ...open, remote: remote({}, 'a'), ...closer })
        if (alone.allowed) return fc.pre(false)
        const together = decideTool(input, { ...subject, ...closer })
        if (together.allowed) throw new Error('A closed gate was passed.')
        expect(place(together.gate)).toBeLessThanOrEqual(place(alone.gate))
      },
    ),
  )
})

test('the answer is yes only when every single condition holds', () => {
  fc.assert(
    fc.property(anyTool, anySubject, (input, subject) => {
      expect(decideTool(input, subject).allowed).toBe(isAllowed(input, subject))
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

/** Returns whether no list is given, or the group or the name is in one of them. */
function allowsA(access: ToolAccess | undefined): boolean {
  if (!access || (access.groups === null && access.tools.size === 0)) return true
  return access.groups?.has('test') === true || access.tools.has('a')
}

/** Returns what SPEC G says, written again without order and words. */
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
    (subject.actor.limitedBy.length === 0 ||
      subject.actor.limitedBy.some(({ name }) => name !== 'B')) &&
    !chosen?.closed &&
    allowsA(chosen?.allowed) &&
    allowsA(chosen?.allowedThen) &&
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
        (groupId === null || subject.actor?.groups.includes(groupId) === true) &&
        (apiKeyId === null || apiKeyId === subject.apiKeyId),
    ) &&
    (chosen?.afterUntrusted !== 'refuse' ||
      tool.effect === 'read' ||
      subject.untrustedReads.length === 0) &&
    (tool.server === undefined || !subject.accounts.has(tool.server))
  )
}
