import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type ApprovalRule,
  type ArgumentCondition,
  ConditionOperator,
} from '@/lib/protocol/approval'
import type { Effect } from '@/lib/protocol/tool'
import { anyRule } from '@/tests/support/any-rule'
import { conditionIssue, readCondition } from './conditions'
import { matchingRules, refusalOf } from './rules'

const tool = { name: 'send_message', group: 'agents', server: 'mail', effect: 'read' as const }
const run = {
  configuration: { id: 'configuration-1', afterUntrusted: 'ask' as const },
  untrustedReads: [] as string[],
  actor: { userId: 'user-1', groups: ['group-1', 'group-2'] },
  apiKeyId: 'key-1',
  toolApprovals: new Map<string, boolean>(),
}
const condition = (
  path: string,
  operator: ArgumentCondition['operator'],
  value = '',
): ArgumentCondition => ({ path, operator, value })

function rule(fields: Partial<ApprovalRule> = {}): ApprovalRule {
  return { ...anyRule, name: 'Messages', ...fields }
}

function asks(args: unknown, ...approvalRules: ApprovalRule[]): string | null {
  return matchingRules(tool, [args], { ...run, approvalRules })[0]?.name ?? null
}

test('every field that is set has to fit, and the first rule that fits is the one', () => {
  expect(asks({})).toBeNull()
  expect(asks({}, rule())).toBe('Messages')
  expect(asks({}, rule({ toolName: 'send_message' }))).toBe('Messages')
  expect(asks({}, rule({ toolName: 'Send_message' }))).toBeNull()
  expect(asks({}, rule({ toolName: 'send_message', toolGroup: 'web' }))).toBeNull()
  expect(asks({}, rule({ toolGroup: 'agents', configurationId: 'configuration-1' }))).toBe(
    'Messages',
  )
  expect(asks({}, rule({ configurationId: 'another' }))).toBeNull()
  expect(asks({}, rule({ toolGroup: 'web' }), rule({ name: 'B' }), rule({ name: 'C' }))).toBe('B')
  const noConfiguration = { ...run, configuration: null }
  const about = [rule({ configurationId: 'x' })]
  expect(matchingRules(tool, [{}], { ...noConfiguration, approvalRules: about })).toEqual([])
})

test.each([
  ['serverName', 'mail'],
  ['userId', 'user-1'],
  ['groupId', 'group-2'],
  ['apiKeyId', 'key-1'],
] as const)('a rule about %s fits no run of another, and none without one', (field, own) => {
  expect(asks({}, rule({ [field]: own }))).toBe('Messages')
  expect(asks({}, rule({ [field]: 'another' }))).toBeNull()
  expect(asks({}, rule({ [field]: own, toolGroup: 'web' }))).toBeNull()
  const nobody = { configuration: null, actor: null, apiKeyId: null }
  const question = { ...run, ...nobody, approvalRules: [rule({ [field]: own })] }
  expect(matchingRules({ ...tool, server: undefined }, [{}], question)).toEqual([])
})

test('the most restrictive matching rule comes first', () => {
  const rules = (['observe', 'ask-once', 'deny', 'ask'] as const).map((action) =>
    rule({ action, name: action }),
  )
  const found = matchingRules(tool, [{}], { ...run, approvalRules: rules })
  expect(found.map(({ name }) => name)).toEqual(['deny', 'ask', 'ask-once', 'observe'])
  const paths = matchingRules(tool, null, {
    ...run,
    approvalRules: [rule({ action: 'deny', conditions: [condition('$.to', 'exists')] })],
  })
  expect(paths).toHaveLength(1)
})

test('calls of a tool that writes wait, unless an admin said that they need not', () => {
  const request = (effect: Effect, answer?: boolean, ...approvalRules: ApprovalRule[]) => {
    const said = new Map(answer === undefined ? [] : [[tool.name, answer]])
    const question = { ...run, approvalRules, toolApprovals: said }
    return matchingRules({ ...tool, effect }, [{}], question).map(({ id, action }) => [id, action])
  }
  expect(request('write')).toEqual([[null, 'ask']])
  expect(request('write', false)).toEqual([])
  expect(request('idempotent-write')).toEqual([[null, 'ask']])
  expect(request('idempotent-write', false)).toEqual([])
  expect(request('read')).toEqual([])
  expect(request('read', true)).toEqual([[null, 'ask']])
  const rules = (['deny', 'ask-once', 'observe'] as const).map((action) => rule({ action }))
  expect(request('write', undefined, ...rules)).toEqual([
    ['rule-1', 'deny'],
    [null, 'ask'],
    ['rule-1', 'ask-once'],
    ['rule-1', 'observe'],
  ])
})

const args = {
  to: ['ops@example.org', 'max@evil.test'],
  amount: 250,
  text: 'Delete everything',
  urgent: true,
  note: null,
  digits: '1000',
  nested: { list: [{ id: 1 }, { id: 2 }] },
}

