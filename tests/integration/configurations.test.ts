import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import * as one from '@/app/api/v1/configurations/[name]/route'
import * as all from '@/app/api/v1/configurations/route'
import { createConfiguration } from '@/lib/configurations/create-configuration'
import { deleteConfiguration } from '@/lib/configurations/delete-configuration'
import { listConfigurations } from '@/lib/configurations/list-configurations'
import { readConfiguration } from '@/lib/configurations/read-configuration'
import { readConfigurationUses } from '@/lib/configurations/read-configuration-uses'
import { readGovernedConfiguration } from '@/lib/configurations/read-governed-configuration'
import { updateConfigurationPolicy } from '@/lib/configurations/update-configuration-policy'
import type { Ctx } from '@/lib/context'
import { db } from '@/lib/db'
import { ConflictError, ForbiddenError, NotFoundError } from '@/lib/errors'
import { createGroup } from '@/lib/groups/create-group'
import { foldRun } from '@/lib/protocol/fold-run'
import { startEngine } from '@/lib/runs/engine'
import type { Engine } from '@/lib/runs/running-engine'
import { startRun } from '@/lib/runs/start-run'
import { startTestRun } from '@/lib/runs/start-test-run'
import { closeWake } from '@/lib/runs/wake'
import { addLocalModel } from '../support/add-local-model'
import { apiKeyOf, ask } from '../support/api-client'
import {
  addConfiguration,
  addModel,
  formOf,
  gateOf,
  tag,
  versionsOf,
} from '../support/configuration-fixture'
import { turnOfPrompt } from '../support/model-server/prompt-directives'
import type { ScriptedTurn, ServedRequest } from '../support/model-server/scripted-turn'
import { type ModelServer, startModelServer } from '../support/model-server/start-model-server'
import { addPerson } from '../support/people'
import { refusedFields } from '../support/refused-fields'
import { collect } from '../support/run-site'
import { finish, startToolgate, toolgate } from '../support/toolgate-process'

vi.setConfig({ testTimeout: 90_000 })

let admin: Ctx
let member: Ctx
let server: ModelServer
let engine: Engine | undefined
/** Served by the model server. */
let localModel: string
let answer: (request: ServedRequest) => Promise<ScriptedTurn | undefined>

beforeAll(async () => {
  admin = await addPerson('admin')
  member = await addPerson('member')
  server = await startModelServer({ script: async (request) => (await answer(request)) ?? {} })
  localModel = await addLocalModel(admin, {
    wire: 'openai-compatible',
    connectionName: 'Here',
    url: server.url,
  })
})

afterAll(async () => {
  await engine?.drain()
  await closeWake()
  await server.close()
})

