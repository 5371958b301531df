import { describe, expect, test } from 'vitest'
import { everything } from '@/lib/protocol/tool-access'
import { refusing } from '@/tests/support/any-subject'
import { testTool } from '@/tests/support/run-fixture'
import { approvalsWithDraft, PolicyDraft } from './policy-draft'
import { type ApprovalSite, lostWays } from './ways-out'

const ada = { id: 'ada', email: 'ada@example.org', role: 'admin', groups: [] } as const
const bob = { ...ada, id: 'bob', email: 'bob@example.org' } as const
const eve = { id: 'eve', email: 'eve@example.org', role: 'member', groups: ['staff'] } as const
const configuration = {
  ...everything,
  id: '0198c0de-0000-7000-8000-000000000001',
  name: 'Support',
  fourEyes: false,
  afterUntrusted: 'allow',
  groups: ['staff'],
} as const
const write = testTool('transfer_money', { effect: 'write' })
const read = testTool('list_users', { effect: 'read' })
const limited = { name: 'Readers', limits: { tools: ['list_users'], toolGroups: null } }
const asking = { ...refusing, action: 'ask' } as const
const site: ApprovalSite = {
  people: [ada, bob, eve],
  groups: new Map<string, typeof limited | { name: string; limits: null }>([
    ['staff', { name: 'Staff', limits: null }],
    ['readers', limited],
  ]),
  configurations: [configuration],
  approvalRules: [],
  toolApprovals: new Map(),
  keyOwners: new Map(),
  schedules: [],
  tools: [write, read],
}
const secondPerson: ApprovalSite = {
  ...site,
  configurations: [{ ...configuration, fourEyes: true }],
}
const inGroup = (person: ApprovalSite['people'][number], group: string) => ({
  ...person,
  groups: [...person.groups, group],
})

describe('a change leaves nobody to approve', () => {
  test('when a configuration asks for a second person and one admin is there', () => {
    const alone = { people: [ada, eve] }
    expect(lostWays({ ...site, ...alone }, { ...secondPerson, ...alone })).toEqual([
      'Nobody could approve calls of transfer_money in runs of ada@example.org: the configuration Support requires a second person, and no other admin can sign in. They would wait until they are denied.',
    ])
  })

  test('when the other admin is disabled, or is an admin no longer', () => {
    const left = lostWays(secondPerson, { ...secondPerson, people: [ada, eve] })
    expect(left).toHaveLength(1)
    const demoted = { ...bob, role: 'member' } as const
    expect(lostWays(secondPerson, { ...secondPerson, people: [ada, demoted, eve] })).toEqual(left)
  })

  test('when the groups of every admin forbid the tool, for all who may call it', () => {
    const people = [inGroup(ada, 'readers'), inGroup(bob, 'readers'), eve]
    expect(lostWays(secondPerson, { ...secondPerson, people })).toEqual([
      'Nobody could approve calls of transfer_money in runs of eve@example.org: the configuration Support requires a second person, and no other admin may use it. They would wait until they are denied.',
    ])
  })

  test('when a rule asks for a second person, with each tool that it is about', () => {
    const people = [ada]
    const rule = { ...asking, id: 'r', name: 'Money', fourEyes: true }
    const after = { ...site, people, approvalRules: [rule] }
    const [sentence, ...others] = lostWays({ ...site, people }, after)
    expect(others).toEqual([])
    expect(sentence).toContain(
      'calls of transfer_money and list_users in runs of ada@example.org: the rule "Money"',
    )
    expect(
      lostWays({ ...site, people }, { ...after, approvalRules: [{ ...rule, userId: 'eve' }] }),
    ).toEqual([])
  })

  test('when the two admins are the person and the author of a schedule (SPEC A10)', () => {
    const schedule = {
      name: 'Nightly',
      configurationId: configuration.id,
      userId: 'ada',
      authors: ['bob'],
    }
    const schedules = [schedule]
    expect(lostWays({ ...site, schedules }, { ...secondPerson, schedules })).toEqual([
      expect.stringContaining('in runs of the schedule Nightly'),
    ])
    expect(
      lostWays(
        { ...site, schedules: [{ ...schedule, authors: [] }] },
        { ...secondPerson, schedules: [{ ...schedule, authors: [] }] },
      ),
    ).toEqual([])
  })

  test('when a rule about an API key asks for a second person, and the only admin owns it', () => {
    const approvalRules = [{ ...asking, name: 'Key', fourEyes: true, apiKeyId: 'k' }]
    const keyOwners = new Map([['k', 'ada']])
    const people = [ada, eve]
    expect(lostWays({ ...site, people }, { ...site, people, approvalRules, keyOwners })).toEqual([
      expect.stringContaining('in runs of ada@example.org: the rule "Key"'),
    ])
  })
})