test.each([
  ['$.to', 'exists', '', true],
  ['$.note', 'exists', '', true],
  ['$.cc', 'exists', '', false],
  ['$.cc', 'missing', '', true],
  ['$.note', 'missing', '', false],
  ['$.to[*]', 'equals', 'max@evil.test', true],
  ['$.to[0]', 'equals', 'max@evil.test', false],
  ['$.to[2]', 'exists', '', false],
  ['$.amount', 'equals', '250.0', true],
  ['$.urgent', 'equals', 'true', true],
  ['$.note', 'equals', 'null', true],
  ['$.nested.list[0]', 'equals', '{ "id": 1 }', true],
  ['$.nested.list[*].id', 'equals', '2', true],
  ['$.to[*]', 'not-equals', 'ops@example.org', true],
  ['$.amount', 'not-equals', '250', false],
  ['$.cc', 'not-equals', 'ops@example.org', true],
  ['$.text', 'contains', 'everything', true],
  ['$.to', 'contains', 'ops@example.org', true],
  ['$.text', 'not-contains', 'Delete', false],
  ['$.cc', 'not-contains', 'x', true],
  ['$.text', 'starts-with', 'Delete', true],
  ['$.to[*]', 'ends-with', '@evil.test', true],
  ['$.to[*]', 'ends-with', '@example.com', false],
  ['$.amount', 'greater-than', '249', true],
  ['$.amount', 'greater-than', '250', false],
  ['$.digits', 'greater-than', '999', true],
  ['$.text', 'greater-than', '0', true],
  ['$.note', 'greater-than', '0', false],
  ['$.cc', 'greater-than', '0', false],
  ['$.amount', 'less-than', '1e3', true],
  ['$.amount', 'at-least', '250', true],
  ['$.amount', 'at-least', '250.5', false],
  ['$.amount', 'at-most', '250', true],
  ['$.digits', 'at-most', '999', false],
  ['$.cc', 'at-most', '999', false],
  ['$.text', 'matches', '^Delete\\b', true],
  ['$.text', 'matches', '^everything', false],
  ['$.to[*]', 'matches', '@evil\\.test$', true],
  ['$.amount', 'matches', '^\\d{3}$', true],
  ['$.to', 'matches', '.', false],
  ['$.text', 'not-matches', '^[a-z]+$', true],
  ['$.text', 'not-matches', 'every', false],
  ['$.nested', 'not-matches', '.', true],
  ['$.cc', 'not-matches', '.', true],
] as const)('%s %s %s: %s', (path, operator, value, holds) => {
  expect(readCondition(condition(path, operator, value), args).holds).toBe(holds)
})

test.each([
  [[101]],
  [{ a: 101 }],
  ['٢٠٠'],
  ['1,001'],
  ['1e3'],
  ['0x65'],
  ['1_001'],
  ['many'],
  [''],
  [true],
])('what is no plain number fits whatever it is compared with: %j', (amount) => {
  for (const operator of ['greater-than', 'at-least', 'less-than', 'at-most'] as const)
    expect(readCondition(condition('$.amount', operator, '100'), { amount }).holds).toBe(true)
})

test('a condition that cannot be read, or looks at too much, counts as fitting', () => {
  const never = condition('$.cc', 'exists')
  expect(asks(args, rule({ conditions: [never] }))).toBeNull()
  for (const broken of [
    condition('$..to', 'exists'),
    condition('', 'equals', 'x'),
    condition('$.amount', 'greater-than', 'many'),
    condition('$.text', 'matches', '('),
    condition('$.text', 'matches', '(a)\\1'),
    condition('$.text', 'not-matches', 'x'.repeat(501)),
    condition('$.text', 'host-not', 'example.org/path'),
    condition('$.text', 'path-under', 'reports'),
  ]) {
    expect(asks(args, rule({ conditions: [broken] }))).toBe('Messages')
    expect(asks(args, rule({ conditions: [never, broken] }))).toBe('Messages')
  }
  const wide = { list: Array.from({ length: 30_000 }, () => 1) }
  expect(asks(wide, rule({ conditions: [condition('$.list[*]', 'equals', '2')] }))).toBe('Messages')
  const long = { text: 'b'.repeat(100_001) }
  expect(asks(long, rule({ conditions: [condition('$.text', 'matches', 'a')] }))).toBe('Messages')
  let deep: unknown = 1
  for (let depth = 0; depth < 50_000; depth++) deep = [deep]
  expect(asks({ deep }, rule({ conditions: [condition('$.deep', 'equals', '1')] }))).toBe(
    'Messages',
  )
})

test('a pattern takes time that grows with the text alone', () => {
  const slow = condition('$.text', 'matches', '^(a+)+$')
  expect(readCondition(slow, { text: `${'a'.repeat(90_000)}b` }).holds).toBe(false)
})

