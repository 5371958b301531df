import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findConfiguration, readEditableConfiguration } from '@/lib/domains/configurations/reads'
import { createConfiguration, updateConfiguration } from '@/lib/domains/configurations/verbs'
import { runSummary } from '@/lib/doors/api/run-summary'
import { createApiKey } from '@/lib/joined-verbs'
import type { Ctx } from '@/lib/kernel/context'
import { ConflictError, ForbiddenError, NotFoundError } from '@/lib/kernel/errors'
import { foldRun } from '@/lib/protocol/run/fold-run'
import type { OverrideName } from '@/lib/protocol/run/override-names'
import type { Engine } from '@/lib/runs/engine/engine'
import { readRun } from '@/lib/runs/read-run'
import type { StartRunInput } from '@/lib/runs/schemas'
import { readChangeable } from '@/lib/runs/start/changeable'
import { startRun } from '@/lib/runs/start/start-run'
import { applySite } from '@/lib/site-file/apply-site'
import { exportSite } from '@/lib/site-file/export-site'
import { parseSiteFile } from '@/lib/site-file/parse-site-file'
import { planSite } from '@/lib/site-file/plan-site'
import { addLocalModel } from '@/tests/support/add-local-model'
import { db } from '@/tests/support/fixture-db'
import { turnOfPrompt } from '@/tests/support/model-server/prompt-directives'
import { type ModelServer, startModelServer } from '@/tests/support/model-server/start-model-server'
import { addPerson } from '@/tests/support/people'
import { refusedFields } from '@/tests/support/refused-fields'
import { collect } from '@/tests/support/run-site'
import { startTestEngine } from '@/tests/support/test-engine'

let admin: Ctx
let member: Ctx
let engine: Engine
let server: ModelServer
let groupId: string
let modelId: string
let otherModelId: string

beforeAll(async () => {
  server = await startModelServer({ script: turnOfPrompt })
  admin = await addPerson('admin')
  member = await addPerson('member')
  engine = await startTestEngine()
  const { userId } = member.actor
  const group = await db().group.create({
    data: {
      name: `Group ${randomUUID()}`,
      createdByLabel: 'test',
      members: { create: { userId } },
    },
  })
  groupId = group.id
  modelId = await addModelAt('external_global')
  otherModelId = await addModelAt('local')
})
afterAll(async () => {
  await engine.close()
  await server.close()
})

async function addModelAt(trustZone: 'external_global' | 'local'): Promise<string> {
  const connectionName = `Changed ${randomUUID().slice(0, 8)}`
  const id = await addLocalModel(admin, {
    wire: 'openai-compatible',
    connectionName,
    url: server.url,
  })
  await db().connection.updateMany({ where: { name: connectionName }, data: { trustZone } })
  return id
}

/** Adds a configuration that the group may use. */
async function add(fields: Partial<Parameters<typeof createConfiguration>[1]> = {}) {
  const identifier = `c-${randomUUID().slice(0, 8)}`
  const names = { identifier, name: identifier }
  const own = { modelId, temperature: 0.2, maxOutputTokens: 500, systemPrompt: 'Be brief.' }
  await createConfiguration(admin, { ...names, ...own, groupIds: [groupId], ...fields })
  return identifier
}

const input = (configuration: string, wishes: Partial<StartRunInput> = {}) => ({
  configuration,
  prompt: `Hi ${randomUUID()}`,
  ...wishes,
})

async function run(ctx: Ctx, configuration: string, wishes: Partial<StartRunInput> = {}) {
  const requested = input(configuration, wishes)
  const { runId } = await startRun(ctx, requested)
  const state = foldRun(await collect(ctx, runId))
  const [sent] = server.requests.filter((request) => request.prompt === requested.prompt)
  return { runId, state, sent }
}

const changes = { systemPrompt: 'Be long.', temperature: 0.9, maxOutputTokens: 700 }