describe('a configuration', () => {
  test('gives a run everything it needs, by id or identifier, and is audited', async () => {
    const [first, second] = [await addModel(admin, 'external-eu'), await addModel(admin)]
    const id = await addConfiguration(admin, {
      modelId: first,
      fallbackModelIds: [second],
      costCapMicroUsd: 50_000,
    })
    const { identifier } = await formOf(admin, id)
    const found = await readConfiguration(db(), admin, identifier)
    expect(await readConfiguration(db(), admin, id)).toEqual(found)
    expect(found).toMatchObject({
      allowedToolGroups: null,
      raisedDataClass: null,
      configurationIdentifier: identifier,
      maxRounds: 5,
      timeLimitMs: 600_000,
      toolMode: 'auto',
      costCaps: [{ scope: 'configuration', mode: 'warn', limitMicroUsd: 50_000 }],
      targets: [
        { modelRecordId: first, trustZone: 'external-eu', prices: { input: 1 } },
        { modelRecordId: second },
      ],
    })
    const where = { action: 'configuration.create', objectId: id }
    expect(await db().auditEntry.count({ where })).toBe(1)
    expect(await versionsOf(admin, id)).toMatchObject([
      { version: 1, createdByLabel: admin.actor.email },
    ])
  })

  test('is seen by members through their groups alone, and by nobody while it is off', async () => {
    const group = await createGroup(admin, { name: tag() })
    const id = await addConfiguration(admin, { groupIds: [group.id] })
    const seenBy = async (ctx: Ctx) =>
      (await listConfigurations(ctx)).some((configuration) => configuration.id === id)
    expect([await seenBy(admin), await seenBy(member)]).toEqual([true, false])
    await expect(readConfiguration(db(), member, id)).rejects.toThrow(NotFoundError)
    const { userId } = member.actor
    await db().groupMember.create({ data: { groupId: group.id, userId } })
    expect(await seenBy(member)).toBe(true)
    expect((await readConfiguration(db(), member, id)).configurationId).toBe(id)

    const { connectionId } = await db().model.findFirstOrThrow({
      where: { configurations: { some: { id } } },
    })
    const where = { id: connectionId }
    await db().connection.update({ where, data: { enabled: false } })
    expect(await seenBy(admin)).toBe(false)
    await db().connection.update({ where, data: { enabled: true } })
    await updateConfigurationPolicy(admin, id, { enabled: false, reason: 'Too dear' })
    expect(await seenBy(admin)).toBe(false)
    expect((await readGovernedConfiguration(admin, id)).enabled).toBe(false)
    expect(await gateOf(admin, id, 'list_users')).toBe('configuration')
  })

  test.each(['', '../main', 'x'.repeat(500), '\u0000', '%'])(
    'is not found under %j',
    async (name) => {
      await expect(readConfiguration(db(), admin, name)).rejects.toThrow(NotFoundError)
    },
  )

  test('refuses a taken identifier, figures out of range, and chains no run could walk', async () => {
    const [first, second, off] = [
      await addModel(admin),
      await addModel(admin),
      await addModel(admin),
    ]
    await db().connection.updateMany({
      where: { models: { some: { id: off } } },
      data: { enabled: false },
    })
    const good = { identifier: `c-${tag()}`, name: 'Good', modelId: first }
    const attempt = (change: object, ctx = admin) =>
      createConfiguration(ctx, { ...good, ...change })
    const { identifier } = await formOf(admin, await addConfiguration(admin))
    await expect(attempt({ identifier })).rejects.toThrow(ConflictError)
    await expect(attempt({ modelId: randomUUID() })).rejects.toThrow('Pick another')
    await expect(attempt({ groupIds: [randomUUID()] })).rejects.toThrow('group')
    expect(
      await refusedFields(attempt({ seed: 2 ** 31, maxRounds: 51, toolMode: 'text', topP: 0 })),
    ).toMatchObject({
      seed: expect.stringMatching('A seed must be'),
      maxRounds: 'At most 50 rounds.',
      toolMode: expect.anything(),
      topP: expect.anything(),
    })
    for (const [change, words] of [
      [{ fallbackModelIds: [first] }, 'Add each model only once'],
      [{ fallbackModelIds: [second, second] }, 'Add each model only once'],
      [{ fallbackModelIds: [randomUUID()] }, 'no longer exists'],
      [{ fallbackModelIds: [off] }, 'is switched off'],
    ] as const) {
      const fields = await refusedFields(attempt(change))
      expect(fields).toEqual({ fallbackModelIds: expect.stringContaining(words) })
    }
    expect(await refusedFields(attempt({ modelId: off }))).toHaveProperty('modelId')
    await expect(attempt({}, member)).rejects.toThrow(ForbiddenError)
    await expect(attempt({})).resolves.toBeDefined()
  })
})

test('one is deleted only when nothing uses it; past runs and their snapshot stay', async () => {
  const id = await addConfiguration(admin, { modelId: localModel })
  const { identifier, name } = await formOf(admin, id)
  const asked = { configuration: id, prompt: 'Hello.', tools: [], maxRounds: 1 }
  const { runId } = await startRun(admin, { ...asked, idempotencyKey: null })
  const by = { createdByLabel: 'test' }
  const task = { identifier: `t-${tag()}`, name: 'Daily', prompt: 'Go.', configurationId: id }
  const { id: taskId } = await db().task.create({ data: task })
  const limit = { window: 'day', unit: 'tokens', amount: 1n, ...by } as const
  await db().budget.create({ data: { scope: 'configuration', scopeId: id, ...limit } })
  await db().approvalRule.create({ data: { name: tag(), configurationId: id, ...by } })
  expect(await readConfigurationUses(admin, id)).toMatchObject({
    tasks: [{ id: taskId, name: 'Daily' }],
    rules: [{}],
    budgets: [{ window: 'day', unit: 'tokens' }],
    runs: 1,
    going: 1,
    runners: [admin.actor.email],
  })
  await expect(deleteConfiguration(admin, id)).rejects.toThrow(
    `${name} is in use by 1 run of ${admin.actor.email}, the task Daily, a budget of tokens a day.`,
  )
  await db().run.update({ where: { id: runId }, data: { status: 'ended' } })
  await db().task.delete({ where: { id: taskId } })
  await db().budget.deleteMany({ where: { scopeId: id } })
  await deleteConfiguration(admin, id, { reason: 'Old' })
  expect(await db().approvalRule.count({ where: { configurationId: id } })).toBe(0)
  expect(await db().run.findUniqueOrThrow({ where: { id: runId } })).toMatchObject({
    configurationId: null,
    status: 'ended',
  })
  const [first] = await collect(admin, runId, { until: () => true })
  expect(first?.data).toMatchObject({ snapshot: { configurationIdentifier: identifier } })
  const entry = await db().auditEntry.findFirst({
    where: { action: 'configuration.delete', objectId: id },
  })
  expect(entry).toMatchObject({ before: { identifier }, reason: 'Old' })
})

