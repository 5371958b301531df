import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { groupVerbs } from '@/lib/domains/groups/verbs'
import { approvalRuleVerbs, governConfiguration, policyCaseVerbs } from '@/lib/joined-verbs'
import type { Ctx } from '@/lib/kernel/context'
import { confirmationCookie } from '@/lib/protocol/typed-confirmation'
import { applySite } from '@/lib/site-file/apply-site'
import { exportSite } from '@/lib/site-file/export-site'
import { parseSiteFile } from '@/lib/site-file/parse-site-file'
import { judgePlan } from '@/lib/site-file/plan-cases'
import { planSite } from '@/lib/site-file/plan-site'
import { keepingWaysOut } from '@/lib/toolset/policy/keep-ways-out'
import { switchTool } from '@/lib/toolset/tools/tool-verbs'
import { apiKeyOf, askApi } from '@/tests/support/api-client'
import { addConfiguration } from '@/tests/support/configuration-fixture'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'
import { toolgate } from '@/tests/support/toolgate-process'

let admin: Ctx
let member: Ctx
let configuration = ''
let support = ''

const unconfirmed = keepingWaysOut({ nobodyLeft: null, brokenCases: null })
const withReason = (typed: string) => keepingWaysOut({ nobodyLeft: null, brokenCases: { typed } })

let serial = 0

/** Adds an admin, a group with a member, and a configuration that the group may use. */
beforeEach(async () => {
  await db().policyCase.deleteMany()
  await db().toolOverride.deleteMany({ where: { toolName: 'calculate' } })
  await db().approvalRule.deleteMany()
  serial += 1
  ;[admin, member] = await Promise.all([addPerson('admin'), addPerson('member')])
  configuration = await addConfiguration(admin)
  support = (await groupVerbs.create(admin, { name: `Support ${serial}` })).id
  await db().configurationGroup.create({
    data: { configurationId: configuration, groupId: support },
  })
  await db().groupMember.create({ data: { groupId: support, userId: member.actor.userId } })
})

const verdictOf = async (id: string) => {
  const { verdict, says } = await policyCaseVerbs.read(admin, { id })
  return [verdict, says] as const
}

async function addKey(): Promise<string> {
  await apiKeyOf(member, 'runs:write')
  const { id } = await db().apiKey.findFirstOrThrow({ where: { userId: member.actor.userId } })
  return id
}

type Fields = Omit<Parameters<typeof policyCaseVerbs.create>[1], 'name' | 'toolName'>

const addCase = async (fields: Fields & { name?: string; toolName?: string }) => {
  const { name = `Case ${serial}`, toolName = 'calculate', ...rest } = fields
  const given = { name, toolName, configurationId: configuration, ...rest }
  return (await policyCaseVerbs.create(admin, given)).id
}

const sums = { expression: '1+1' }

test('a case says what a call of a person, of a group and of a key comes to, and why', async () => {
  const apiKeyId = await addKey()
  for (const who of [{ userId: member.actor.userId }, { groupId: support }, { apiKeyId }]) {
    const name = `Sums of ${JSON.stringify(who)}`.slice(0, 60)
    const id = await addCase({ ...who, name, arguments: sums, expects: 'allowed' })
    expect(await verdictOf(id)).toEqual(['passed', 'The call starts without a question.'])
  }
  const asks = await addCase({
    name: 'Mail asks',
    groupId: support,
    toolName: 'append_memory',
    expects: 'allowed',
  }).catch((error: unknown) => error)
  expect(asks).toMatchObject({ fields: { toolName: expect.stringContaining('append_memory') } })
})

test('rules decide by the arguments, and the gate that refuses has to be the named one', async () => {
  await approvalRuleVerbs.create(admin, {
    name: 'No powers',
    toolName: 'calculate',
    action: 'deny',
    conditions: [{ path: '$.expression', operator: 'contains', value: '^' }],
  })
  const who = { groupId: support, expects: 'refused' as const }
  const refused = await addCase({
    ...who,
    name: 'A',
    arguments: { expression: '2^8' },
    gate: 'rule',
  })
  const allowed = await addCase({ ...who, name: 'B', arguments: sums })
  const other = await addCase({
    ...who,
    name: 'C',
    arguments: { expression: '2^8' },
    gate: 'trust-zone',
  })
  const unfit = await addCase({ ...who, name: 'D', arguments: { sum: 1 } })
  expect(await verdictOf(refused)).toEqual([
    'passed',
    expect.stringMatching(
      /^The call is refused \(rules\): The rule "No powers" refuses it: .*contains/,
    ),
  ])
  expect(await verdictOf(allowed)).toEqual([
    'failed',
    'Expected: the call is refused. The call starts without a question.',
  ])
  expect((await verdictOf(other))[1]).toMatch(/^Expected: the call is refused \(trust zone\)\./)
  expect((await verdictOf(unfit))[1]).toContain('The tool does not accept the arguments')
})