test('a condition says which values it cannot be compared with', () => {
  const issueOf = (operator: ArgumentCondition['operator'], value: string) =>
    conditionIssue(condition('$.x', operator, value))
  expect(issueOf('matches', '[')).toContain('This pattern cannot be used:')
  expect(issueOf('not-matches', 'a'.repeat(501))).toContain('it has more than 500 characters')
  expect(issueOf('matches', '^a{2,3}$')).toBeNull()
  expect(issueOf('host-is', 'https://example.org')).toContain('Enter a host')
  expect(issueOf('host-not', '*.example.org')).toBeNull()
  expect(issueOf('path-under', 'reports')).toContain('Enter an absolute path')
  expect(issueOf('path-not-under', 'C:\\reports')).toBeNull()
})

test('a refusal names the conditions that decided, and what the call has there', () => {
  const inFolder = condition('$.path', 'path-not-under', '/srv/reports')
  const only = rule({ name: 'Only the reports folder', conditions: [inFolder] })
  expect(refusalOf(only, [{ path: '/srv/reports/../secrets' }])).toEqual({
    allowed: false,
    gate: 'rule',
    told: 'The rule "Only the reports folder" refuses it: $.path is not under "/srv/reports". The call has "/srv/reports/../secrets" at $.path.',
    reason:
      'The rule "Only the reports folder" refuses it: $.path is not under "/srv/reports". The call has "/srv/reports/../secrets" at $.path. An admin can change the rule.',
  })
  const two = rule({
    conditions: [condition('$.amount', 'at-least', '5'), condition('$.cc', 'missing')],
  })
  expect(refusalOf(two, [{ amount: 7 }]).told).toBe(
    'The rule "Messages" refuses it: $.amount is at least "5" and $.cc is missing. The call has 7 at $.amount and nothing at $.cc.',
  )
  const long = refusalOf(only, [{ path: `/\u0007${'x'.repeat(5_000)}` }]).told ?? ''
  expect(long.length).toBeLessThan(400)
  expect(long).toContain('…')
  const general = 'The rule "Messages" refuses it. An admin can change the rule.'
  expect(refusalOf(rule(), [{}])).toEqual({ allowed: false, gate: 'rule', reason: general })
  expect(refusalOf(two, null)).toEqual({ allowed: false, gate: 'rule', reason: general })
})

const hostileName = fc.constantFrom(
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'length',
  'hasOwnProperty',
  'valueOf',
)

test('only own properties are found, whatever the path says', () => {
  fc.assert(
    fc.property(
      fc.jsonValue(),
      fc.array(hostileName, { minLength: 1, maxLength: 4 }),
      (value, names) => {
        const path = `$${names.map((name) => `['${name}']`).join('')}`
        const own = names.reduce<unknown>(
          (inner, name) =>
            typeof inner === 'object' && inner !== null && !Array.isArray(inner)
              ? Object.getOwnPropertyDescriptor(inner, name)?.value
              : undefined,
          value,
        )
        expect(readCondition(condition(path, 'exists'), value).holds).toBe(own !== undefined)
      },
    ),
  )
})

test('hostile rules and arguments neither throw nor change anything', () => {
  const anyCondition = fc.record({
    path: fc.oneof(
      fc.constantFrom('$', '$[*][*][*]', '$.a[*]', "$['__proto__']", '$.constructor.prototype'),
      fc.string({ unit: fc.constantFrom(...".[]'*$\\0a_"), maxLength: 60 }),
    ),
    operator: fc.constantFrom(...ConditionOperator.options),
    value: fc.string(),
  })
  fc.assert(
    fc.property(fc.jsonValue(), fc.array(anyCondition, { maxLength: 10 }), (value, conditions) => {
      const before = JSON.stringify(value)
      const [request, only] = [rule({ conditions }), rule({ name: 'Last' })]
      const answer = asks(value, request, only)
      // A rule never takes away what another one asks for.
      expect(['Messages', 'Last']).toContain(answer)
      expect(JSON.stringify(value)).toBe(before)
      expect(Object.keys(Object.prototype)).toEqual([])
    }),
  )
})

test.each([
  ['https://example.org/a', []],
  ['https://other.example/a', ['deny']],
  ['https://example.org\\\\@other.example', ['deny']],
  [['https://example.org'], ['deny']],
  [null, ['deny']],
])('skills that allow fetch_url for example.org allow %j: %j', (url, refused) => {
  const fetch = { name: 'fetch_url', group: 'web', effect: 'read' as const }
  const grantedBySkills = new Set(['WebFetch(domain:example.org)'])
  const configuration = { ...run.configuration, grantedBySkills }
  const question = { ...run, configuration, approvalRules: [] }
  expect(matchingRules(fetch, [{ url }], question).map(({ action }) => action)).toEqual(refused)
})
