import { afterAll, beforeAll, expect, test } from 'vitest'
import { remainingBudgets } from '@/lib/domains/budgets/remaining-budgets'
import { budgetVerbs } from '@/lib/domains/budgets/verbs'
import { readUsageReport } from '@/lib/domains/usage/reads'
import { createApiKey, limitApiKey } from '@/lib/joined-verbs'
import type { Ctx } from '@/lib/kernel/context'
import { foldRun, type RunState } from '@/lib/protocol/run/fold-run'
import type { Engine } from '@/lib/runs/engine/engine'
import type { StartRunInput } from '@/lib/runs/schemas'
import { explainTools } from '@/lib/toolset/policy/explain-tools'
import { apiKeyOf, askApi } from '@/tests/support/api-client'
import { db } from '@/tests/support/fixture-db'
import { turnOfPrompt } from '@/tests/support/model-server/prompt-directives'
import { type ModelServer, startModelServer } from '@/tests/support/model-server/start-model-server'
import { addPerson } from '@/tests/support/people'
import { addRunSite, collect, type RunSite, start } from '@/tests/support/run-site'
import { startTestEngine } from '@/tests/support/test-engine'
import { toolgate } from '@/tests/support/toolgate-process'

let server: ModelServer
let engine: Engine
let site: RunSite

beforeAll(async () => {
  server = await startModelServer({ script: turnOfPrompt })
  engine = await startTestEngine()
  site = await addRunSite(server.url)
})

afterAll(async () => {
  await engine.close()
  await server.close()
})

/** Adds a key of the admin, and returns it as a site whose runs are started with it. */
async function addKey(name: string): Promise<RunSite & { keyId: string }> {
  const { id } = await createApiKey(site.admin, { name, scopes: ['runs:write', 'runs:read'] })
  const ctx: Ctx = { ...site.admin, via: 'api', apiKeyId: id }
  return { ...site, admin: ctx, keyId: id }
}

async function work(from: RunSite, prompt: string, wishes: Partial<StartRunInput> = {}) {
  const { runId } = await start(from, prompt, wishes)
  return foldRun(await collect(from.admin, runId))
}

test('the budget of a key counts the runs started with it, and no others', async () => {
  const [own, other] = [await addKey('Nightly'), await addKey('Other')]
  const budget = { scope: 'key', window: 'day', unit: 'requests', amount: 1 } as const
  const { id } = await budgetVerbs.create(site.admin, { ...budget, scopeId: own.keyId })
  const nobody = { ...budget, scopeId: site.admin.actor.userId }
  await expect(budgetVerbs.create(site.admin, nobody)).rejects.toMatchObject({
    fields: { scopeId: 'This API key does not exist. Pick another.' },
  })

  expect((await work(other, '[[say: one]]')).end?.reason).toBe('completed')
  expect((await work(site, '[[say: one]]')).end?.reason).toBe('completed')
  expect((await work(own, '[[say: one]]')).end?.reason).toBe('completed')
  const { end } = await work(own, '[[say: two]]')
  expect(end).toMatchObject({ reason: 'budget', notStarted: true })
  expect(end?.message).toMatch(/^Daily budget of API key Nightly used up/)
  expect((await work(other, '[[say: two]]')).end?.reason).toBe('completed')
  expect(await remainingBudgets(own.admin, [])).toMatchObject([{ id, left: 0, isUsedUp: true }])
  expect(await remainingBudgets(other.admin, [])).toEqual([])
  await budgetVerbs.remove(site.admin, { id })
})

const asking = '[[call get_runtime_info {}]] [[then]] [[say: done]]'
const refusal =
  'The API key Nightly may not use this tool. An admin can change what the key may use.'

const outcomes = (run: RunState) =>
  run.rounds.flatMap(({ calls }) =>
    calls.map(({ state }) => (state.type === 'ended' ? state.outcome : null)),
  )

test('a key that is limited to tools starts runs with those alone, and what changes counts at once', async () => {
  const own = await addKey('Nightly')
  const set = (tools: string[] | null, toolGroups: string[] | null) =>
    limitApiKey(site.admin, { id: own.keyId, tools, toolGroups, reason: 'Only what it needs' })
  await set(['list_groups'], null)

  const refused = await work(own, asking)
  expect(refused.start?.accepted.map(({ name }) => name)).toEqual(['list_groups'])
  const rejected = refused.start?.rejected.find(({ name }) => name === 'get_runtime_info')
  expect(rejected).toEqual({
    name: 'get_runtime_info',
    gate: 'selection',
    part: 'api-key',
    reason: refusal,
  })
  expect(outcomes(refused)).toMatchObject([{ type: 'denied' }])
  expect(outcomes(await work(site, asking))).toMatchObject([{ type: 'ok' }])

  await set([], [])
  expect((await work(own, '[[say: done]]')).start?.accepted).toEqual([])
  const { group } = (await explainTools(site.admin, question())).find(
    ({ name }) => name === 'get_runtime_info',
  ) ?? { group: '' }
  await set(null, [group])
  expect(outcomes(await work(own, asking))).toMatchObject([{ type: 'ok' }])
})

