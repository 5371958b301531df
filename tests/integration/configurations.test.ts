import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import * as one from '@/app/api/v1/configurations/[name]/route'
import * as all from '@/app/api/v1/configurations/route'
import { allowGroup } from '@/lib/configurations/allow-group'
import { cloneConfiguration } from '@/lib/configurations/clone-configuration'
import { createConfiguration } from '@/lib/configurations/create-configuration'
import { deleteConfiguration } from '@/lib/configurations/delete-configuration'
import { listConfigurationVersions } from '@/lib/configurations/list-configuration-versions'
import { listConfigurations } from '@/lib/configurations/list-configurations'
import { readConfiguration } from '@/lib/configurations/read-configuration'
import { readConfigurationUses } from '@/lib/configurations/read-configuration-uses'
import { readEditableConfiguration } from '@/lib/configurations/read-editable-configuration'
import { readGovernedConfiguration } from '@/lib/configurations/read-governed-configuration'
import { restoreConfigurationVersion } from '@/lib/configurations/restore-configuration-version'
import type { CreateConfiguration, UpdateConfiguration } from '@/lib/configurations/schemas'
import { updateConfiguration } from '@/lib/configurations/update-configuration'
import { updateConfigurationPolicy } from '@/lib/configurations/update-configuration-policy'
import { createConnection } from '@/lib/connections/create-connection'
import type { Ctx } from '@/lib/context'
import { db } from '@/lib/db'
import {
  ConflictError,
  ForbiddenError,
  NotFoundError,
  StaleError,
  ValidationError,
} from '@/lib/errors'
import { createGroup } from '@/lib/groups/create-group'
import { deleteGroup } from '@/lib/groups/delete-group'
import { createModel } from '@/lib/models/create-model'
import { foldRun } from '@/lib/protocol/fold-run'
import type { TrustZone } from '@/lib/protocol/run-event'
import { startEngine } from '@/lib/runs/engine'
import type { Engine } from '@/lib/runs/running-engine'
import { startRun } from '@/lib/runs/start-run'
import { startTestRun } from '@/lib/runs/start-test-run'
import { closeWake } from '@/lib/runs/wake'
import { attachSkill } from '@/lib/skills/attach-skill'
import { findSkill } from '@/lib/skills/find-skill'
import { importSkills } from '@/lib/skills/import-skills'
import { readSkillFiles } from '@/lib/skills/read-skill-files'
import { explainTools } from '@/lib/toolset/explain-tools'
import { governConfiguration } from '@/lib/toolset/govern-configuration'
import { policyEffect } from '@/lib/toolset/policy-effect'
import { editConfiguration } from '@/lib/toolset/save-configuration'
import { addLocalModel } from '../support/add-local-model'
import { apiKeyOf, ask } from '../support/api-client'
import { turnOfPrompt } from '../support/model-server/prompt-directives'
import type { ScriptedTurn, ServedRequest } from '../support/model-server/scripted-turn'
import { type ModelServer, startModelServer } from '../support/model-server/start-model-server'
import { addPerson } from '../support/people'
import { collect } from '../support/run-site'
import { skillText } from '../support/skills'
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

const tag = () => randomUUID().slice(0, 8)

/** A model nobody asks, on a connection of its own. */
async function addModel(trustZone: TrustZone = 'external-global', name = tag()): Promise<string> {
  const { id: connectionId } = await createConnection(admin, {
    name: `Far ${name}`,
    wire: 'openai-compatible',
    trustZone,
    baseUrl: 'https://llm.example.org/v1',
    apiKey: null,
  })
  const prices = { input: 1, output: 2, cachedInput: null, cacheWrite: null, reasoning: null }
  const model = { connectionId, modelId: `m-${name}`, displayName: `Model ${name}`, prices }
  return (await createModel(admin, model)).id
}

async function add(fields: Partial<CreateConfiguration> = {}): Promise<string> {
  const identifier = `c-${tag()}`
  const modelId = fields.modelId ?? (await addModel())
  const names = { identifier, name: `The ${identifier}` }
  return (await createConfiguration(admin, { ...names, ...fields, modelId })).id
}

const formOf = async (id: string) => (await readEditableConfiguration(admin, id)).form
const versionsOf = async (id: string) => (await listConfigurationVersions(admin, id)).versions

/** As somebody who looked at it just before. */
async function edit(id: string, changes: Omit<UpdateConfiguration, 'version'>) {
  const { version } = await readEditableConfiguration(admin, id)
  return updateConfiguration(admin, id, { ...changes, version })
}