test('a change that breaks a case is refused, and made with a reason that the audit keeps', async () => {
  const id = await addCase({ groupId: support, arguments: sums, expects: 'allowed' })
  const off = { name: 'calculate', enabled: false, reason: 'leaks' }
  await expect(switchTool({ ...admin, ...unconfirmed }, off)).rejects.toMatchObject({
    code: 'breaks-policy-cases',
    status: 409,
    message: expect.stringMatching(
      /^This change breaks the policy case "Case \d+"\. Expected: the call starts without a question\. The call is refused \(switch\): /,
    ),
  })
  expect((await verdictOf(id))[0]).toBe('passed')
  await switchTool({ ...admin, ...withReason('Agreed with Kim') }, off)
  expect((await verdictOf(id))[0]).toBe('failed')
  const entry = await db().auditEntry.findFirst({
    where: { objectId: 'calculate', action: 'tool.switch-off', actorId: admin.actor.userId },
  })
  expect(entry?.after).toMatchObject({
    brokenCases: [`Case ${serial}`],
    breakReason: 'Agreed with Kim',
  })
  // It fails already, so that a further change breaks nothing.
  const rule = { name: 'Also', toolName: 'calculate', action: 'deny' as const }
  await approvalRuleVerbs.create({ ...admin, ...unconfirmed }, rule)
  await db().approvalRule.deleteMany()
  await switchTool(admin, { ...off, enabled: true })
})

test('each form that governs calls asks: rule, configuration and group', async () => {
  await addCase({ groupId: support, arguments: sums, expects: 'allowed' })
  const by = { ...admin, ...unconfirmed }
  const refusal = { code: 'breaks-policy-cases' }
  const deny = { name: 'No sums', toolName: 'calculate', action: 'deny' as const }
  await expect(approvalRuleVerbs.create(by, deny)).rejects.toMatchObject(refusal)
  const none = { allowedToolGroups: [], allowedTools: [] }
  await expect(governConfiguration(by, { id: configuration, ...none })).rejects.toMatchObject(
    refusal,
  )
  const off = governConfiguration(by, { id: configuration, enabled: false, reason: 'Old' })
  await expect(off).rejects.toMatchObject(refusal)
  await expect(
    approvalRuleVerbs.create({ ...admin, ...withReason('   ') }, deny),
  ).rejects.toMatchObject(refusal)
  expect(await db().approvalRule.count()).toBe(0)
})

test('what a case names and is gone makes it red, and no reason is asked for that', async () => {
  const apiKeyId = await addKey()
  const who = [{ userId: member.actor.userId }, { groupId: support }, { apiKeyId }]
  const [ofPerson = '', ofGroup = '', ofKey = ''] = await Promise.all(
    who.map((each, place) =>
      addCase({ ...each, name: `Gone ${place}`, arguments: sums, expects: 'allowed' }),
    ),
  )
  await db().apiKey.update({ where: { id: apiKeyId }, data: { revokedAt: new Date() } })
  expect(await verdictOf(ofKey)).toEqual(['gone', expect.stringContaining('API key')])
  await expect(
    groupVerbs.remove({ ...admin, ...unconfirmed }, { id: support }),
  ).rejects.toMatchObject({ message: expect.stringContaining('none of their groups may use it') })
  await db().user.update({ where: { id: member.actor.userId }, data: { disabledAt: new Date() } })
  expect(await verdictOf(ofPerson)).toEqual(['gone', expect.stringContaining('disabled')])
  await groupVerbs.remove({ ...admin, ...unconfirmed }, { id: support })
  expect(await verdictOf(ofGroup)).toEqual(['gone', expect.stringContaining('group')])
  const ofAdmin = await addCase({ name: 'Mine', userId: admin.actor.userId, arguments: sums })
  await db().configuration.delete({ where: { id: configuration } })
  expect(await verdictOf(ofAdmin)).toEqual(['gone', expect.stringContaining('configuration')])
})

test('a read of what others can write counts as the configuration says', async () => {
  await governConfiguration(admin, { id: configuration, afterUntrusted: 'refuse', reason: 'Safe' })
  const who = { userId: admin.actor.userId, toolName: 'send_message' }
  const message = { channel: 'ops', text: 'Hello' }
  const before = await addCase({ ...who, name: 'Before', arguments: message, expects: 'asks' })
  const after = await addCase({
    ...who,
    name: 'After',
    arguments: message,
    afterUntrusted: true,
    expects: 'refused',
    gate: 'flow',
  })
  expect((await verdictOf(before))[1]).not.toContain('(untrusted reads)')
  expect((await verdictOf(after))[1]).toContain(
    (await verdictOf(before))[1].includes('(installation)')
      ? '(installation)'
      : '(untrusted reads)',
  )
})

