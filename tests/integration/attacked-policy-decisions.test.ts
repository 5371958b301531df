import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { allowGroup } from '@/lib/domains/configurations/policy-verbs'
import { updateConnection } from '@/lib/domains/connections/update-connection'
import { groupVerbs } from '@/lib/domains/groups/verbs'
import { updateModel } from '@/lib/domains/models/verbs'
import type { StoredCase } from '@/lib/domains/policy-cases/shape'
import { serverVerbs } from '@/lib/domains/servers/verbs'
import { importSkills } from '@/lib/domains/skills/import-skills'
import { setToolApproval } from '@/lib/domains/tool-settings/verbs'
import { updateUser } from '@/lib/domains/users/verbs'
import { approvalRuleVerbs, governConfiguration, limitApiKey, limitGroup } from '@/lib/joined-verbs'
import type { Ctx } from '@/lib/kernel/context'
import { gateTitle } from '@/lib/protocol/gate-answers'
import { foldRun } from '@/lib/protocol/run/fold-run'
import { judgeCases } from '@/lib/toolset/policy/judge-cases'
import { checkServer } from '@/lib/toolset/servers/check'
import { closeServers } from '@/lib/toolset/servers/server-pool'
import { apiKeyOf } from '@/tests/support/api-client'
import { approvalSiteOfFile } from '@/tests/support/approval-site'
import { addModel } from '@/tests/support/configuration-fixture'
import { db } from '@/tests/support/fixture-db'
import { scriptedAddress, textTool } from '@/tests/support/mcp/script'
import { acceptServer } from '@/tests/support/mcp/server-site'
import { addPerson } from '@/tests/support/people'
import { collect, start } from '@/tests/support/run-site'

const site = approvalSiteOfFile()

let member: Ctx
let configurationId = ''
let groupId = ''

beforeEach(async () => {
  await db().policyCase.deleteMany()
  await db().approvalRule.deleteMany()
  const { admin, configuration } = site
  configurationId = (
    await db().configuration.findUniqueOrThrow({ where: { identifier: configuration } })
  ).id
  await db().configurationFallback.deleteMany({ where: { configurationId } })
  await db().configurationSkill.deleteMany({ where: { configurationId } })
  await db().configuration.update({
    where: { id: configurationId },
    data: {
      enabled: true,
      fourEyes: false,
      afterUntrusted: 'allow',
      raisedDataClass: null,
      memoryInPrompt: false,
    },
  })
  member = await addPerson('member')
  groupId = (await groupVerbs.create(admin, { name: `G ${randomUUID().slice(0, 8)}` })).id
  await db().configurationGroup.create({ data: { configurationId, groupId } })
  await db().groupMember.create({ data: { groupId, userId: member.actor.userId } })
})

type Call = { toolName: string; args: Record<string, unknown>; afterUntrusted?: boolean }

/** Returns the decision of a case in words. */
async function caseSays(who: Partial<StoredCase>, call: Call): Promise<string> {
  const base = {
    name: 'C',
    toolName: call.toolName,
    arguments: call.args,
    configurationId,
    userId: null,
    groupId: null,
    apiKeyId: null,
    afterUntrusted: call.afterUntrusted ?? false,
    gate: null,
    ...who,
  }
  const three = (['allowed', 'asks', 'refused'] as const).map((expects) => ({
    ...base,
    id: expects,
    expects,
  }))
  const judged = await judgeCases(db(), three)
  const passed = judged.find(({ verdict }) => verdict === 'passed')
  if (!passed) return judged[0]?.verdict === 'gone' ? 'gone' : `unfit`
  const gate = /refused \(([^)]*)\)/.exec(passed.says)?.[1]
  return gate === undefined ? passed.id : `refused ${gate}`
}

/** Returns what happens to the call in a run. */
async function runSays(ctx: Ctx, { toolName, args, afterUntrusted }: Call): Promise<string> {
  const before = afterUntrusted ? '[[call big_result {"kilobytes":1}]] [[then]] ' : ''
  const prompt = `${before}[[call ${toolName} ${JSON.stringify(args)}]] [[then]] [[say: done]]`
  const begun = await start({ admin: ctx, configuration: site.configuration }, prompt).catch(
    (error: unknown) => error,
  )
  if (begun instanceof Error) return `no run: ${begun.message.slice(0, 80)}`
  const { runId } = begun as { runId: string }
  let waits = false
  const updates = await collect(site.admin, runId, {
    until: (event) => {
      if (event.type === 'approval-request') waits = true
      return waits
    },
  })
  if (waits) return 'asks'
  const state = foldRun(updates)
  const call = state.rounds.flatMap(({ calls }) => calls).find(({ name }) => name === toolName)
  if (call?.state.type !== 'ended') return `no call: ${JSON.stringify(state.end)}`
  const { outcome } = call.state
  if (outcome.type === 'denied') return `refused ${gateTitle(outcome)}`
  if (outcome.type === 'invalid-arguments') return 'unfit'
  return 'allowed'
}

