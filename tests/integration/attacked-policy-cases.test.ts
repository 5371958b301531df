import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { groupVerbs } from '@/lib/domains/groups/verbs'
import { updateModel } from '@/lib/domains/models/verbs'
import { freezeSite, unfreezeSite } from '@/lib/domains/settings/freeze'
import { importSkills } from '@/lib/domains/skills/import-skills'
import { parseSkill } from '@/lib/domains/skills/skill-file'
import { updateUser } from '@/lib/domains/users/verbs'
import { approvalRuleVerbs, policyCaseVerbs } from '@/lib/joined-verbs'
import type { Ctx } from '@/lib/kernel/context'
import { confirmationCookie } from '@/lib/protocol/typed-confirmation'
import { revokeKey } from '@/lib/runs/verbs'
import { applySite } from '@/lib/site-file/apply-site'
import { parseSiteFile } from '@/lib/site-file/parse-site-file'
import { keepingWaysOut } from '@/lib/toolset/policy/keep-ways-out'
import { switchTool } from '@/lib/toolset/tools/tool-verbs'
import { apiKeyOf, askApi } from '@/tests/support/api-client'
import { addConfiguration, addModel } from '@/tests/support/configuration-fixture'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'
import { toolgate } from '@/tests/support/toolgate-process'

const unconfirmed = keepingWaysOut({ nobodyLeft: null, brokenCases: null })
const withReason = (typed: string) => keepingWaysOut({ nobodyLeft: null, brokenCases: { typed } })
const refusal = { code: 'breaks-policy-cases' }

let admin: Ctx
let by: Ctx
let member: Ctx
let configurationId = ''
let identifier = ''
let groupId = ''
let group = ''

beforeEach(async () => {
  await db().policyCase.deleteMany()
  await db().toolOverride.deleteMany()
  await db().approvalRule.deleteMany()
  await db().host.deleteMany()
  ;[admin, member] = await Promise.all([addPerson('admin'), addPerson('member')])
  by = { ...admin, ...unconfirmed }
  configurationId = await addConfiguration(admin, { modelId: await addModel(admin, 'local') })
  identifier = (await db().configuration.findUniqueOrThrow({ where: { id: configurationId } }))
    .identifier
  group = `Support ${randomUUID().slice(0, 8)}`
  groupId = (await groupVerbs.create(admin, { name: group })).id
  await db().configurationGroup.create({ data: { configurationId, groupId } })
  await db().groupMember.create({ data: { groupId, userId: member.actor.userId } })
})

type Fields = Partial<Parameters<typeof policyCaseVerbs.create>[1]>

async function addCase(fields: Fields): Promise<string> {
  const given = { name: 'Case', toolName: 'calculate', configurationId, ...fields }
  const { id } = await policyCaseVerbs.create(admin, given)
  expect(await verdictOf(id)).toBe('passed')
  return id
}

const verdictOf = async (id: string) => (await policyCaseVerbs.read(admin, { id })).verdict
const sums = { arguments: { expression: '1+1' }, expects: 'allowed' as const }
const noSums = { name: 'No sums', toolName: 'calculate', action: 'deny' as const }
const mayEnv = () => ({ toolName: 'get_env', userId: admin.actor.userId, arguments: {} })

async function addFallback(): Promise<{ id: string; connectionId: string }> {
  const modelId = await addModel(admin, 'external-global')
  await db().configurationFallback.create({ data: { configurationId, modelId, position: 0 } })
  return db().model.findUniqueOrThrow({ where: { id: modelId } })
}