const question = (apiKeyId: string | null = null) => ({
  userId: null,
  apiKeyId,
  configuration: site.configuration,
  selected: null,
})

test('a run under way loses a tool with its next call, and gets it back with the next request', async () => {
  const own = await addKey('Nightly')
  const round = '[[call get_runtime_info {}]] [[wait 1500ms]]'
  const prompt = [round, round, round, round, '[[say: done]]'].join(' [[then]] ')
  const { runId } = await start(own, prompt)
  const ends = async () => {
    const [row] = await db().$queryRaw<{ count: number }[]>`
      SELECT count(*)::int AS count FROM run_events
      WHERE "runId" = ${runId}::uuid AND type = 'call-end'`
    return row?.count
  }
  const callEnds = (count: number) => expect.poll(ends).toBe(count)
  await callEnds(1)
  await limitApiKey(site.admin, { id: own.keyId, tools: ['list_groups'] })
  await callEnds(2)
  await limitApiKey(site.admin, { id: own.keyId, tools: null })
  const ended = outcomes(foldRun(await collect(own.admin, runId)))
  expect(ended.slice(0, 2)).toMatchObject([{ type: 'ok' }, { type: 'denied' }])
  // The request of the round between may have been on its way already, with the tools of before.
  expect(ended.at(-1)).toMatchObject({ type: 'ok' })
})

test('a key that is limited to configurations starts and goes on with those alone', async () => {
  const other = await addRunSite(server.url)
  const { id } = await db().configuration.findFirstOrThrow({
    where: { identifier: other.configuration },
  })
  const own = await addKey('Nightly')
  const { runId } = await start(own, '[[say: one]] [[hang 1]]')
  await limitApiKey(site.admin, { id: own.keyId, configurations: [other.configuration] })
  const { end } = foldRun(await collect(site.admin, runId))
  expect(end?.reason).toBe('revoked')
  expect(end?.message).toMatch(/^The API key Nightly may not use the configuration Local /)
  await expect(start(own, 'x')).rejects.toMatchObject({
    status: 403,
    message: expect.stringMatching(/^The API key Nightly may not use the configuration Local /),
  })
  const allowed = await work({ ...own, configuration: other.configuration }, '[[say: one]]')
  expect(allowed.end?.reason).toBe('completed')

  const explained = await explainTools(site.admin, question(own.keyId))
  expect(explained.find(({ name }) => name === 'get_runtime_info')?.verdict).toMatchObject({
    allowed: false,
    gate: 'configuration',
    part: 'api-key',
  })
  const key = await apiKeyOf(site.admin, 'configurations:read')
  const keyId = (await db().apiKey.findFirstOrThrow({ where: { prefix: key.slice(0, 9) } })).id
  await limitApiKey(site.admin, { id: keyId, configurations: [id] })
  const listed = await (await askApi('GET', '/configurations', { key })).json()
  expect(listed.configurations).toMatchObject([{ id }])
})

test('limits are set by admins within what the owner may use, and never by the key itself', async () => {
  const member = await addPerson('member')
  const key = await apiKeyOf(member, 'runs:write')
  const { id } = await db().apiKey.findFirstOrThrow({ where: { prefix: key.slice(0, 9) } })
  const refused = async (wishes: object, fields: object) =>
    expect(limitApiKey(site.admin, { id, ...wishes })).rejects.toMatchObject({ fields })
  await refused(
    { tools: ['get_runtime_inf'] },
    { tools: expect.stringContaining('"get_runtime_info"') },
  )
  await refused({ tools: ['list_users'] }, { tools: expect.stringContaining('Only admins') })
  await refused(
    { toolGroups: ['accounts'] },
    { toolGroups: expect.stringContaining('Only admins may use tools of the group accounts') },
  )
  await refused(
    { configurations: [site.configuration] },
    { configurations: expect.stringContaining(`that ${member.actor.email}`) },
  )
  await expect(limitApiKey(member, { id, tools: [] })).rejects.toMatchObject({ status: 403 })

  const [own, others] = [
    await apiKeyOf(site.admin, 'api-keys:write', 'api-keys:read'),
    await apiKeyOf(site.admin, 'api-keys:write'),
  ]
  const idOf = async (token: string) =>
    (await db().apiKey.findFirstOrThrow({ where: { prefix: token.slice(0, 9) } })).id
  const change = async (by: string, what: string, json: object) =>
    (await askApi('PATCH', `/api-keys/${what}`, { key: by, json })).status
  expect(await change(own, await idOf(own), { tools: [] })).toBe(403)
  expect(await change(others, await idOf(own), { tools: [], reason: 'Reads alone' })).toBe(204)
  expect(await change(own, await idOf(others), { tools: null })).toBe(403)
  const audited = await db().auditEntry.findMany({ where: { objectId: await idOf(own) } })
  expect(audited.filter(({ action }) => action === 'api-key.limit')).toMatchObject([
    { reason: 'Reads alone', before: { tools: null }, after: { tools: [], name: 'test' } },
  ])
  const { keys } = await (await askApi('GET', '/api-keys', { key: own })).json()
  const listed = keys.find((each: { prefix: string }) => each.prefix === own.slice(0, 9))
  expect(listed).toMatchObject({ limits: { tools: [], toolGroups: null, configurations: null } })
  expect(JSON.stringify(keys)).not.toContain('tokenHash')
})