const append: Call = { toolName: 'append_line', args: { text: 'x' } }
const readBig: Call = { toolName: 'big_result', args: { kilobytes: 1 } }

async function same(ctx: Ctx, who: Partial<StoredCase>, call: Call) {
  const [ofCase, ofRun] = [await caseSays(who, call), await runSays(ctx, call)]
  const kind = (said: string) => (/^(refused|no run|gone)/.test(said) ? 'refused' : said)
  expect.soft(kind(ofCase)).toBe(kind(ofRun))
  return ofCase
}

const mine = () => ({ userId: member.actor.userId })
const ofGroup = () => ({ groupId })

test('1-3: rules by argument, approvals and four eyes', async () => {
  const { admin } = site
  expect(await same(member, mine(), append)).toBe('allowed')
  await approvalRuleVerbs.create(admin, {
    name: 'No y',
    toolName: 'append_line',
    action: 'deny',
    conditions: [{ path: '$.text', operator: 'contains', value: 'y' }],
  })
  expect(await same(member, ofGroup(), { ...append, args: { text: 'y' } })).toContain('refused')
  expect(await same(member, mine(), append)).toBe('allowed')
  await approvalRuleVerbs.create(admin, {
    name: 'Ask z',
    toolName: 'append_line',
    fourEyes: true,
    conditions: [{ path: '$.text', operator: 'contains', value: 'z' }],
  })
  expect(await same(member, ofGroup(), { ...append, args: { text: 'z' } })).toBe('asks')
  expect(await same(member, mine(), { ...append, args: { text: 'zy' } })).toContain('refused')
  await setToolApproval(admin, { toolName: 'append_line', asks: true, byItself: true })
  expect(await same(member, mine(), append)).toBe('asks')
  await governConfiguration(admin, { id: configurationId, fourEyes: true })
  expect(await same(member, mine(), append)).toBe('asks')
  await setToolApproval(admin, { toolName: 'append_line', asks: false, byItself: true })
  expect(await same(member, mine(), append)).toBe('allowed')
  await same(member, mine(), { ...append, args: { nothing: 1 } })
})

test('4-6: skills, data classes and zones of fallbacks', async () => {
  const { admin } = site
  const env: Call = { toolName: 'get_env', args: {} }
  const me = { userId: admin.actor.userId }
  await same(admin, me, env)
  const modelId = await addModel(admin, 'external-global')
  await db().configurationFallback.create({ data: { configurationId, modelId, position: 0 } })
  expect(await same(admin, me, env)).toContain('refused')
  await governConfiguration(admin, {
    id: configurationId,
    raisedDataClass: 'internal-config',
    reason: 'x',
  })
  await same(admin, me, env)
  await db().configuration.update({
    where: { id: configurationId },
    data: { raisedDataClass: null },
  })
  const model = await db().model.findUniqueOrThrow({ where: { id: modelId } })
  await updateConnection(admin, { id: model.connectionId, enabled: false, reason: 'down' })
  await same(admin, me, env)
  await db().configurationFallback.deleteMany({ where: { configurationId } })
  const text = `---\nname: only-read\ndescription: d\nallowed-tools: [big_result]\n---\nHow.\n`
  const skill = await addSkill(text)
  await db().configurationSkill.create({
    data: { configurationId, skillId: skill, position: 0 },
  })
  expect(await same(member, ofGroup(), append)).toContain('refused')
  expect(await same(member, mine(), readBig)).toBe('allowed')
})

async function addSkill(text: string): Promise<string> {
  const { parseSkill } = await import('@/lib/domains/skills/skill-file')
  const file = parseSkill(Buffer.from(text))
  await importSkills(site.admin, {
    source: 'paste',
    files: [file],
    confirmed: null,
  })
  return (await db().skill.findFirstOrThrow({ where: { name: 'only-read' } })).id
}