describe('acts that are not checked', () => {
  test('a model that is switched off makes a refused call start', async () => {
    const { id } = await addFallback()
    const made = await addCase({ ...mayEnv(), expects: 'refused', gate: 'trust-zone' })
    const off = updateModel(by, { id, enabled: false, reason: 'down' })
    await expect.soft(off).rejects.toMatchObject(refusal)
    expect(await verdictOf(made)).toBe('passed')
  })

  test('a model that is switched on makes a call refused', async () => {
    const { id } = await addFallback()
    await updateModel(admin, { id, enabled: false, reason: 'down' })
    const made = await addCase({ ...mayEnv(), expects: 'allowed' })
    await expect.soft(updateModel(by, { id, enabled: true })).rejects.toMatchObject(refusal)
    expect(await verdictOf(made)).toBe('passed')
  })

  test('a new version of an attached skill that is imported opens tools', async () => {
    const file = (tools: string) =>
      parseSkill(
        Buffer.from(`---\nname: narrow\ndescription: d\nallowed-tools: [${tools}]\n---\nHow.\n`),
      )
    const add = { source: 'paste' as const, confirmed: null }
    await importSkills(admin, { ...add, files: [file('current_time')] })
    const skill = await db().skill.findFirstOrThrow({ where: { name: 'narrow' } })
    const data = { configurationId, skillId: skill.id, position: 0 }
    await db().configurationSkill.create({ data })
    const made = await addCase({ groupId, arguments: sums.arguments, expects: 'refused' })
    const files = [file('current_time, calculate')]
    const asked = await importSkills(by, { ...add, files })
    const confirmed = asked.type === 'confirm' ? asked.fingerprint : null
    const done = importSkills(by, { ...add, files, confirmed })
    await expect.soft(done).rejects.toMatchObject(refusal)
    expect(await verdictOf(made)).toBe('passed')
  })

  test('a case whose person is suspended meanwhile is broken in two steps', async () => {
    const { userId } = member.actor
    const made = await addCase({ userId, ...sums })
    await updateUser(by, { userId, disabled: true })
    await approvalRuleVerbs.create(by, noSums)
    await expect.soft(updateUser(by, { userId, disabled: false })).rejects.toMatchObject(refusal)
    expect(await verdictOf(made)).not.toBe('failed')
  })
})

describe('site files', () => {
  const options = { reason: 'From Git' }

  test('what no draft has is named once it is applied', async () => {
    const made = await addCase({ groupId, ...sums })
    const file = parseSiteFile(
      `toolgate: 2\nconfigurations: [{ identifier: ${identifier}, groups: [] }]\n`,
    )
    await expect(applySite(by, file, options)).rejects.toThrow(
      /^The file is applied\.\nThe policy case/,
    )
    expect(await verdictOf(made)).toBe('failed')
  })

  test('a reason for one case says nothing about another', async () => {
    const first = await addCase({ name: 'First', groupId, ...sums })
    const other = await addConfiguration(admin, { modelId: await addModel(admin, 'local') })
    await db().configurationGroup.create({ data: { configurationId: other, groupId } })
    const row = await db().configuration.findUniqueOrThrow({ where: { id: other } })
    const second = await addCase({
      name: 'Second',
      toolName: 'current_time',
      arguments: {},
      expects: 'allowed',
      groupId,
      configurationId: other,
    })
    const file = parseSiteFile(
      `toolgate: 2\ntools: [{ name: calculate, enabled: false, reason: x }]\nconfigurations: [{ identifier: ${row.identifier}, groups: [] }]\n`,
    )
    const applied = applySite({ ...admin, ...withReason('Only for sums') }, file, options)
    await expect(applied).rejects.toThrow('The policy case "Second" fails now.')
    expect([await verdictOf(first), await verdictOf(second)]).toEqual(['failed', 'failed'])
  })

  test('a case that the same file changes is not broken by it', async () => {
    const made = await addCase({ name: 'Sums', groupId, ...sums })
    const file = parseSiteFile(
      `toolgate: 2\ntools: [{ name: calculate, enabled: false, reason: x }]\npolicyCases: [{ name: Sums, expects: refused }]\n`,
    )
    await applySite(by, file, options)
    expect(await verdictOf(made)).toBe('passed')
  })

  test('a file that stops halfway leaves the case red in the list', async () => {
    const made = await addCase({ groupId, ...sums })
    const file = parseSiteFile(
      `toolgate: 2\ntools: [{ name: current_time, enabled: false, reason: y }]\nconfigurations: [{ identifier: ${identifier}, groups: [] }]\ngroups: [{ name: ${group}, description: z }]\n`,
    )
    let steps = 0
    const onStep = () => {
      steps += 1
      if (steps === 2) throw new Error('The disk is full.')
    }
    await expect(applySite(by, file, { ...options, onStep })).rejects.toThrow('full')
    expect(await verdictOf(made)).toBe('failed')
  })
})

test('two changes at once that break a case together: one of them is refused', async () => {
  const rule = await approvalRuleVerbs.create(admin, noSums)
  await switchTool(admin, { name: 'calculate', enabled: false, reason: 'x' })
  const made = await addCase({ groupId, arguments: sums.arguments, expects: 'refused' })
  const results = await Promise.allSettled([
    approvalRuleVerbs.update(by, { id: rule.id, enabled: false }),
    switchTool(by, { name: 'calculate', enabled: true }),
  ])
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await verdictOf(made)).toBe('passed')
})

