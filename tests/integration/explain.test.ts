import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { readQuestion } from '@/app/(console)/(admin)/tools/explain/read-question'
import { allowGroup } from '@/lib/domains/configurations/policy-verbs'
import { configurationObstacle, unusableReason } from '@/lib/domains/configurations/usable'
import { createConfiguration } from '@/lib/domains/configurations/verbs'
import { createConnection } from '@/lib/domains/connections/verbs'
import { createModel } from '@/lib/domains/models/verbs'
import { freezeSite, unfreezeSite } from '@/lib/domains/settings/freeze'
import { storageVerbs } from '@/lib/domains/storages/verbs'
import { approvalRuleVerbs, governConfiguration } from '@/lib/joined-verbs'
import type { Ctx } from '@/lib/kernel/context'
import { ForbiddenError, NotFoundError } from '@/lib/kernel/errors'
import { gateAnswers } from '@/lib/protocol/gate-answers'
import type { Verdict } from '@/lib/protocol/tool'
import { gateNames } from '@/lib/protocol/tool'
import { readRun } from '@/lib/runs/read-run'
import { startRun } from '@/lib/runs/start/start-run'
import { explainTools, toVerdictLines, type VerdictLine } from '@/lib/toolset/policy/explain-tools'
import { switchTool } from '@/lib/toolset/tools/tool-verbs'
import { apiKeyOf, apiRoute, ask } from '@/tests/support/api-client'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'
import { toolgate } from '@/tests/support/toolgate-process'

const explainRoute = apiRoute('/explain')

let admin: Ctx
let member: Ctx
/** Goes to a provider of the zone `external-global` and is open to the member's group. */
let far: { id: string; identifier: string }

beforeAll(async () => {
  admin = await addPerson('admin')
  member = await addPerson('member')
  const connection = await createConnection(admin, {
    name: 'Far away',
    wire: 'openai',
    trustZone: 'external-global',
    apiKey: 'sk-test-0123456789abcdef',
  })
  const model = await createModel(admin, {
    connectionId: connection.id,
    modelId: 'far-1',
    displayName: 'Far 1',
  })
  // With a host, fetch_url is available.
  await db().host.create({ data: { name: 'https://example.org', createdByLabel: 'Ada' } })
  // With a search endpoint, web_search is available.
  await db().searchEndpoint.create({
    data: { name: 'Ours', kind: 'searxng', createdByLabel: 'Ada' },
  })
  // With a data source, tools for records are available.
  await db().dataSource.create({ data: { name: 'own', kind: 'console', createdByLabel: 'Ada' } })
  // With a site, tools for its pages are available.
  await db().site.create({
    data: { name: 'docs', address: 'https://example.org/', createdByLabel: 'Ada' },
  })
  // With a channel for runs, send_message is available.
  await db().channel.create({
    data: { name: 'Chat', kind: 'slack', runMessages: true, createdByLabel: 'Ada' },
  })
  const group = await db().group.create({
    data: { name: 'Readers', members: { create: { userId: member.actor.userId } } },
  })
  const identifier = 'far'
  const facts = { identifier, name: 'Far', modelId: model.id, groupIds: [group.id] }
  far = { ...(await createConfiguration(admin, facts)), identifier }
  await switchTool(admin, { name: 'fetch_logs', enabled: false, reason: 'Too chatty' })
})

const explained = async (ctx: Ctx, userId: string | null, configuration: string | null) =>
  toVerdictLines(await explainTools(ctx, { userId, configuration, selected: null }))

/** Returns the first event of a run of this person, in which the journal answers the same question. */
async function firstEvent(ctx: Ctx, configuration: string): Promise<VerdictLine[]> {
  const { runId } = await startRun(ctx, {
    configuration,
    prompt: 'hello',
    tools: null,
    maxRounds: null,
    idempotencyKey: null,
  })
  const [first] = (await readRun(ctx, runId)).events
  if (first?.type !== 'run-start') throw new Error('A run begins with run-start.')
  return toVerdictLines([
    ...first.data.accepted.map(({ name }) => decided(name, { allowed: true })),
    ...first.data.rejected.map(({ name, ...no }) => decided(name, { allowed: false, ...no })),
  ])
}