test('the request of a run has its changes, and journal, audit and API say them', async () => {
  const configuration = await add()
  const first = await run(admin, configuration)
  const { runId, state, sent } = await run(admin, configuration, {
    overrides: { ...changes, model: otherModelId },
    changedFrom: first.runId,
  })
  expect(sent?.body).toMatchObject({ temperature: 0.9 })
  expect(JSON.stringify(sent?.body)).toContain('700')
  expect(sent?.system).toContain('Be long.')
  expect(sent?.system).not.toContain('Be brief.')
  expect(state.start?.overridden).toEqual(['model', 'system-prompt', 'temperature', 'output-limit'])
  expect(state.start?.changedFrom).toBe(first.runId)
  expect(state.start?.snapshot.targets).toMatchObject([{ modelRecordId: otherModelId }])
  expect(runSummary(await readRun(admin, runId), 'admin')).toMatchObject({
    overrides: { ...changes, model: otherModelId },
    changedFrom: first.runId,
  })
  const audit = await db().auditEntry.findFirstOrThrow({
    where: { action: 'run.start', objectId: runId },
  })
  expect(audit.after).toMatchObject({
    overrides: { systemPrompt: 'changed', temperature: 0.9, maxOutputTokens: 700 },
    changedFrom: first.runId,
  })
  expect(JSON.stringify(audit.after)).not.toContain('Be long.')
  const after = await run(admin, configuration)
  expect(after.sent?.body).toMatchObject({ temperature: 0.2 })
  expect(after.state.start).not.toHaveProperty('overridden')
})

test('a change that the configuration has anyway is none', async () => {
  const configuration = await add()
  const overrides = { model: modelId, temperature: 0.2, systemPrompt: 'Be brief.' }
  const { state } = await run(member, configuration, { overrides })
  expect(state.start).not.toHaveProperty('overridden')
})

test('another model stands without the fallback chain, the same one keeps it', async () => {
  const third = await addModelAt('external_global')
  const configuration = await add({ fallbackModelIds: [third] })
  const targetsOf = async (model: string) =>
    (await run(admin, configuration, { overrides: { model } })).state.start?.snapshot.targets.map(
      ({ modelRecordId }) => modelRecordId,
    )
  expect(await targetsOf(otherModelId)).toEqual([otherModelId])
  expect(await targetsOf(modelId)).toEqual([modelId, third])
})

test('the offer is decided by the zone of the other model, and a raise ends where it is less trusted', async () => {
  const configuration = await add({ modelId: otherModelId, groupIds: [] })
  const raised = { raisedDataClass: 'secret-adjacent' }
  await db().configuration.updateMany({ where: { identifier: configuration }, data: raised })
  const wide = await run(admin, configuration)
  const narrow = await run(admin, configuration, { overrides: { model: modelId } })
  expect(wide.state.start?.snapshot.raisedDataClass).toBe('secret-adjacent')
  expect(narrow.state.start?.snapshot.raisedDataClass).toBeNull()
  const ofZone = narrow.state.start?.rejected.filter(({ gate }) => gate === 'trust-zone') ?? []
  expect(ofZone.map(({ name }) => name)).toContain('get_env')
  const offered = wide.state.start?.accepted.map(({ name }) => name)
  expect(offered).toContain('get_env')
})

test('members may change nothing by default, and are told which list decides', async () => {
  const configuration = await add()
  for (const overrides of [{ temperature: 0.9 }, { systemPrompt: '' }, { model: otherModelId }]) {
    const refused = startRun(member, input(configuration, { overrides }))
    await expect(refused).rejects.toThrow(ForbiddenError)
    await expect(refused).rejects.toThrow('Members may change for a single run')
  }
})

test('a limited key of an admin may change what members may', async () => {
  const configuration = await add({ allowedOverrides: ['temperature'] })
  const { id } = await findConfiguration(admin, configuration)
  const scopes = ['runs:write'] as const
  const key = await createApiKey(admin, { name: 'App', scopes: [...scopes], configurations: [id] })
  const keyLimits = { tools: null, toolGroups: null, configurations: [id] }
  const limited: Ctx = { ...admin, via: 'api', apiKeyId: key.id, keyLimits }
  const prompt = startRun(limited, input(configuration, { overrides: { systemPrompt: 'No.' } }))
  await expect(prompt).rejects.toThrow(ForbiddenError)
  expect((await readChangeable(limited, configuration))?.allowed).toEqual(['temperature'])
  expect(
    (await run(limited, configuration, { overrides: { temperature: 1 } })).state.end?.reason,
  ).toBe('completed')
})