async function fieldsOf(refused: Promise<unknown>): Promise<Record<string, string>> {
  const error = await refused.then(
    () => new Error('Nothing was refused.'),
    (thrown) => thrown,
  )
  expect(error).toBeInstanceOf(ValidationError)
  return (error as ValidationError).fields
}

async function gateOf(id: string, name: string): Promise<string> {
  const asked = { userId: null, configuration: id, selected: null }
  const verdict = (await explainTools(admin, asked)).find((tool) => tool.name === name)?.verdict
  return verdict?.allowed === false ? verdict.gate : 'allowed'
}

describe('a configuration', () => {
  test('gives a run everything it needs, by id or identifier, and is audited', async () => {
    const [first, second] = [await addModel('external-eu'), await addModel()]
    const id = await add({ modelId: first, fallbackModelIds: [second], costCapMicroUsd: 50_000 })
    const { identifier } = await formOf(id)
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
    expect(await versionsOf(id)).toMatchObject([{ version: 1, createdByLabel: admin.actor.email }])
  })

  test('is seen by members through their groups alone, and by nobody while it is off', async () => {
    const group = await createGroup(admin, { name: tag() })
    const id = await add({ groupIds: [group.id] })
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
    expect(await gateOf(id, 'list_users')).toBe('configuration')
  })

  test.each(['', '../main', 'x'.repeat(500), '\u0000', '%'])(
    'is not found under %j',
    async (name) => {
      await expect(readConfiguration(db(), admin, name)).rejects.toThrow(NotFoundError)
    },
  )

  test('refuses a taken identifier, figures out of range, and chains no run could walk', async () => {
    const [first, second, off] = [await addModel(), await addModel(), await addModel()]
    await db().connection.updateMany({
      where: { models: { some: { id: off } } },
      data: { enabled: false },
    })
    const good = { identifier: `c-${tag()}`, name: 'Good', modelId: first }
    const attempt = (change: object, ctx = admin) =>
      createConfiguration(ctx, { ...good, ...change })
    const { identifier } = await formOf(await add())
    await expect(attempt({ identifier })).rejects.toThrow(ConflictError)
    await expect(attempt({ modelId: randomUUID() })).rejects.toThrow('Pick another')
    await expect(attempt({ groupIds: [randomUUID()] })).rejects.toThrow('group')
    expect(
      await fieldsOf(attempt({ seed: 2 ** 31, maxRounds: 51, toolMode: 'prompted', topP: 0 })),
    ).toMatchObject({
      seed: expect.stringMatching('A seed is'),
      maxRounds: 'At most 50 rounds.',
      toolMode: expect.stringMatching('cannot work in prompted mode yet'),
      topP: expect.anything(),
    })
    for (const [change, words] of [
      [{ fallbackModelIds: [first] }, 'Name each model once'],
      [{ fallbackModelIds: [second, second] }, 'Name each model once'],
      [{ fallbackModelIds: [randomUUID()] }, 'does not exist any more'],
      [{ fallbackModelIds: [off] }, 'is switched off'],
    ] as const) {
      const fields = await fieldsOf(attempt(change))
      expect(fields).toEqual({ fallbackModelIds: expect.stringContaining(words) })
    }
    expect(await fieldsOf(attempt({ modelId: off }))).toHaveProperty('modelId')
    await expect(attempt({}, member)).rejects.toThrow(ForbiddenError)
    await expect(attempt({})).resolves.toBeDefined()
  })
})

