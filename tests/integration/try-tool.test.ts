import { afterAll, beforeAll, expect, test } from 'vitest'
import { freezeSite, unfreezeSite } from '@/lib/domains/settings/freeze'
import { approvalRuleVerbs } from '@/lib/joined-verbs'
import type { Ctx } from '@/lib/kernel/context'
import { foldRun } from '@/lib/protocol/run/fold-run'
import { triedModel } from '@/lib/protocol/run/run-snapshot'
import type { Engine } from '@/lib/runs/engine/engine'
import { listRuns } from '@/lib/runs/lists/list-runs'
import { RunFilter } from '@/lib/runs/schemas'
import { tryTool } from '@/lib/runs/start/try-tool'
import { switchTool } from '@/lib/toolset/tools/tool-verbs'
import { seed } from '@/prisma/seed'
import { apiKeyOf, askApi } from '@/tests/support/api-client'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'
import { addRunSite, collect, type RunSite } from '@/tests/support/run-site'
import { startTestEngine } from '@/tests/support/test-engine'
import { toolgate } from '@/tests/support/toolgate-process'

let engine: Engine
let admin: Ctx
/** Its model is that of a provider. */
let other: RunSite

beforeAll(async () => {
  const source = { ADMIN_EMAIL: 'you@example.org', ADMIN_PASSWORD: 'pick four words yourself' }
  await seed({ source, ollamaUrl: 'http://127.0.0.1:1' })
  engine = await startTestEngine()
  other = await addRunSite('http://127.0.0.1:9')
  admin = other.admin
})

afterAll(() => engine.close())

const runs = () => db().run.count()
const demo = { configuration: 'demo' } as const

test('a dry run says what the tool would get and which gate answers, and starts nothing', async () => {
  const before = await runs()
  const input = { name: 'list_users', dryRun: true, ...demo }
  const tried = await tryTool(admin, { ...input, arguments: {} })
  expect(tried).toMatchObject({ verdict: { allowed: true }, issues: [], rules: [], runId: null })
  expect(tried.decision).toMatch(/^Allowed: installed, site not frozen/)
  // The tool's own defaults are in what it would get.
  const logs = await tryTool(admin, { name: 'fetch_logs', dryRun: true, arguments: '{}' })
  expect(logs.sent).toMatchObject({ limit: 20 })
  expect(logs.configuration).toBeNull()

  const wrong = await tryTool(admin, {
    name: 'fetch_logs',
    dryRun: true,
    arguments: '{"limit":"x"',
  })
  expect(wrong.sent).toBeNull()
  expect(wrong.issues).toEqual(['The arguments are not valid JSON. Send one complete JSON object.'])

  const member = await addPerson('member')
  const asMember = await tryTool(admin, { ...input, user: member.actor.email })
  expect(asMember).toMatchObject({
    userId: member.actor.userId,
    verdict: { allowed: false, gate: 'role', reason: expect.stringContaining('Only admins') },
  })
  await expect(tryTool(member, input)).rejects.toMatchObject({ status: 403 })
  await expect(tryTool(admin, { ...input, name: 'nothing' })).rejects.toMatchObject({ status: 404 })
  expect(await runs()).toBe(before)
})

test('a call is that of an ordinary run of the demo, with the arguments as they were given', async () => {
  const text = '{"level":"error","limit":3}'
  const { runId } = await tryTool(admin, { name: 'fetch_logs', arguments: text, ...demo })
  if (runId === null) throw new Error('No run was started.')
  const run = foldRun(await collect(admin, runId))
  expect(run.end?.reason).toBe('completed')
  const [call] = run.rounds.flatMap(({ calls }) => calls)
  expect(call).toMatchObject({ name: 'fetch_logs', argumentsText: text })
  expect(call?.state).toMatchObject({ outcome: { type: 'ok' } })
  const row = await db().run.findUniqueOrThrow({ where: { id: runId } })
  expect(row.costMicroUsd).toBe(0n)
  expect(await db().auditEntry.count({ where: { action: 'run.start', objectId: runId } })).toBe(1)
})

