import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { updateConfigurationPolicy } from '@/lib/domains/configurations/policy-verbs'
import {
  readConfigurationUses,
  readGovernedConfiguration,
} from '@/lib/domains/configurations/reads'
import { readConfiguration } from '@/lib/domains/configurations/run-snapshot'
import { listConfigurations } from '@/lib/domains/configurations/usable'
import { createConfiguration, deleteConfiguration } from '@/lib/domains/configurations/verbs'
import { groupVerbs } from '@/lib/domains/groups/verbs'
import type { Ctx } from '@/lib/kernel/context'
import { ConflictError, ForbiddenError, NotFoundError } from '@/lib/kernel/errors'
import { foldRun } from '@/lib/protocol/run/fold-run'
import type { Engine } from '@/lib/runs/engine/engine'
import { startRun } from '@/lib/runs/start/start-run'
import { startTestRun } from '@/lib/runs/start/start-test-run'
import { addLocalModel } from '@/tests/support/add-local-model'
import {
  addConfiguration,
  addModel,
  formOf,
  gateOf,
  tag,
  versionsOf,
} from '@/tests/support/configuration-fixture'
import { db } from '@/tests/support/fixture-db'
import type { ScriptedTurn, ServedRequest } from '@/tests/support/model-server/scripted-turn'
import { type ModelServer, startModelServer } from '@/tests/support/model-server/start-model-server'
import { addPerson } from '@/tests/support/people'
import { refusedFields } from '@/tests/support/refused-fields'
import { collect } from '@/tests/support/run-site'
import { startTestEngine } from '@/tests/support/test-engine'

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
  await engine?.close()
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
    const group = await groupVerbs.create(admin, { name: tag() })
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
    await updateConfigurationPolicy(admin, { id, enabled: false, reason: 'Too dear' })
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
      await refusedFields(attempt({ seed: 2 ** 31, maxRounds: 201, toolMode: 'text', topP: 0 })),
    ).toMatchObject({
      seed: expect.stringMatching('A seed must be'),
      maxRounds: 'At most 200 rounds.',
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
  const question = { configuration: id, prompt: 'Hello.', tools: [], maxRounds: 1 }
  const { runId } = await startRun(admin, { ...question, idempotencyKey: null })
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
  await expect(deleteConfiguration(admin, { id })).rejects.toThrow(
    `${name} is in use by 1 run of ${admin.actor.email}, the task Daily, a budget of tokens a day.`,
  )
  await db().run.update({ where: { id: runId }, data: { status: 'ended' } })
  await db().task.delete({ where: { id: taskId } })
  await db().budget.deleteMany({ where: { scopeId: id } })
  await deleteConfiguration(admin, { id, reason: 'Old' })
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
  engine ??= await startTestEngine()
  const { runId } = await startTestRun(admin, { id })
  const state = foldRun(await collect(admin, runId))
  expect(state.start).toMatchObject({ accepted: [], actor: { userId: admin.actor.userId } })
  expect(state.rounds).toMatchObject([{ text: 'ready' }])
  await updateConfigurationPolicy(admin, { id, enabled: false, reason: 'Off' })
  await expect(startTestRun(admin, { id })).rejects.toThrow('Switch it on to test it.')
})