describe('nothing is lost', () => {
  const people = [ada, eve]

  test('while the person of a run may decide', () => {
    const approvalRules = [{ ...asking, name: 'All' }]
    expect(lostWays({ ...site, people }, { ...site, people, approvalRules })).toEqual([])
  })

  test('when nobody could approve before either', () => {
    expect(lostWays({ ...secondPerson, people }, { ...secondPerson, people })).toEqual([])
    expect(lostWays({ ...secondPerson, people }, { ...secondPerson, people: [ada] })).toEqual([])
  })

  test('of calls that do not wait, that no configuration allows, or that a rule refuses', () => {
    const before = { ...site, people }
    const after = { ...secondPerson, people }
    const toolApprovals = new Map([['transfer_money', false]])
    expect(lostWays({ ...before, toolApprovals }, { ...after, toolApprovals })).toEqual([])
    const configurations = [{ ...configuration, fourEyes: true, allowedToolGroups: [] }]
    expect(lostWays(before, { ...after, configurations })).toEqual([])
    const approvalRules = [refusing]
    expect(lostWays({ ...before, approvalRules }, { ...after, approvalRules })).toEqual([])
    const some = [{ ...refusing, conditions: [{ path: '$.a', operator: 'exists', value: '' }] }]
    expect(
      lostWays(
        { ...before, approvalRules: some as ApprovalSite['approvalRules'] },
        { ...after, approvalRules: some as ApprovalSite['approvalRules'] },
      ),
    ).toHaveLength(1)
  })
})

test('a draft changes rules, approvals, rights of configurations, limits and groups of people', () => {
  const groupId = '0198c0de-0000-7000-8000-000000000002'
  const userId = '0198c0de-0000-7000-8000-000000000003'
  const draft = PolicyDraft.parse({
    rules: [{ id: 'r', rule: { ...asking, name: 'Money' } }],
    toolApprovals: [{ name: 'transfer_money', asks: false }],
    configurations: [{ id: configuration.id, fourEyes: true }],
    groups: [{ id: groupId, limits: limited.limits }],
    people: [{ id: userId, joins: [groupId], leaves: ['0198c0de-0000-7000-8000-000000000004'] }],
  })
  const known = {
    ...site,
    groups: new Map([[groupId, { name: 'Readers', limits: null }]]),
    people: [{ ...ada, id: userId, groups: ['0198c0de-0000-7000-8000-000000000004'] }, bob],
  }
  const after = approvalsWithDraft(known, draft)
  expect(after.approvalRules).toEqual([{ ...asking, id: 'r', name: 'Money' }])
  expect([...after.toolApprovals]).toEqual([['transfer_money', false]])
  expect(after.configurations).toEqual([{ ...configuration, fourEyes: true }])
  expect(after.groups.get(groupId)).toEqual(limited)
  expect(after.people).toEqual([{ ...ada, id: userId, groups: [groupId] }, bob])
  const open = PolicyDraft.parse({ groups: [{ id: groupId, limits: null }] })
  expect(approvalsWithDraft(after, open).groups.get(groupId)?.limits).toBe(null)
})