test('a limited key has no way to runs that start without its limits', async () => {
  const scopes = ['runs:write', 'schedules:write', 'tasks:write', 'configurations:write'] as const
  const key = await apiKeyOf(site.admin, ...scopes, 'skills:write')
  const { id } = await db().apiKey.findFirstOrThrow({ where: { prefix: key.slice(0, 9) } })
  const answers = async () => [
    await askApi('POST', '/schedules', { key, json: {} }),
    await askApi('POST', `/schedules/${id}/run`, { key }),
    await askApi('POST', '/tasks', { key, json: {} }),
    await askApi('POST', '/configurations', { key, json: {} }),
    await askApi('DELETE', `/configurations/${id}`, { key }),
    await askApi('POST', '/skills', { key, json: {} }),
  ]
  expect((await answers()).map(({ status }) => status)).not.toContain(403)
  await limitApiKey(site.admin, { id, tools: ['list_groups'] })
  for (const answer of await answers()) {
    expect(answer.status).toBe(403)
    expect((await answer.json()).detail).toMatch(
      /^The API key is limited, so it cannot use its scope \w+:write\. A limited key can read, start runs, /,
    )
  }
})

test('a key can be limited from its beginning', async () => {
  const wish = { name: 'CI', scopes: ['runs:write' as const] }
  const limits = { tools: ['get_runtime_info'], configurations: [site.configuration] }
  const { id } = await createApiKey(site.admin, { ...wish, ...limits })
  const { limits: stored } = await db().apiKey.findUniqueOrThrow({ where: { id } })
  const { id: only } = await db().configuration.findFirstOrThrow({
    where: { identifier: site.configuration },
  })
  expect(stored).toEqual({ tools: ['get_runtime_info'], toolGroups: null, configurations: [only] })
  const [made] = await db().auditEntry.findMany({ where: { objectId: id } })
  expect(made).toMatchObject({ action: 'api-key.create', after: { tools: ['get_runtime_info'] } })

  const wide = { ...wish, ...limits, scopes: ['tasks:write' as const] }
  await expect(createApiKey(site.admin, wide)).rejects.toMatchObject({
    fields: { scopes: expect.stringContaining('A limited key cannot have the scopes tasks:write') },
  })
  const member = await addPerson('member')
  await expect(createApiKey(member, { ...wish, ...limits, tools: null })).rejects.toMatchObject({
    fields: { configurations: expect.stringContaining('There is no configuration') },
  })

  const { email } = site.admin.actor
  const add = ['api-key', 'add', '--user', email, '--name', 'Shell', '--scopes', 'runs:write']
  const { stdout } = await toolgate([...add, '--tools', 'list_groups', '--json'])
  const row = await db().apiKey.findUniqueOrThrow({ where: { id: JSON.parse(stdout).id } })
  expect(row.limits).toEqual({ tools: ['list_groups'], toolGroups: null, configurations: null })
})

test('usage is split by the key that started the run', async () => {
  const own = await addKey('Counted')
  await work(own, '[[say: one]] [[usage 100 20]]')
  await work(own, '[[say: two]] [[usage 100 20]]')
  const report = await readUsageReport(site.admin, { period: '24h', by: 'apiKey' })
  if (!('parts' in report)) throw new Error('The report has no parts.')
  const { email } = site.admin.actor
  expect(report.parts.find(({ key }) => key === own.keyId)).toMatchObject({
    label: 'Counted',
    detail: email,
    calls: 2,
    runs: 2,
    inputTokens: 200,
  })
  const others = report.parts.find(({ key }) => key === null)
  expect(others).toMatchObject({ label: 'Without an API key', detail: null })
  const calls = report.parts.reduce((sum, part) => sum + part.calls, 0)
  expect(calls).toBe(report.totals.calls)
  const ofKey = await readUsageReport(site.admin, { period: '24h', by: 'model', apiKey: own.keyId })
  expect(ofKey.totals.calls).toBe(2)
})