test('7-10: keys, groups, configuration off, audience', async () => {
  const { admin } = site
  await apiKeyOf(member, 'runs:write', 'runs:read')
  const { id: apiKeyId } = await db().apiKey.findFirstOrThrow({
    where: { userId: member.actor.userId },
  })
  const byKey: Ctx = { ...member, via: 'api', apiKeyId }
  await same(byKey, { apiKeyId }, append)
  await limitApiKey(admin, { id: apiKeyId, tools: ['big_result'], toolGroups: null })
  expect(await same(byKey, { apiKeyId }, append)).toContain('refused')
  await limitApiKey(admin, { id: apiKeyId, tools: null, configurations: [] })
  await same(byKey, { apiKeyId }, append)
  await limitApiKey(admin, { id: apiKeyId, tools: null, configurations: null })
  await limitGroup(admin, { id: groupId, tools: ['big_result'], toolGroups: null })
  expect(await same(member, mine(), append)).toContain('refused')
  expect(await same(member, ofGroup(), append)).toContain('refused')
  await limitGroup(admin, { id: groupId, tools: null, toolGroups: null })
  await allowGroup(admin, { configurationId, groupId, allowed: false })
  await same(member, mine(), append)
  await same(member, ofGroup(), append)
  await governConfiguration(admin, { id: configurationId, enabled: false, reason: 'x' })
  await same(admin, { userId: admin.actor.userId }, append)
})

test('11: memory and untrusted reads', async () => {
  const { admin } = site
  await governConfiguration(admin, { id: configurationId, afterUntrusted: 'refuse' })
  expect(await same(member, mine(), { ...append, afterUntrusted: true })).toContain('refused')
  expect(await same(member, mine(), append)).toBe('allowed')
  await governConfiguration(admin, { id: configurationId, afterUntrusted: 'ask', reason: 'x' })
  await same(member, mine(), { ...append, afterUntrusted: true })
})

test('11b: notes in the prompt', async () => {
  const { admin } = site
  await governConfiguration(admin, {
    id: configurationId,
    afterUntrusted: 'refuse',
    memoryInPrompt: true,
    reason: 'x',
  })
  const { userId } = member.actor
  const text = 'Reply in French.'
  await db().memoryNote.create({
    data: { id: randomUUID(), userId, configurationId, text, textHash: text },
  })
  await same(member, mine(), append)
})

test('13: a tool of a server: accepted, held back, off', async () => {
  const { admin } = site
  const { url, close } = await scriptedAddress({ tools: [textTool('look')] })
  try {
    const server = { name: 'far', kind: 'http' as const, url, privateAddressAllowed: true }
    const { id } = await serverVerbs.create(admin, server)
    await checkServer(admin, { id })
    const look: Call = { toolName: 'far__look', args: { text: 'x' } }
    expect(await same(member, mine(), look)).toContain('refused')
    await acceptServer(admin, id)
    expect(await same(member, mine(), look)).toBe('allowed')
    const rule = { name: 'No far', serverName: 'far', action: 'deny' as const }
    const { id: ruleId } = await approvalRuleVerbs.create(admin, { ...rule, toolName: null })
    expect(await same(member, ofGroup(), look)).toContain('refused')
    await approvalRuleVerbs.remove(admin, { id: ruleId })
    await db().remoteTool.updateMany({ where: { serverId: id }, data: { seenHash: 'other' } })
    expect(await same(member, mine(), look)).toContain('refused')
    await serverVerbs.update(admin, { id, enabled: false, reason: 'x' })
    expect(await same(member, mine(), look)).toContain('refused')
  } finally {
    await closeServers()
    await close()
  }
})

test('12: connection off, key that expired, suspended account', async () => {
  const { admin } = site
  await apiKeyOf(member, 'runs:read')
  const { id: apiKeyId } = await db().apiKey.findFirstOrThrow({
    where: { userId: member.actor.userId },
  })
  await db().apiKey.update({ where: { id: apiKeyId }, data: { expiresAt: new Date(0) } })
  expect.soft(await caseSays({ apiKeyId }, append)).toBe('gone')
  const row = await db().configuration.findUniqueOrThrow({
    where: { id: configurationId },
    include: { model: true },
  })
  await updateConnection(admin, { id: row.model.connectionId, enabled: false, reason: 'down' })
  await same(member, mine(), append)
  await updateConnection(admin, { id: row.model.connectionId, enabled: true })
  await updateModel(admin, { id: row.modelId, enabled: false, reason: 'down' })
  await same(member, mine(), append)
  await updateModel(admin, { id: row.modelId, enabled: true })
  await updateUser(admin, { userId: member.actor.userId, disabled: true })
  await same(member, mine(), append)
})