describe('emergencies', () => {
  test('freeze, suspension and deletion of a key need no reason', async () => {
    const { userId } = member.actor
    await addCase({ userId, ...sums })
    await freezeSite(by, { reason: 'leak' })
    await unfreezeSite(by, {})
    await apiKeyOf(member, 'runs:write')
    const { id: apiKeyId } = await db().apiKey.findFirstOrThrow({ where: { userId } })
    await addCase({ name: 'Of the key', apiKeyId, ...sums })
    await revokeKey(by, { keyId: apiKeyId })
    await updateUser(by, { userId, disabled: true })
  })

  test('one configuration that cannot be read stops no suspension', async () => {
    const { userId } = member.actor
    await addCase({ userId, ...sums })
    await db().configuration.update({
      where: { id: configurationId },
      data: { parameters: { temperature: 'hot' } },
    })
    await expect.soft(policyCaseVerbs.list(admin, { sort: 'name' })).resolves.toBeDefined()
    const off = { name: 'current_time', enabled: false, reason: 'leaks' }
    await expect.soft(switchTool(by, off)).resolves.toBeDefined()
    await updateUser(by, { userId, disabled: true })
  })
})

describe('the refusal and the reason', () => {
  test('an ordinary reason with a null byte is refused in words', async () => {
    const key = await apiKeyOf(admin, 'tools:write')
    const json = { enabled: false, reason: 'a\u0000b' }
    const answer = await askApi('PUT', '/tools/current_time', { key, json })
    expect(answer.status).toBe(422)
  })

  test('controls in a reason reach no terminal and no list', async () => {
    await addCase({ groupId, ...sums })
    const key = await apiKeyOf(admin, 'tools:write')
    const headers = { 'toolgate-break-checks': '=cmd%1b[31m%0d%0aX%e2%80%ae' }
    const json = { enabled: false, reason: 'x' }
    await askApi('PUT', '/tools/calculate', { key, json, headers })
    const shown = await toolgate(['audit', 'list'])
    expect(shown.stdout).not.toContain('\u001b[31m')
  })

  test('a key without the scope to read cases learns no names', async () => {
    const { userId } = member.actor
    await addCase({ name: 'Secret case', userId, ...sums })
    const key = await apiKeyOf(admin, 'tools:write')
    const json = { enabled: false, reason: 'x' }
    const answer = await askApi('PUT', '/tools/calculate', { key, json })
    const text = await answer.text()
    expect(text).not.toContain('Secret case')
  })

  test('what was read is all that is confirmed, beyond twenty cases, too', () => {
    const broken = (names: string[]) => names.map((name) => ({ name, says: 'x' }))
    const named = Array.from({ length: 20 }, (_, place) => `Case ${place}`)
    const refused = (() => {
      try {
        unconfirmed.waysOut.requireReason(broken([...named, 'Harmless']))
      } catch (error) {
        return (error as Error).message
      }
      return ''
    })()
    const [typed, read] = JSON.parse(decodeURIComponent(confirmationCookie('agreed', refused)))
    const { waysOut } = keepingWaysOut({ nobodyLeft: null, brokenCases: { typed, read } })
    expect(() => waysOut.requireReason(broken([...named, 'No secrets leave']))).toThrow()
  })

  test.each([
    ['empty', ''],
    ['spaces', '%20%20'],
    ['a null byte', 'a%00b'],
    ['a new line', 'a%0d%0aSet-Cookie:%20x=1'],
    ['controls', 'a%1b[31mb%e2%80%ae'],
    ['half an encoding', 'a%zz'],
    ['too long', 'x'.repeat(501)],
    ['huge', 'x'.repeat(1_000_000)],
  ])('a reason of %s is stored whole and clean, or refused in words', async (kind, reason) => {
    await addCase({ groupId, ...sums })
    const key = await apiKeyOf(admin, 'tools:write')
    const answer = await askApi('PUT', '/tools/calculate', {
      key,
      json: { enabled: false, reason: 'x' },
      headers: { 'toolgate-break-checks': reason },
    })
    const text = await answer.text()
    const entry = await db().auditEntry.findFirst({
      where: { action: 'tool.switch-off', actorId: admin.actor.userId },
    })
    expect(answer.status).toBeLessThan(500)
    if (answer.status === 409 && kind !== 'empty' && kind !== 'spaces')
      expect(text).toContain('500 characters')
    expect(JSON.stringify(entry?.after ?? '')).not.toMatch(/u001b|u202e|\u202e/)
  })
})