test('a test is one short real run without tools, on behalf of whoever asks', async () => {
  const id = await addConfiguration(admin, { modelId: localModel })
  answer = async () => ({ text: 'ready' })
  engine ??= await startEngine('server')
  const { runId } = await startTestRun(admin, id)
  const state = foldRun(await collect(admin, runId))
  expect(state.start).toMatchObject({ accepted: [], actor: { userId: admin.actor.userId } })
  expect(state.rounds).toMatchObject([{ text: 'ready' }])
  await updateConfigurationPolicy(admin, id, { enabled: false, reason: 'Off' })
  await expect(startTestRun(admin, id)).rejects.toThrow('Switch it on to test it.')
})

test('over HTTP: read with its version, changed with it, refused with an older one', async () => {
  const key = await apiKeyOf(admin, 'configurations:read', 'configurations:write')
  const identifier = `http-${tag()}`
  const json = { identifier, name: 'By HTTP', modelId: localModel }
  const added = await ask(all.POST, 'POST', '/api/v1/configurations', { key, json })
  expect(added.status).toBe(201)
  expect(await added.json()).toMatchObject({ version: 1, identifier, model: { id: localModel } })
  const here = { key, params: { name: identifier } }
  const address = `/api/v1/configurations/${identifier}`
  const shown = await ask(one.GET, 'GET', address, here)
  expect(shown.headers.get('etag')).toBe('"1"')
  const patch = (change: object, headers: Record<string, string> = {}) =>
    ask(one.PATCH, 'PATCH', address, { ...here, headers, json: change })
  const changed = await patch({ maxRounds: 3, note: 'Fewer' }, { 'if-match': '"1"' })
  expect([changed.status, changed.headers.get('etag')]).toEqual([200, '"2"'])
  expect(await changed.json()).toMatchObject({ version: 2, maxRounds: 3 })
  expect((await patch({ maxRounds: 4 }, { 'if-match': '"1"' })).status).toBe(412)
  expect((await patch({ maxRounds: 4 })).status).toBe(422)
  expect((await patch({ version: 2, maxRuonds: 4 })).status).toBe(422)
  expect((await patch({ version: 2, maxRounds: 4 })).status).toBe(200)
  const options = { verbosity: 'low', extraBody: { b: 1, aa: [2] }, toolChoice: { tool: 'echo' } }
  const first = await patch({ version: 3, options })
  expect(await first.json()).toMatchObject({ options: { ...options, promptCaching: true } })
  const second = await patch({ version: 4, options: { verbosity: null } })
  expect(await second.json()).toMatchObject({
    version: 5,
    options: { verbosity: null, extraBody: options.extraBody, toolChoice: options.toolChoice },
  })
  expect((await patch({ version: 5, options: { verbositty: 'low' } })).status).toBe(422)
  expect((await patch({ version: 5, options: { extraBody: [] } })).status).toBe(422)
  const taken = await patch({ version: 5, options: { extraBody: { model: 'other', ok: 1 } } })
  expect([taken.status, JSON.stringify(await taken.json())]).toEqual([
    422,
    expect.stringMatching(/options\.extraBody.*Toolgate sets model itself/),
  ])
  const list = await ask(all.GET, 'GET', '/api/v1/configurations', { key })
  expect(JSON.stringify(await list.json())).toContain(identifier)
  const reader = { ...here, key: await apiKeyOf(admin, 'configurations:read') }
  expect((await ask(one.DELETE, 'DELETE', address, reader)).status).toBe(403)
  const low = { ...here, key: await apiKeyOf(member, 'configurations:read') }
  expect((await ask(one.GET, 'GET', address, low)).status).toBe(403)
  expect((await ask(one.DELETE, 'DELETE', address, here)).status).toBe(204)
  expect((await ask(one.GET, 'GET', address, here)).status).toBe(404)
})