function decided(name: string, verdict: Verdict) {
  return { name, verdict, answers: gateAnswers(verdict, { withConfiguration: true }) }
}

function reasonFor(lines: VerdictLine[], name: string) {
  return lines.find((line) => line.name === name)
}

describe('explaining', () => {
  test('function, API, command line and the first event of a run say the same', async () => {
    for (const person of [admin, member]) {
      const { userId, email } = person.actor
      const own = await explained(person, null, far.identifier)
      expect(own.length).toBeGreaterThan(5)
      expect(await explained(admin, userId, far.id)).toEqual(own)
      expect(await firstEvent(person, far.identifier)).toEqual(own)
      const key = await apiKeyOf(admin, 'tools:read')
      const query = new URLSearchParams({ user: email, configuration: far.identifier })
      const response = await ask(explainRoute.GET, 'GET', `/api/v1/explain?${query}`, { key })
      expect(await response.json()).toEqual(own)
    }
    const options = ['--user', member.actor.email, '--configuration', far.identifier, '--json']
    const { code, stdout } = await toolgate(['tools', 'explain', ...options])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toEqual(await explained(member, null, far.identifier))
  })

  test('names the first gate that says no, in a sentence, and asks none after it', async () => {
    const lines = await explained(admin, null, far.identifier)
    expect(reasonFor(lines, 'fetch_logs')).toMatchObject({
      name: 'fetch_logs',
      allowed: false,
      gate: 'enabled',
      reason: `Switched off for this site by ${admin.actor.email}: Too chatty. An admin can switch the tool on.`,
    })
    expect(reasonFor(lines, 'get_runtime_info')).toMatchObject({ gate: 'trust-zone' })
    expect(reasonFor(lines, 'read_asset_meta')).toMatchObject({
      name: 'read_asset_meta',
      allowed: false,
      gate: 'registered',
      reason:
        'Not available: this site has no storage that is switched on, so there are no assets to use. An admin can add one under Resources.',
    })
    await storageVerbs.create(admin, { name: 'Media' })
    const folders = { folder: '/srv', realFolder: '/srv' }
    await db().workspace.create({ data: { name: 'handbook', ...folders, createdByLabel: 'Ada' } })
    await db().program.create({ data: { name: 'ls', path: '/bin/ls', createdByLabel: 'Ada' } })
    const withStorage = await explained(admin, null, far.identifier)
    expect(reasonFor(withStorage, 'read_asset_meta')).toMatchObject({ allowed: true, gate: null })
    const theirs = await explained(admin, member.actor.userId, far.identifier)
    expect(reasonFor(theirs, 'get_runtime_info')).toMatchObject({ gate: 'role' })
    const tools = await explainTools(admin, {
      userId: null,
      configuration: far.id,
      selected: ['read_asset_meta'],
    })
    const logs = tools.find(({ name }) => name === 'fetch_logs')
    const unsaid = ['pinned', 'rate', 'flow', 'credentials']
    const shown = gateNames.filter((gate) => !unsaid.includes(gate))
    expect(logs?.answers.map(({ gate }) => gate)).toEqual(shown)
    const denied = shown.indexOf('enabled')
    const answers = shown.map((_, at) => (at < denied ? 'yes' : at === denied ? 'no' : 'not-asked'))
    expect(logs?.answers.map(({ answer }) => answer)).toEqual(answers)
  })

  test('says so when the configuration is closed, or the site is frozen', async () => {
    const stranger = await addPerson('member')
    expect(await configurationObstacle(db(), stranger.actor, far.id)).toEqual({
      part: 'audience',
      reason: `${stranger.actor.email} is not in a group that may use the configuration Far.`,
    })
    await governConfiguration(admin, { id: far.id, enabled: false, reason: 'Being reworked' })
    const input = { userId: null, configuration: far.id, selected: null }
    const users = (await explainTools(admin, input)).find(({ name }) => name === 'list_users')
    for (const named of [far.id, far.identifier]) {
      expect(await unusableReason(admin, named)).toBe('The configuration Far is switched off.')
      expect(await unusableReason(member, named)).not.toContain('Far')
    }
    await governConfiguration(admin, { id: far.id, enabled: true })
    expect(users?.verdict).toMatchObject({
      gate: 'configuration',
      part: 'switch',
      reason: 'The configuration Far is switched off.',
    })
    await freezeSite(admin, { reason: 'A leak' })
    const frozen = await explained(member, null, far.identifier)
    await unfreezeSite(admin, {})
    expect(new Set(frozen.map(({ gate }) => gate))).toEqual(new Set(['frozen']))
  })

  test('names the rule that calls wait for, in the table and not in the array', async () => {
    const rule = { name: 'Deploys', toolName: 'read_asset_meta', configurationId: far.id }
    const { id } = await approvalRuleVerbs.create(admin, rule)
    const input = { userId: null, configuration: far.id, selected: null }
    const notes = (await explainTools(admin, input)).flatMap(({ name, approval }) =>
      approval ? [{ name, ...approval }] : [],
    )
    const words = 'Each call waits for approval because of the rule "Deploys".'
    const sentences = [{ words, cause: { type: 'rule', id } }]
    expect(notes).toEqual([{ name: 'read_asset_meta', always: true, sentences }])
    const [table, array] = await Promise.all([
      toolgate(['tools', 'explain', '--configuration', far.id]),
      toolgate(['tools', 'explain', '--configuration', far.id, '--json']),
    ])
    expect(table.stdout).toContain(`Allowed: installed, site not frozen`)
    expect(table.stdout).toContain(words)
    expect(array.stdout).not.toContain('Deploys')
    await approvalRuleVerbs.remove(admin, { id })
  })

  test('a page about nobody answers about nobody, and begins with what the Playground does', async () => {
    const { userId } = member.actor
    expect(await readQuestion(admin, {})).toMatchObject({
      person: { id: admin.actor.userId },
      configuration: { id: far.id },
      usual: { id: far.id },
    })
    const theirs = await readQuestion(admin, { user: userId, configuration: 'none' })
    expect(theirs).toMatchObject({
      person: { id: userId, name: 'Test person' },
      configuration: 'none',
    })
    for (const user of [randomUUID(), 'nobody']) {
      expect(await readQuestion(admin, { user })).toHaveProperty('person', null)
    }
    const unknown = await readQuestion(admin, { configuration: 'no-such' })
    expect(unknown.configuration).toBeNull()
  })

  test('is for oneself, and for admins about everybody', async () => {
    const others = explained(member, admin.actor.userId, null)
    await expect(others).rejects.toThrow(ForbiddenError)
    await expect(explained(admin, randomUUID(), null)).rejects.toThrow(NotFoundError)
    await expect(explained(admin, 'nobody', null)).rejects.toThrow(NotFoundError)
    await expect(explained(admin, null, 'no-such')).rejects.toThrow(NotFoundError)
    const { groupId } = await db().configurationGroup.findFirstOrThrow()
    await allowGroup(admin, { configurationId: far.id, groupId, allowed: false })
    await expect(explained(member, null, far.identifier)).rejects.toThrow(NotFoundError)
    await allowGroup(admin, { configurationId: far.id, groupId, allowed: true })
    const key = await apiKeyOf(member, 'tools:read')
    const about = (user: string) =>
      ask(explainRoute.GET, 'GET', `/api/v1/explain?user=${user}`, { key })
    expect((await about(admin.actor.email)).status).toBe(403)
    expect((await about('no-one@example.org')).status).toBe(403)
    expect((await about(member.actor.email)).status).toBe(200)
  })
})