test('members may change what the configuration lists, with models of configurations that are theirs', async () => {
  const allowedOverrides: OverrideName[] = ['output-limit', 'temperature', 'model']
  const configuration = await add({ allowedOverrides })
  const { state, sent } = await run(member, configuration, {
    overrides: { temperature: 1.1, maxOutputTokens: 100 },
  })
  expect(state.end?.reason).toBe('completed')
  expect(sent?.body).toMatchObject({ temperature: 1.1 })
  const refusedOf = async (overrides: StartRunInput['overrides']) =>
    refusedFields(startRun(member, input(configuration, { overrides })))
  expect(await refusedOf({ maxOutputTokens: 501 })).toMatchObject({
    'overrides.maxOutputTokens': expect.stringContaining('500 tokens'),
  })
  expect(await refusedOf({ maxOutputTokens: null })).toHaveProperty(['overrides.maxOutputTokens'])
  const foreign = await refusedOf({ model: otherModelId })
  expect(foreign).toHaveProperty(['overrides.model'])
  expect(await refusedOf({ model: randomUUID() })).toEqual(foreign)
  const pickable = (await readChangeable(member, configuration))?.models.map(({ id }) => id)
  expect(pickable).toContain(modelId)
  expect(pickable).not.toContain(otherModelId)
  await add({ modelId: otherModelId })
  const other = await run(member, configuration, { overrides: { model: otherModelId } })
  expect(other.state.start?.snapshot.targets[0]?.modelRecordId).toBe(otherModelId)
  const prompt = startRun(member, input(configuration, { overrides: { systemPrompt: 'No.' } }))
  await expect(prompt).rejects.toThrow('system prompt')
})

test('the list counts for runs that start after it changed', async () => {
  const identifier = await add({ allowedOverrides: ['temperature'] })
  await run(member, identifier, { overrides: { temperature: 1 } })
  const { id } = await findConfiguration(admin, identifier)
  const { version, form } = await readEditableConfiguration(admin, { id })
  expect(form.allowedOverrides).toEqual(['temperature'])
  await updateConfiguration(admin, { id, version, allowedOverrides: [] })
  const refused = startRun(member, input(identifier, { overrides: { temperature: 1 } }))
  await expect(refused).rejects.toThrow(ForbiddenError)
})

test('a model that is off is refused, also for admins, and so is a cap without its price', async () => {
  const off = await addModelAt('external_global')
  await db().model.update({ where: { id: off }, data: { enabled: false } })
  const configuration = await add()
  const overrides = { model: off }
  const refused = await refusedFields(startRun(admin, input(configuration, { overrides })))
  expect(refused).toHaveProperty(['overrides.model'])
  const unpriced = { model: otherModelId }
  const costCap = { mode: 'enforce' as const, limitMicroUsd: 1_000 }
  await db().modelPrice.deleteMany({ where: { modelRecordId: otherModelId } })
  const capped = startRun(admin, input(configuration, { overrides: unpriced, costCap }))
  await expect(capped).rejects.toThrow(ConflictError)
})

test('a site file says what members may change', async () => {
  const identifier = await add()
  const entry = { identifier, allowedOverrides: ['effort', 'model'] }
  const file = parseSiteFile(JSON.stringify({ toolgate: 2, configurations: [entry] }))
  const { steps } = await planSite(admin, file)
  expect(steps.flatMap(({ changes }) => changes)).toEqual([
    { field: 'allowedOverrides', before: [], after: ['model', 'effort'] },
  ])
  await applySite(admin, file, { reason: 'Try models' })
  expect((await readChangeable(member, identifier))?.allowed).toEqual(['model', 'effort'])
  expect((await planSite(admin, parseSiteFile(await exportSite(admin)))).steps).toEqual([])
})

test('only an own run that ended can be changed', async () => {
  const configuration = await add()
  const { runId } = await run(admin, configuration)
  const ofOthers = startRun(member, input(configuration, { changedFrom: runId }))
  await expect(ofOthers).rejects.toThrow(NotFoundError)
  const none = startRun(member, input(configuration, { changedFrom: randomUUID() }))
  await expect(none).rejects.toThrow(NotFoundError)
  const going = await startRun(admin, {
    configuration,
    prompt: `[[wait 2000ms]] [[say: ok]] ${randomUUID()}`,
  })
  const early = startRun(admin, input(configuration, { changedFrom: going.runId }))
  await expect(early).rejects.toThrow('has not ended')
  await collect(admin, going.runId)
})

test('the same key with other changes is another request', async () => {
  const configuration = await add()
  const requested = input(configuration, { idempotencyKey: randomUUID() })
  const { runId } = await startRun(admin, requested)
  expect(await startRun(admin, requested)).toEqual({ runId, created: false })
  const changed = startRun(admin, { ...requested, overrides: { temperature: 1 } })
  await expect(changed).rejects.toThrow(ConflictError)
})