describe('a change', () => {
  test('is kept as a version, whoever makes it and whatever it is of', async () => {
    const id = await add({ systemPrompt: 'Be brief.' })
    const group = await createGroup(admin, { name: `Readers ${tag()}` })
    const name = `skill-${tag()}`
    const files = await readSkillFiles(Buffer.from(skillText(name)))
    await importSkills(admin, { source: 'paste', files, confirmed: null })
    const { id: skillId } = await findSkill(admin, name)

    expect(await edit(id, { temperature: 0.2, note: 'Calmer' })).toEqual({
      version: 2,
      changed: true,
    })
    expect(await edit(id, { temperature: 0.2 })).toEqual({ version: 2, changed: false })
    await updateConfigurationPolicy(admin, id, { fourEyes: true })
    await allowGroup(admin, id, group.id, true)
    await attachSkill(admin, { configurationId: id, skillId })
    await deleteGroup(admin, group.id)
    expect(await versionsOf(id)).toMatchObject([
      { version: 6, note: expect.stringMatching('was deleted'), form: { groups: [] } },
      { version: 5, form: { skills: [{ id: skillId, name, enabled: true }] } },
      { version: 4, form: { groups: [{ id: group.id }] } },
      { version: 3, form: { fourEyes: true } },
      { version: 2, note: 'Calmer', form: { temperature: 0.2, systemPrompt: 'Be brief.' } },
      { version: 1, form: { temperature: null, fourEyes: false } },
    ])
    const entry = await db().auditEntry.findFirstOrThrow({
      where: { action: 'configuration.update', objectId: id },
    })
    expect(entry).toMatchObject({
      before: { temperature: null },
      after: { temperature: 0.2 },
      reason: 'Calmer',
    })
    expect(entry.after).not.toHaveProperty('systemPrompt')
  })

  test('keeps what was before it where no history was kept', async () => {
    const id = await add({ maxRounds: 7 })
    await db().configurationVersion.deleteMany({ where: { configurationId: id } })
    await edit(id, { maxRounds: 9 })
    expect(await versionsOf(id)).toMatchObject([
      { version: 2, form: { maxRounds: 9 } },
      { version: 1, form: { maxRounds: 7 }, note: expect.stringMatching('before its history') },
    ])
  })

  test('of what was changed meanwhile is refused with what that was; two at once never both win', async () => {
    const id = await add()
    await edit(id, { maxRounds: 9 })
    const stale = updateConfiguration(admin, id, { version: 1, description: 'Mine' })
    await expect(stale).rejects.toThrow(StaleError)
    await expect(stale).rejects.toThrow(/version 2, you saw version 1\..* Different now: Rounds\./)
    expect((await formOf(id)).description).toBe('')
    const both = await Promise.allSettled(
      ['One', 'Two'].map((description) =>
        updateConfiguration(admin, id, { version: 2, description }),
      ),
    )
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect((await versionsOf(id)).map(({ version }) => version)).toEqual([3, 2, 1])
  })

  test('of the chain changes what its runs may be offered, and says so before', async () => {
    const [near, far] = [await addModel('private'), await addModel('external-global')]
    const id = await add({ modelId: near })
    expect(await gateOf(id, 'get_runtime_info')).toBe('allowed')
    const wanted = { modelIds: [near, far], allowedToolGroups: null }
    const effect = await policyEffect(admin, id, wanted)
    expect(effect).toMatchObject({
      before: { zone: 'private', limit: 'diagnostics' },
      after: { zone: 'external-global', limit: 'content' },
      opens: [],
      raiseLost: null,
    })
    expect(effect?.closes).toContain('get_runtime_info')
    await edit(id, { fallbackModelIds: [far] })
    expect(await gateOf(id, 'get_runtime_info')).toBe('trust-zone')
    const back = await policyEffect(admin, id, { ...wanted, modelIds: [near] })
    expect(back?.opens).toEqual(effect?.closes)
    expect(await policyEffect(admin, id, { ...wanted, modelIds: [] })).toBeNull()

    const twice = edit(id, { modelId: far })
    expect(await fieldsOf(twice)).toHaveProperty('fallbackModelIds')
    await edit(id, { modelId: far, fallbackModelIds: [near] })
    expect((await formOf(id)).fallbacks).toMatchObject([{ id: near }])
    await db().model.update({ where: { id: near }, data: { enabled: false } })
    await expect(edit(id, { fallbackModelIds: [near], maxRounds: 3 })).resolves.toBeDefined()
  })

  test('that adds a provider trusted less takes a raised data class back', async () => {
    const [near, far] = [await addModel('external-eu'), await addModel('external-global')]
    const id = await add({ modelId: near })
    const raise = { raisedDataClass: 'secret-adjacent' as const, reason: 'Contract' }
    await updateConfigurationPolicy(admin, id, raise)
    const wanted = { modelIds: [near, far], allowedToolGroups: null }
    expect(await policyEffect(admin, id, wanted)).toMatchObject({ raiseLost: 'secret-adjacent' })
    await edit(id, { description: 'The raise stays' })
    expect((await formOf(id)).raisedDataClass).toBe('secret-adjacent')
    await edit(id, { fallbackModelIds: [far] })
    expect((await formOf(id)).raisedDataClass).toBeNull()
  })

  test('of policy is audited, needs reasons where others lose, and knows the tool groups', async () => {
    const id = await add()
    expect(await gateOf(id, 'get_runtime_info')).toBe('trust-zone')
    const raise = { raisedDataClass: 'secret-adjacent' as const }
    await expect(governConfiguration(admin, id, raise)).rejects.toThrow(ValidationError)
    expect(await governConfiguration(admin, id, { ...raise, reason: 'Contract' })).toBe(true)
    expect(await governConfiguration(admin, id, { ...raise, reason: 'Again' })).toBe(false)
    expect(await gateOf(id, 'get_runtime_info')).toBe('allowed')
    const accounts = { allowedToolGroups: ['accounts', 'accounts'] }
    await governConfiguration(admin, id, { ...accounts, fourEyes: true })
    expect(await gateOf(id, 'get_runtime_info')).toBe('configuration')
    expect(await gateOf(id, 'list_users')).toBe('allowed')
    const misspelt = { allowedToolGroups: ['acounts'] }
    for (const refused of [
      governConfiguration(admin, id, misspelt),
      editConfiguration(admin, id, { ...misspelt, version: 3 }),
    ]) {
      await expect(refused).rejects.toThrow('There is no tool group "acounts".')
    }
    for (const change of [{ enabled: false }, { fourEyes: false }]) {
      await expect(updateConfigurationPolicy(admin, id, change)).rejects.toThrow(ValidationError)
    }
    await governConfiguration(admin, id, { allowedToolGroups: null, raisedDataClass: null })
    expect(await gateOf(id, 'get_runtime_info')).toBe('trust-zone')
    const entries = await db().auditEntry.findMany({
      where: { action: 'configuration.update-policy', objectId: id },
      orderBy: { id: 'asc' },
    })
    expect(entries).toMatchObject([
      { before: { raisedDataClass: null }, after: raise, reason: 'Contract' },
      { before: { fourEyes: false, allowedToolGroups: null }, after: { fourEyes: true } },
      { before: { allowedToolGroups: ['accounts'] }, after: { allowedToolGroups: null } },
    ])
    expect(entries[1]?.after).not.toHaveProperty('raisedDataClass')
  })

  test('is for admins, and for configurations that are there', async () => {
    const id = await add()
    const nowhere = '019a0000-0000-7000-8000-000000000001'
    const copy = { identifier: 'copy', name: 'Copy' }
    const verbs: ((ctx: Ctx, which: string) => Promise<unknown>)[] = [
      (ctx, which) => updateConfiguration(ctx, which, { version: 1 }),
      (ctx, which) => updateConfigurationPolicy(ctx, which, {}),
      (ctx, which) => restoreConfigurationVersion(ctx, which, { restored: 1, version: 1 }),
      (ctx, which) => cloneConfiguration(ctx, which, copy),
      (ctx, which) => deleteConfiguration(ctx, which),
      (ctx, which) => readGovernedConfiguration(ctx, which),
      (ctx, which) => startTestRun(ctx, which),
    ]
    for (const verb of verbs) {
      await expect(verb(member, id)).rejects.toThrow(ForbiddenError)
      await expect(verb(admin, nowhere)).rejects.toThrow(NotFoundError)
    }
    for (const refused of [
      governConfiguration(member, id, {}),
      readConfigurationUses(member, id),
      listConfigurationVersions(member, id),
      policyEffect(member, id, { modelIds: [], allowedToolGroups: null }),
    ]) {
      await expect(refused).rejects.toThrow(ForbiddenError)
    }
  })
})

