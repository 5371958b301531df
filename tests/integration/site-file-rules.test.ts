import { afterEach, beforeAll, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { addGroupMember, groupVerbs } from '@/lib/domains/groups/verbs'
import { deleteUser } from '@/lib/domains/users/verbs'
import { approvalRuleVerbs, createApiKey, limitGroup } from '@/lib/joined-verbs'
import type { Ctx } from '@/lib/kernel/context'
import { applySite } from '@/lib/site-file/apply-site'
import { exportSite } from '@/lib/site-file/export-site'
import { parseSiteFile } from '@/lib/site-file/parse-site-file'
import { planSite } from '@/lib/site-file/plan-site'
import { limitTool } from '@/lib/toolset/tools/tool-verbs'
import { rulesOf } from '@/tests/support/approval-site'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'
import { addRunSite } from '@/tests/support/run-site'

let admin: Ctx
let configuration: string

beforeAll(async () => {
  const site = await addRunSite('http://127.0.0.1:9/v1')
  admin = site.admin
  configuration = site.configuration
})
afterEach(async () => {
  await db().approvalRule.deleteMany()
  await db().group.deleteMany()
  await db().toolLimit.deleteMany()
  await db().auditEntry.deleteMany()
})

const file = (parts: object) => parseSiteFile(stringify({ toolgate: 2, ...parts }))
const plan = (parts: object) => planSite(admin, file(parts))
const apply = (parts: object) => applySite(admin, file(parts), { reason: 'a release' })
const rulePlan = (rule: object) => plan({ approvalRules: [{ name: 'New', ...rule }] })

/** Returns the actions of the audit, with the states after them, the oldest first. */
async function audited() {
  const entries = await db().auditEntry.findMany({ orderBy: { id: 'asc' } })
  return entries.flatMap(({ action, after }) =>
    action === 'site.apply' ? [] : [{ action, after }],
  )
}

const member = async (groupId: string) =>
  addGroupMember(admin, { groupId, userId: (await addPerson('member')).actor.userId })

test('an export has rules, groups and limits; it changes nothing here, and makes them again elsewhere', async () => {
  const group = await groupVerbs.create(admin, { name: 'Support', description: 'First line' })
  await member(group.id)
  await limitGroup(admin, { id: group.id, tools: ['fetch_logs'], toolGroups: ['system'] })
  await groupVerbs.create(admin, { name: 'Readers' })
  const { id: apiKeyId, prefix } = await createApiKey(admin, { name: 'CI', scopes: ['runs:write'] })
  const person = await addPerson('member')
  const { id: configurationId } = await db().configuration.findFirstOrThrow({
    where: { identifier: configuration },
  })
  const whole = {
    name: 'All of it',
    toolName: 'fetch_logs',
    toolGroup: 'system',
    action: 'ask' as const,
    configurationId,
    userId: person.actor.userId,
    groupId: group.id,
    apiKeyId,
    fourEyes: true,
    enabled: false,
    conditions: [{ path: '$.level', operator: 'equals' as const, value: 'debug' }],
  }
  await approvalRuleVerbs.create(admin, whole)
  for (const action of ['deny', 'ask-once', 'observe'] as const)
    await approvalRuleVerbs.create(admin, { name: action, toolGroup: 'system', action })
  await limitTool(admin, { name: 'fetch_logs', perMinute: 20, perRun: null })
  const text = await exportSite(admin)
  const { approvalRules, groups, toolLimits } = parse(text)
  expect(groups).toEqual([
    { name: 'Readers', description: '', tools: null, toolGroups: null },
    {
      name: 'Support',
      description: 'First line',
      tools: ['fetch_logs'],
      toolGroups: ['system'],
    },
  ])
  expect(toolLimits).toEqual([{ name: 'fetch_logs', perMinute: 20, perRun: null }])
  const { configurationId: _, userId: __, groupId: ___, apiKeyId: ____, ...facts } = whole
  expect(approvalRules).toHaveLength(4)
  expect(approvalRules[0]).toEqual({
    ...facts,
    serverName: null,
    configuration,
    person: person.actor.email,
    personGroup: 'Support',
    apiKey: prefix,
  })
  const nothing = { steps: [], problems: [], notices: [] }
  expect(await planSite(admin, parseSiteFile(text))).toMatchObject(nothing)

  const before = await rulesOf(admin)
  await db().approvalRule.deleteMany()
  await db().group.deleteMany()
  await db().toolLimit.deleteMany()
  await applySite(admin, parseSiteFile(text), { reason: 'a release' })
  const changing = { id: expect.any(String), createdAt: expect.any(String) }
  expect(await rulesOf(admin)).toEqual(
    before.map((rule) => ({
      ...rule,
      ...changing,
      updatedAt: expect.any(String),
      personGroup: rule.personGroup && { ...rule.personGroup, id: expect.any(String) },
    })),
  )
  expect(await groupVerbs.read(admin, { id: 'Support' })).toMatchObject({
    limits: { tools: ['fetch_logs'], toolGroups: ['system'] },
    people: [],
  })
  expect(await planSite(admin, parseSiteFile(text))).toMatchObject(nothing)
})

test.each([
  [{ toolName: 'fetch_log' }, 'There is no tool "fetch_log". Did you mean "fetch_logs"?'],
  [{ toolGroup: 'sistem' }, 'There is no tool group "sistem". Did you mean "system"?'],
  [{ serverName: 'files' }, 'There is no MCP server "files".'],
  [{ configuration: 'nowhere' }, 'The rule New needs the configuration nowhere, which does not'],
  [{ person: 'who@example.org' }, 'The rule New needs the account who@example.org, which does not'],
  [{ personGroup: 'Nobody' }, 'The rule New needs the group Nobody, which does not exist'],
  [{ apiKey: 'tg_unknown' }, 'The rule New needs the API key tg_unknown, which does not exist'],
  [{ action: 'deny' }, 'The rule New: Pick what the rule is about, or add a condition.'],
  [
    { configuration: null, action: 'deny' },
    'The rule New: Pick what the rule is about, or add a condition.',
  ],
  [
    { toolName: 'fetch_logs', action: 'deny', fourEyes: true },
    'Only a rule that asks can require four eyes',
  ],
  [
    { conditions: [{ path: '$.a', operator: 'matches', value: '(' }] },
    'The rule New: This pattern cannot be used',
  ],
])('a rule with %j is a problem that names it, and nothing is applied', async (rule, sentence) => {
  const { problems } = await rulePlan(rule)
  expect(problems).toEqual([expect.stringContaining(sentence)])
  await expect(apply({ approvalRules: [{ name: 'New', ...rule }] })).rejects.toThrow(sentence)
  expect(await rulesOf(admin)).toEqual([])
})

test('a file says of each condition whether it is loose, and changes nothing when it is applied again', async () => {
  const boss = { path: '$.to', operator: 'equals', value: 'boss@example.org' }
  const loose = { ...boss, loose: true }
  const rules = (conditions: object[]) => ({
    approvalRules: [{ name: 'Boss', action: 'deny', toolName: 'fetch_url', conditions }],
  })
  for (const conditions of [[boss], [{ ...boss, loose: false }], [loose]]) {
    await apply(rules(conditions))
    expect(await rulesOf(admin)).toMatchObject([
      { conditions: [conditions[0] === loose ? loose : boss] },
    ])
    expect((await plan(rules(conditions))).steps).toEqual([])
  }
  const [first] = parse(await exportSite(admin)).approvalRules
  expect(first.conditions).toEqual([loose])
})

test('a change that leaves a rule about nothing is a problem, too', async () => {
  await approvalRuleVerbs.create(admin, { name: 'Logs', toolName: 'fetch_logs' })
  const { problems } = await plan({ approvalRules: [{ name: 'Logs', toolName: null }] })
  expect(problems).toEqual([expect.stringContaining('The rule Logs: Pick what the rule is about')])
  const other = await plan({ approvalRules: [{ name: 'Logs', action: 'deny' }] })
  expect(other.problems).toEqual([])
})

test('a file may name what it adds: a group in configurations and rules, a server in rules', async () => {
  const parts = {
    servers: [{ name: 'files', kind: 'stdio', command: 'true' }],
    groups: [{ name: 'Fresh', tools: ['fetch_logs'] }],
    configurations: [{ identifier: configuration, groups: ['Fresh'] }],
    approvalRules: [
      { name: 'Files', serverName: 'files', action: 'deny' },
      { name: 'Fresh ones', personGroup: 'Fresh', action: 'ask', fourEyes: true },
    ],
  }
  expect((await plan(parts)).problems).toEqual([])
  await apply(parts)
  expect(await rulesOf(admin)).toMatchObject([
    { name: 'Files', serverName: 'files', missing: [] },
    { name: 'Fresh ones', personGroup: { name: 'Fresh' }, fourEyes: true },
  ])
  expect(await groupVerbs.read(admin, { id: 'Fresh' })).toMatchObject({
    configurations: [configuration],
    limits: { tools: ['fetch_logs'], toolGroups: null },
  })
  expect(await plan(parts)).toMatchObject({ steps: [], problems: [] })
  await apply({ configurations: [{ identifier: configuration, groups: [] }] })
  await db().server.deleteMany()
})

test('rules become stricter before anything becomes milder', async () => {
  for (const name of ['A', 'B', 'C'])
    await approvalRuleVerbs.create(admin, { name, toolName: 'fetch_logs', fourEyes: true })
  await approvalRuleVerbs.create(admin, { name: 'D', toolName: 'get_env', enabled: false })
  await db().auditEntry.deleteMany()
  await apply({
    approvalRules: [
      { name: 'A', action: 'observe', fourEyes: false },
      { name: 'B', enabled: false },
      { name: 'C', action: 'deny', fourEyes: false },
      { name: 'D', enabled: true },
      { name: 'E', toolName: 'get_env', action: 'deny' },
    ],
  })
  expect(await audited()).toMatchObject([
    { action: 'approval-rule.update', after: { action: 'deny', fourEyes: false } },
    { action: 'approval-rule.switch-on' },
    { action: 'approval-rule.create', after: { name: 'E' } },
    { action: 'approval-rule.update', after: { action: 'observe', fourEyes: false } },
    { action: 'approval-rule.switch-off' },
  ])
})

test('a limit takes away first and gives last, of groups and of tools', async () => {
  const { id } = await groupVerbs.create(admin, { name: 'Support' })
  await limitGroup(admin, { id, tools: ['fetch_logs', 'get_env'], toolGroups: null })
  await limitTool(admin, { name: 'fetch_logs', perMinute: 20, perRun: 3 })
  await db().auditEntry.deleteMany()
  const parts = {
    groups: [{ name: 'Support', description: 'New', tools: ['get_env', 'list_groups'] }],
    toolLimits: [
      { name: 'fetch_logs', perMinute: 5, perRun: null },
      { name: 'get_env', perRun: 2 },
    ],
  }
  await apply(parts)
  expect(await audited()).toMatchObject([
    { action: 'tool.limit', after: { perMinute: 5, perRun: 3 } },
    { action: 'tool.limit', after: { perMinute: null, perRun: 2 } },
    { action: 'group.limit', after: { tools: ['get_env'], toolGroups: null } },
    { action: 'group.update', after: { description: 'New' } },
    { action: 'tool.limit', after: { perMinute: 5, perRun: null } },
    { action: 'group.limit', after: { tools: ['get_env', 'list_groups'] } },
  ])
  expect(await plan(parts)).toMatchObject({ steps: [], problems: [] })
  await apply({ toolLimits: [{ name: 'get_env', perRun: null }] })
  expect(await db().toolLimit.findMany({ where: { toolName: 'get_env' } })).toEqual([])
})

test('a group that limits to tools or a tool group and one that limits nobody keep nothing open meanwhile', async () => {
  const { id } = await groupVerbs.create(admin, { name: 'Support' })
  await limitGroup(admin, { id, tools: ['fetch_logs'], toolGroups: null })
  await db().auditEntry.deleteMany()
  await apply({ groups: [{ name: 'Support', tools: null, toolGroups: ['system'] }] })
  expect(await audited()).toMatchObject([
    { action: 'group.limit', after: { tools: [], toolGroups: [] } },
    { action: 'group.limit', after: { tools: null, toolGroups: ['system'] } },
  ])
})

test.each([
  [{ groups: [{ name: 'New', tools: ['fetch_log'] }] }, 'The group New needs the tool fetch_log'],
  [{ groups: [{ name: 'New', toolGroups: ['x'] }] }, 'The group New needs the tool group x'],
  [{ toolLimits: [{ name: 'x', perRun: 1 }] }, 'A limit under toolLimits needs the tool x'],
  [{ toolApprovals: [{ name: 'x', asks: true }] }, 'toolApprovals needs the tool x'],
])('%j names what does not exist', async (parts, sentence) => {
  expect((await plan(parts)).problems).toEqual([expect.stringContaining(sentence)])
})

test('a rule about a deleted account never becomes one about everybody', async () => {
  const gone = await addPerson('member')
  const { userId } = gone.actor
  const rule = { name: 'Gone', toolName: 'fetch_logs', action: 'deny' as const, userId }
  await approvalRuleVerbs.create(admin, rule)
  await deleteUser(admin, { userId })
  const text = await exportSite(admin)
  expect(await planSite(admin, parseSiteFile(text))).toMatchObject({ steps: [], problems: [] })
  await db().approvalRule.deleteMany()
  const { problems } = await planSite(admin, parseSiteFile(text))
  expect(problems).toEqual([
    expect.stringMatching(/^The rule Gone needs the account .* which does not exist on this site/),
  ])
})