test('the command line does the same', async () => {
  const identifier = `cli-${tag()}`
  const json = async (...args: string[]) => {
    const { stdout, stderr } = await toolgate(['configuration', ...args, '--json'])
    if (stdout === '') throw new Error(stderr)
    return JSON.parse(stdout)
  }
  const far = await addModel(admin, 'external-global', tag())
  const { connectionName, modelId } = await db()
    .model.findUniqueOrThrow({ where: { id: far }, include: { connection: true } })
    .then((row) => ({ connectionName: row.connection.name, modelId: row.modelId }))
  const added = ['--connection', 'Here', '--model', 'test-model', '--identifier', identifier]
  await json('add', ...added, '--name', 'By CLI', '--temperature', '0.5', '--cost-cap', '0.25')
  const note = ['--note', 'Other']
  const wanted = ['--temperature', 'default', '--fallbacks', `${connectionName}/${modelId}`]
  const edited = await json('edit', identifier, ...wanted, '--top-p', '0.5', ...note)
  expect(edited).toMatchObject({ version: 2, changed: true })
  expect(edited.effect.closes).toContain('get_runtime_info')
  const stale = await toolgate(['configuration', 'edit', identifier, '--if-version', '1', ...note])
  expect(stale.code).toBe(1)
  expect(stale.stderr).toContain('you opened version 1')
  const govern = ['--tool-groups', 'system', '--data-class', 'diagnostics', '--reason', 'Contract']
  expect(await json('govern', '--configuration', identifier, ...govern)).toMatchObject({
    allowedToolGroups: ['system'],
    trustZone: 'external-global',
    dataLimitOfZone: 'content',
    dataLimit: 'diagnostics',
    enabled: true,
  })
  expect(await json('show', identifier)).toMatchObject({
    version: 3,
    temperature: null,
    topP: 0.5,
    costCapMicroUsd: 250_000,
    fallbacks: [{ id: far }],
    usedBy: { runs: 0 },
  })
  const diff = await toolgate(['configuration', 'versions', identifier, '--diff', '1,2'])
  expect(diff.stdout).toContain('Top-p:\n- model’s default\n+ 0.5\n')
  const options = ['--verbosity', 'high', '--stop-fallback-on', 'auth,server']
  const set = [
    '--prompt-caching',
    'off',
    '--reasoning-effort',
    'xhigh',
    '--prompted-hops',
    '3',
    '--tool-mode',
    'prompted',
  ]
  await json('edit', identifier, ...options, ...set, '--extra-body', '{"a": 1}')
  expect(await json('show', identifier)).toMatchObject({
    reasoningEffort: 'xhigh',
    toolMode: 'prompted',
    options: {
      verbosity: 'high',
      noFallbackOn: ['server', 'auth'],
      promptCaching: false,
      promptedHops: 3,
      extraBody: { a: 1 },
    },
  })
  const lines = (await toolgate(['configuration', 'versions', identifier, '--diff', '3,4'])).stdout
  expect(lines).toContain('Verbosity:\n- model’s default\n+ High\n')
  expect(lines).toContain('No fallback after:\n- none\n+ Server error, Key refused\n')
  const words = (await toolgate(['configuration', 'show', identifier])).stdout
  expect(words).toMatch(/Requests with tools in prompted mode +3/)
  await json('edit', identifier, '--verbosity', 'default', '--extra-body', 'none')
  expect((await json('show', identifier)).options).toMatchObject({
    verbosity: null,
    extraBody: null,
  })
  const bad = await toolgate(['configuration', 'edit', identifier, '--extra-body', '[1]'])
  expect([bad.code, bad.stderr]).toEqual([2, expect.stringContaining('Write a JSON object')])
  expect(await json('restore', identifier, '1')).toMatchObject({ version: 6 })
  await json('clone', identifier, '--identifier', `${identifier}-2`)
  const off = ['--reason', 'Off']
  expect(await json('disable', `${identifier}-2`, ...off)).toMatchObject({ changed: true })
  expect(await json('remove', `${identifier}-2`)).toMatchObject({ deleted: true })
  answer = async (request) => turnOfPrompt(request)
  const tested = await finish(startToolgate(['configuration', 'test', identifier, '--json']))
  expect(tested.code).toBe(0)
  expect(JSON.parse(tested.stdout)).toMatchObject({ identifier, failure: null })
})