test('a call with any configuration keeps its chain for the gates, and asks no provider', async () => {
  const input = { name: 'get_runtime_info', arguments: {}, configuration: other.configuration }
  const { runId } = await tryTool(admin, input)
  if (runId === null) throw new Error('No run was started.')
  const run = foldRun(await collect(admin, runId))
  expect(run.end?.reason).toBe('completed')
  expect(run.costMicroUsd).toBe(0)
  expect(run.start?.snapshot).toMatchObject({
    isTry: true,
    targets: [{ modelId: expect.stringMatching(/^demo in place of /), trustZone: 'local' }],
  })
  const [call] = run.rounds.flatMap(({ calls }) => calls)
  expect(call?.state).toMatchObject({ outcome: { type: 'ok' } })
  const { rows } = await listRuns(admin, RunFilter.parse({ search: 'Call get_runtime_info' }))
  expect(rows).toMatchObject([{ runId, source: 'try' }])
  const requests = await db().usageRecord.findMany({ where: { runId } })
  expect(requests).toHaveLength(2)
  for (const request of requests) {
    expect(request).toMatchObject({ connectionId: null, modelRecordId: null, modelId: triedModel })
  }

  const connection = { name: { startsWith: 'Local openai-compatible' } }
  await db().connection.updateMany({ where: connection, data: { trustZone: 'external_global' } })
  const beyond = await tryTool(admin, { ...input, name: 'get_env' })
  expect(beyond.verdict).toMatchObject({ allowed: false, gate: 'trust-zone' })
  await refusedCall(beyond.runId, { gate: 'trust-zone', reason: expect.stringContaining('Local') })
  await db().connection.updateMany({ where: connection, data: { trustZone: 'local' } })
})

async function refusedCall(runId: string | null, denial: object): Promise<void> {
  if (runId === null) throw new Error('No run was started.')
  const run = foldRun(await collect(admin, runId))
  expect(run.end?.reason).toBe('completed')
  const calls = run.rounds.flatMap((round) => round.calls)
  expect(calls).toMatchObject([{ state: { outcome: { type: 'denied', ...denial } } }])
}

test('a call that is refused is in its run, and one that cannot be made starts none', async () => {
  const input = { name: 'get_env', arguments: {}, ...demo }
  await switchTool(admin, { name: 'get_env', enabled: false, reason: 'not now' })
  const off = await tryTool(admin, input)
  expect(off.verdict).toMatchObject({ gate: 'enabled' })
  await refusedCall(off.runId, { gate: 'enabled', reason: expect.stringContaining('not now') })
  await switchTool(admin, { name: 'get_env', enabled: true })
  const rule = { name: 'No environment', toolName: 'get_env', action: 'deny' as const }
  const conditions = [{ path: '$.names', operator: 'missing' as const, value: '' }]
  const { id } = await approvalRuleVerbs.create(admin, { ...rule, conditions })
  const ruled = await tryTool(admin, input)
  expect(ruled).toMatchObject({ rules: [{ name: 'No environment', action: 'deny' }] })
  await refusedCall(ruled.runId, { gate: 'rule' })
  await approvalRuleVerbs.remove(admin, { id })

  const before = await runs()
  expect(await tryTool(admin, { ...input, arguments: '[]' })).toMatchObject({ runId: null })
  await expect(tryTool(admin, { name: 'get_env' })).rejects.toMatchObject({
    fields: { configuration: expect.stringContaining('needs a configuration') },
  })
  const member = await addPerson('member')
  const as = { ...input, user: member.actor.userId }
  await expect(tryTool(admin, as)).rejects.toMatchObject({
    fields: { user: expect.stringContaining('as yourself') },
  })
  await freezeSite(admin, { reason: 'Drill' })
  await expect(tryTool(admin, input)).rejects.toMatchObject({ status: 403 })
  await unfreezeSite(admin, {})
  expect(await runs()).toBe(before)
})

test('the API and the terminal ask the same', async () => {
  const key = await apiKeyOf(admin, 'runs:write')
  const json = { arguments: { limit: 3 }, configuration: 'demo', dryRun: true }
  const response = await askApi('POST', '/tools/fetch_logs/call', { key, json })
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({
    name: 'fetch_logs',
    sent: { limit: 3 },
    runId: null,
  })

  const call = ['tools', 'call', 'fetch_logs', '--args', '{"limit":3}', '--configuration', 'demo']
  const dry = await toolgate([...call, '--dry-run'])
  expect(dry.stdout).toMatch(/^fetch_logs: Allowed: .*\nArguments: \{.*"limit":3/)
  const made = await toolgate(call)
  expect(made).toMatchObject({ code: 0, stdout: expect.stringContaining('fetch_logs') })
  const wrong = await toolgate([
    'tools',
    'call',
    'fetch_logs',
    '--args',
    '[]',
    '--dry-run',
    '--json',
  ])
  expect(wrong.code).toBe(1)
  expect(JSON.parse(wrong.stdout).issues).toEqual(['The arguments must be one JSON object.'])
})
