import fc from 'fast-check'
import { expect, test } from 'vitest'
import { gateNames } from '@/lib/protocol/outcome'
import { admin, member, openSubject, testTool, toolMap } from '@/tests/support/run-fixture'
import { decideTool } from './decide-tool'
import type { Subject, SwitchState } from './subject'

const tool = testTool('fetch_logs', { group: 'system' })
const off: SwitchState = { enabled: false, reason: 'leaks', changedBy: 'Ada', changedAt: 0 }
const on: SwitchState = { ...off, enabled: true, reason: '' }
const overrides = (state: SwitchState) => new Map([[tool.name, state]])

test('a registered, enabled tool is allowed', () => {
  expect(decideTool(tool, openSubject)).toEqual({ allowed: true })
})

test.each([
  ['registered', undefined, {}, 'no tool with exactly this name'],
  ['frozen', tool, { frozen: { by: 'Ada', reason: 'breach' } }, 'stopped by Ada: breach.'],
  ['group', tool, { groupsOff: new Set(['system']) }, 'group "system" is switched off'],
  ['enabled', tool, { overrides: overrides(off) }, 'Switched off for this site by Ada: leaks.'],
  [
    'enabled',
    testTool('raw', { enabledByDefault: false }),
    {},
    'Off until an admin switches it on',
  ],
  ['role', testTool('secret', { requiresAdmin: true }), { actor: member }, 'Only admins'],
  ['role', tool, { actor: null }, 'unknown or disabled'],
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
  ['another group is off', tool, { groupsOff: new Set(['web']) }],
  ['it was picked', tool, { selected: new Set([tool.name]) }],
])('allowed: %s', (_words, asked, subject) => {
  expect(decideTool(asked, { ...openSubject, ...subject })).toEqual({ allowed: true })
})

test('a reason that was not given leaves a whole sentence', () => {
  const verdict = decideTool(tool, {
    ...openSubject,
    overrides: overrides({ ...off, reason: ' ' }),
  })
  expect(verdict).toHaveProperty(
    'reason',
    'Switched off for this site by Ada. Change it under Tools.',
  )
})

/** Every input that a gate looks at, with all its values. */
const subjects: fc.Arbitrary<Subject> = fc.record({
  actor: fc.constantFrom(null, admin, member),
  frozen: fc.constantFrom(null, { by: 'Ada', reason: '' }),
  groupsOff: fc.constantFrom(new Set<string>(), new Set(['test']), new Set(['other'])),
  overrides: fc.constantFrom(
    new Map<string, SwitchState>(),
    new Map([['a', on]]),
    new Map([['a', off]]),
  ),
  selected: fc.constantFrom(null, new Set<string>(), new Set(['a']), new Set(['b'])),
})
const tools = fc
  .record({ enabledByDefault: fc.boolean(), requiresAdmin: fc.boolean() })
  .map((fields) => testTool('a', fields))

const closers: Partial<Subject>[] = [
  { frozen: { by: 'Ada', reason: '' } },
  { groupsOff: new Set(['test']) },
  { overrides: new Map([['a', off]]) },
  { actor: null },
  { selected: new Set<string>() },
]

test('whatever else is said, one no stays a no, and an earlier gate is told first', () => {
  const place = (gate: string) => (gateNames as readonly string[]).indexOf(gate)
  fc.assert(
    fc.property(tools, subjects, fc.constantFrom(...closers), (asked, subject, closer) => {
      const alone = decideTool(testTool('a'), { ...openSubject, ...closer })
      const together = decideTool(asked, { ...subject, ...closer })
      if (alone.allowed || together.allowed) throw new Error('A closed gate was passed.')
      expect(place(together.gate)).toBeLessThanOrEqual(place(alone.gate))
    }),
  )
})

test('the answer is yes only when every single condition holds', () => {
  fc.assert(
    fc.property(tools, subjects, (asked, subject) => {
      const override = subject.overrides.get('a')
      const expected =
        subject.frozen === null &&
        !subject.groupsOff.has('test') &&
        (override ? override.enabled : asked.enabledByDefault) &&
        subject.actor !== null &&
        (!asked.requiresAdmin || subject.actor.role === 'admin') &&
        (subject.selected === null || subject.selected.has('a'))
      expect(decideTool(asked, subject).allowed).toBe(expected)
    }),
  )
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