test('an old version comes back as a new one, unless something of it is gone', async () => {
  const [old, now] = [await addModel('private', `old-${tag()}`), await addModel('private')]
  const group = await createGroup(admin, { name: `Old ${tag()}` })
  const id = await add({ modelId: old, groupIds: [group.id], systemPrompt: 'First.' })
  await edit(id, { modelId: now, groupIds: [], systemPrompt: 'Second.' })
  await updateConfigurationPolicy(admin, id, { enabled: false, reason: 'A while' })
  const restore = (restored: number, version: number) =>
    restoreConfigurationVersion(admin, id, { restored, version, note: 'It was better.' })
  await expect(restore(1, 2)).rejects.toThrow(StaleError)
  await expect(restore(9, 3)).rejects.toThrow(NotFoundError)
  expect(await restore(1, 3)).toEqual({ version: 4, changed: true })
  expect((await versionsOf(id))[0]).toMatchObject({
    version: 4,
    note: 'Version 1 was brought back. It was better.',
    form: {
      model: { id: old },
      groups: [{ id: group.id }],
      systemPrompt: 'First.',
      enabled: false,
    },
  })
  await expect(restore(4, 4)).rejects.toThrow(ConflictError)
  await edit(id, { modelId: now, groupIds: [] })
  await db().model.delete({ where: { id: old } })
  await deleteGroup(admin, group.id)
  await expect(restore(4, 5)).rejects.toThrow(/the model Model old-.*, the group Old .* are gone/)
  expect((await formOf(id)).model.id).toBe(now)
})