test('a site file brings cases, its plan asks them, and it is refused for one that it breaks', async () => {
  await addCase({ name: 'Sums', groupId: support, arguments: sums, expects: 'allowed' })
  const { identifier } = await db().configuration.findUniqueOrThrow({
    where: { id: configuration },
  })
  const text = `
toolgate: 2
tools: [{ name: calculate, enabled: false, reason: Too exact }]
policyCases:
  - name: No sums
    toolName: calculate
    arguments: { expression: 1+1 }
    configuration: ${identifier}
    personGroup: Support ${serial}
    expects: refused
    gate: enabled
`
  const file = parseSiteFile(text)
  const by = { ...admin, ...unconfirmed }
  const plan = await planSite(by, file)
  expect(await judgePlan(by, file, plan)).toMatchObject({
    broken: [{ name: 'Sums' }],
    passed: 1,
    later: [],
  })
  const options = { reason: 'From Git' }
  await expect(applySite(by, file, options)).rejects.toMatchObject({ code: 'breaks-policy-cases' })
  expect(await db().policyCase.count()).toBe(1)
  await applySite({ ...admin, ...withReason('Agreed') }, file, options)
  expect((await policyCaseVerbs.list(admin, { sort: 'name' })).rows).toMatchObject([
    { name: 'No sums', verdict: 'passed' },
    { name: 'Sums', verdict: 'failed' },
  ])
  const entry = await db().auditEntry.findFirst({
    where: { action: 'site.apply', actorId: admin.actor.userId },
  })
  expect(entry?.after).toMatchObject({ brokenCases: ['Sums'], breakReason: 'Agreed' })
  expect(await exportSite(admin)).toContain('name: No sums')
  expect((await planSite(admin, parseSiteFile(await exportSite(admin)))).steps).toEqual([])
  await switchTool(admin, { name: 'calculate', enabled: true })
})

test('API and terminal refuse, list and take the reason', async () => {
  await addCase({ name: 'Sums', groupId: support, arguments: sums, expects: 'allowed' })
  const refused = await toolgate(['tools', 'disable', 'calculate', '--reason', 'leaks'])
  expect(refused.code).not.toBe(0)
  expect(refused.stderr).toContain('This change breaks the policy case "Sums".')
  expect(refused.stderr).toContain('--break-checks REASON')
  const folder = await mkdtemp(join(tmpdir(), 'policy-cases-'))
  const path = join(folder, 'off.yaml')
  await writeFile(path, 'toolgate: 2\ntools: [{ name: calculate, enabled: false, reason: x }]\n')
  const planned = await toolgate(['apply', '-f', path, '--plan'])
  expect(planned).toMatchObject({ code: 1 })
  expect(planned.stdout).toContain('! This change breaks the policy case "Sums".')
  expect(planned.stdout).toContain('0 policy cases would pass, 1 would fail.')
  const taken = await toolgate(['apply', '-f', path, '--plan', '--break-checks', 'agreed'])
  expect(taken).toMatchObject({ code: 2 })
  const key = await apiKeyOf(admin, 'policy-cases:read', 'tools:write')
  const body = { enabled: false, reason: 'leaks' }
  const first = await askApi('PUT', '/tools/calculate', { key, json: body })
  expect(first.status).toBe(409)
  expect(await first.json()).toMatchObject({ type: 'urn:toolgate:problem:breaks-policy-cases' })
  const checked = await toolgate(['policy', 'check'])
  expect(checked).toMatchObject({ code: 0, stdout: '1 of 1 policy case passes.\n' })
  const listed = await (await askApi('GET', '/policy-cases', { key })).json()
  expect(JSON.stringify(listed)).toContain('"verdict":"passed"')
})

test('the console asks for the reason, and takes one for the cases that were read alone', async () => {
  await addCase({ name: 'Sums', groupId: support, arguments: sums, expects: 'allowed' })
  const deny = { name: 'No sums', toolName: 'calculate', action: 'deny' as const }
  const refusal = await approvalRuleVerbs
    .create({ ...admin, ...unconfirmed }, deny)
    .catch((error: unknown) => String((error as Error).message))
  const cookie = confirmationCookie('agreed', String(refusal))
  const [typed, read] = JSON.parse(decodeURIComponent(cookie))
  const other = keepingWaysOut({ nobodyLeft: null, brokenCases: { typed, read: 'other' } })
  await expect(approvalRuleVerbs.create({ ...admin, ...other }, deny)).rejects.toMatchObject({
    code: 'breaks-policy-cases',
  })
  const same = keepingWaysOut({ nobodyLeft: null, brokenCases: { typed, read } })
  await approvalRuleVerbs.create({ ...admin, ...same }, deny)
})

test('only admins add one, and one that fits nothing is refused', async () => {
  const given = { name: 'Mine', toolName: 'calculate', configurationId: configuration }
  await expect(policyCaseVerbs.create(member, given)).rejects.toMatchObject({ code: 'forbidden' })
  await expect(policyCaseVerbs.create(admin, given)).rejects.toMatchObject({
    fields: { userId: 'Pick one of person, group and API key.' },
  })
  const both = { ...given, groupId: support, userId: admin.actor.userId }
  await expect(policyCaseVerbs.create(admin, both)).rejects.toMatchObject({ code: 'invalid-input' })
  const gate = { ...given, groupId: support, expects: 'asks' as const, gate: 'rule' as const }
  await expect(policyCaseVerbs.create(admin, gate)).rejects.toMatchObject({
    fields: { gate: 'Only a case that expects a refusal names a gate.' },
  })
})