test('a clone is like its original, open to nobody and raised to nothing', async () => {
  const group = await createGroup(admin, { name: tag() })
  const fallbackModelIds = [await addModel(), await addModel()]
  const id = await add({ groupIds: [group.id], fallbackModelIds, stop: ['END'], maxRounds: 9 })
  await updateConfigurationPolicy(admin, id, { raisedDataClass: 'diagnostics', reason: 'So' })
  const identifier = `copy-${tag()}`
  const copy = await cloneConfiguration(admin, id, { identifier, name: 'Copy' })
  const original = await formOf(id)
  expect(await formOf(copy.id)).toEqual({
    ...original,
    identifier,
    name: 'Copy',
    groups: [],
    raisedDataClass: null,
  })
  expect(await versionsOf(copy.id)).toMatchObject([
    { version: 1, note: `A copy of ${original.identifier}, version 2.` },
  ])
  const again = cloneConfiguration(admin, id, { identifier, name: 'Copy' })
  await expect(again).rejects.toThrow(ConflictError)
})

test('one is deleted only when nothing uses it; past runs and their snapshot stay', async () => {
  const id = await add({ modelId: localModel })
  const { identifier, name } = await formOf(id)
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

test('an edit in the middle of a run changes nothing of it but what it takes away (ADR 007)', async () => {
  const id = await add({
    modelId: localModel,
    systemPrompt: 'The first prompt.',
    temperature: 0.1,
    maxOutputTokens: 100,
    allowedToolGroups: ['system'],
  })
  const calls = [{ name: 'get_runtime_info', arguments: {} }]
  const seen: ServedRequest[] = []
  answer = async (request) => {
    seen.push(request)
    if (seen.length > 1) return { text: 'Done.' }
    const changes = { systemPrompt: 'Another.', temperature: 0.9, maxOutputTokens: 200 }
    await edit(id, {
      ...changes,
      modelId: await addModel('private'),
      maxRounds: 1,
      allowedToolGroups: ['accounts'],
    })
    return { calls }
  }
  engine ??= await startEngine('server')
  const { runId } = await startRun(admin, {
    configuration: id,
    prompt: 'What runs here?',
    tools: null,
    maxRounds: null,
    idempotencyKey: null,
  })
  const state = foldRun(await collect(admin, runId))
  expect(state.end).toMatchObject({ reason: 'completed', truncated: false })
  expect(state.rounds).toHaveLength(2)
  expect(state.rounds[0]?.calls[0]?.state).toMatchObject({
    type: 'ended',
    verdict: { allowed: false, gate: 'configuration' },
  })
  expect(seen).toHaveLength(2)
  for (const request of seen) {
    const text = JSON.stringify(request)
    expect(text).toContain('The first prompt.')
    expect(text).not.toContain('Another.')
  }
  expect(state.start?.snapshot).toMatchObject({
    parameters: { temperature: 0.1, maxOutputTokens: 100 },
    targets: [{ modelRecordId: localModel }],
    maxRounds: 5,
  })
})

test('a test is one short real run without tools, on behalf of whoever asks', async () => {
  const id = await add({ modelId: localModel })
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
  const far = await addModel('external-global', tag())
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
  expect(stale.stderr).toContain('you saw version 1')
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
  expect(await json('restore', identifier, '1')).toMatchObject({ version: 4 })
  await json('clone', identifier, '--identifier', `${identifier}-2`)
  const off = ['--reason', 'Off']
  expect(await json('disable', `${identifier}-2`, ...off)).toMatchObject({ changed: true })
  expect(await json('remove', `${identifier}-2`)).toMatchObject({ deleted: true })
  answer = async (request) => turnOfPrompt(request)
  const tested = await finish(startToolgate(['configuration', 'test', identifier, '--json']))
  expect(tested.code).toBe(0)
  expect(JSON.parse(tested.stdout)).toMatchObject({ identifier, failure: null })
})
