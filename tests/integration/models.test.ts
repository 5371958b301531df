import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readConfiguration } from '@/lib/domains/configurations/run-snapshot'
import { createConfiguration } from '@/lib/domains/configurations/verbs'
import { createConnection } from '@/lib/domains/connections/verbs'
import { removeModelPrice, setModelPrice } from '@/lib/domains/models/price-verbs'
import { findModel, listModels, readModel } from '@/lib/domains/models/reads'
import { createModel, createModels, deleteModel, updateModel } from '@/lib/domains/models/verbs'
import type { Ctx } from '@/lib/kernel/context'
import { ConflictError, ForbiddenError, NotFoundError, ValidationError } from '@/lib/kernel/errors'
import { addDiscoveredModels, discoverModels } from '@/lib/probes/discover-models'
import { testToolCalling } from '@/lib/probes/test-tool-calling'
import { unpriced } from '@/lib/protocol/cost/cost'
import { apiKeyOf, apiRoute, ask } from '@/tests/support/api-client'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'

const pricesRoute = apiRoute('/models/{modelId}/prices')
const modelRoute = apiRoute('/models/{modelId}')
const modelsRoute = apiRoute('/models')

let admin: Ctx
let member: Ctx
let connectionId: string
beforeAll(async () => {
  member = await addPerson('member')
  const gateway = { name: 'Gateway', wire: 'openai', trustZone: 'external-global' } as const
  connectionId = (await createConnection(await addPerson('admin'), gateway)).id
})
beforeEach(async () => {
  // Tests that reach a provider are counted for each person.
  admin = await addPerson('admin')
  await db().configuration.deleteMany()
  await db().model.deleteMany()
  await db().auditEntry.deleteMany()
})

async function addModel(modelId = 'm-1', to = connectionId): Promise<string> {
  return (await createModel(admin, { connectionId: to, modelId, displayName: 'Model' })).id
}

async function addConfiguration(identifier: string, modelId: string, fallbacks: string[] = []) {
  const names = { identifier, name: `The ${identifier}` }
  return createConfiguration(admin, { ...names, modelId, fallbackModelIds: fallbacks })
}

const audited = (action: string) =>
  db().auditEntry.findMany({ where: { action }, orderBy: { id: 'asc' } })

describe('models', () => {
  test('are stored once per connection with their prices, and audited', async () => {
    const prices = { ...unpriced, input: 1, output: 2 }
    const input = { connectionId, modelId: 'm-1', displayName: 'Model', prices }
    const { id } = await createModel(admin, input)
    expect(await listModels(admin, {})).toMatchObject([
      { id, connectionName: 'Gateway', prices: { input: 1, output: 2, cachedInput: null } },
    ])
    await expect(createModel(admin, input)).rejects.toThrow(ConflictError)
    await expect(addModel('m-1', randomUUID())).rejects.toThrow(NotFoundError)
    expect(await audited('model.create')).toMatchObject([{ objectId: id }])
    const dear = { ...input, modelId: 'x', prices: { ...unpriced, reasoning: 2_147_483_648 } }
    await expect(createModel(admin, dear)).rejects.toThrow('at most 2,147.48 US dollars')
    await createModel(admin, { ...dear, prices: { ...unpriced, reasoning: 2_147_483_647 } })
    const wide = createModel(admin, { ...input, contextTokens: 100_000_001 })
    await expect(wide).rejects.toThrow('At most 100,000,000 tokens.')
    expect(await findModel(admin, ' m-1 ')).toEqual({ id })
    expect(await findModel(admin, id, 'Gateway')).toEqual({ id })
  })

  test('of several connections need the connection’s name, and many are added whole or not at all', async () => {
    const second = { name: 'Second', wire: 'openai', trustZone: 'external-global' } as const
    const { id: other } = await createConnection(admin, second)
    await addModel('shared')
    const facts = { displayName: 'Model', vision: true, reported: ['vision' as const] }
    const both = await createModels(admin, {
      connectionId: other,
      models: [
        { modelId: 'shared', ...facts },
        { modelId: 'new', ...facts, reasoning: false },
        { modelId: 'new', ...facts },
      ],
    })
    expect(both.ids).toHaveLength(2)
    expect(
      (await createModels(admin, { connectionId: other, models: [{ modelId: 'new', ...facts }] }))
        .ids,
    ).toEqual([])
    await expect(findModel(admin, 'shared')).rejects.toThrow('Gateway, Second')
    const found = await findModel(admin, 'new', 'Second')
    expect(await readModel(admin, { id: found.id })).toMatchObject({
      capabilitySources: { vision: 'reported', reasoning: 'assumed' },
    })
    const bad = [
      { modelId: 'a', ...facts },
      { modelId: '', ...facts },
    ]
    await expect(createModels(admin, { connectionId: other, models: bad })).rejects.toThrow(
      ValidationError,
    )
    expect(await db().model.count({ where: { modelId: 'a' } })).toBe(0)
  })

  test('are edited field by field, and what is changed by hand counts as assumed', async () => {
    const id = await addModel()
    const change = {
      contextTokens: 8_000,
      toolCalling: 'confirmed',
      vision: true,
      reasoningEfforts: ['high', 'none', 'high'],
      unsupportedParameters: ['topP', 'seed', 'topP'],
    } as const
    expect(
      await updateModel(admin, {
        id,
        ...change,
        reasoningEfforts: [...change.reasoningEfforts],
        unsupportedParameters: [...change.unsupportedParameters],
      }),
    ).toBe(true)
    expect(await readModel(admin, { id })).toMatchObject({
      displayName: 'Model',
      contextTokens: 8_000,
      toolCalling: 'confirmed',
      toolCallingSource: 'assumed',
      capabilitySources: { vision: 'assumed' },
      reasoningEfforts: ['none', 'high'],
      unsupportedParameters: ['seed', 'topP'],
    })
    expect(await updateModel(admin, { id, contextTokens: 8_000 })).toBe(false)
    await updateModel(admin, { id, vision: null, toolCalling: 'unconfirmed' })
    expect(await readModel(admin, { id })).toMatchObject({
      toolCallingSource: null,
      capabilitySources: {},
    })
    expect(await audited('model.update')).toMatchObject([
      { before: { contextTokens: null }, after: { contextTokens: 8_000, modelId: 'm-1' } },
      { before: { vision: true }, after: { vision: null } },
    ])
    await expect(updateModel(admin, { id, displayName: ' ' })).rejects.toThrow('Enter a name.')
    const both = { vision: true, enabled: false, reason: 'replaced' }
    expect(await updateModel(admin, { id, ...both })).toBe(true)
    for (const action of ['model.update', 'model.disable']) {
      expect((await audited(action)).at(-1)).toMatchObject({ reason: 'replaced' })
    }
  })

  test('are switched off with a reason where others use them, and drop out of what runs are given', async () => {
    const [first, second] = [await addModel('m-1'), await addModel('m-2')]
    await addConfiguration('main', first, [second])
    await expect(updateModel(admin, { id: second, enabled: false })).rejects.toThrow(
      'Give a reason',
    )
    expect(await updateModel(admin, { id: second, enabled: false, reason: 'too dear' })).toBe(true)
    expect(await updateModel(admin, { id: second, enabled: false, reason: 'again' })).toBe(false)
    expect((await readConfiguration(db(), admin, 'main')).targets).toHaveLength(1)
    await updateModel(admin, { id: first, enabled: false, reason: 'gone' })
    await expect(readConfiguration(db(), admin, 'main')).rejects.toThrow(NotFoundError)
    expect(await updateModel(admin, { id: first, enabled: true })).toBe(true)
    expect(await audited('model.disable')).toMatchObject([
      { reason: 'too dear', after: { enabled: false, configurations: ['The main'] } },
      { reason: 'gone' },
    ])
  })

  test('are deleted only when nothing has them, also when one is taken at that moment', async () => {
    const [first, second, third] = [await addModel('a'), await addModel('b'), await addModel('c')]
    await addConfiguration('main', first, [second])
    await expect(deleteModel(admin, { id: first })).rejects.toThrow('is used by The main')
    await expect(deleteModel(admin, { id: second })).rejects.toThrow(ConflictError)
    const [made, gone] = await Promise.allSettled([
      addConfiguration('late', third),
      deleteModel(admin, { id: third, reason: 'old' }),
    ])
    expect([made.status, gone.status].toSorted()).toEqual(['fulfilled', 'rejected'])
    await db().configuration.deleteMany()
    await deleteModel(admin, { id: first, reason: 'old' })
    await expect(readModel(admin, { id: first })).rejects.toThrow(NotFoundError)
    expect((await audited('model.delete')).map(({ reason }) => reason)).toContain('old')
  })
})

describe('prices', () => {
  test('hold from a day on, in the past, now or later, and their history stays', async () => {
    const id = await addModel()
    const at = (validFrom: string | null, input: number) =>
      setModelPrice(admin, { id, validFrom, prices: { ...unpriced, input }, source: 'price list' })
    await at('2026-01-01T00:00:00.000Z', 1)
    const now = await at(null, 2)
    await at('2099-01-01T00:00:00.000Z', 3)
    const model = await readModel(admin, { id })
    expect(model.prices.input).toBe(2)
    expect(model.currentPriceId).toBe(now.id)
    expect(model.history.map(({ prices }) => prices.input)).toEqual([3, 2, 1])

    await at('2026-01-01T00:00:00.000Z', 5)
    expect((await readModel(admin, { id })).history.map(({ prices }) => prices.input)).toEqual([
      3, 2, 5,
    ])
    await removeModelPrice(admin, { id, priceId: now.id, reason: 'mistake' })
    expect((await readModel(admin, { id })).prices.input).toBe(5)
    expect(await audited('model.change-price')).toMatchObject([
      { before: { prices: { input: 1 } }, after: { prices: { input: 5 }, source: 'price list' } },
    ])
    expect(await audited('model.remove-price')).toMatchObject([{ reason: 'mistake' }])
    await expect(removeModelPrice(admin, { id, priceId: now.id })).rejects.toThrow(NotFoundError)
    await expect(at('yesterday', 1)).rejects.toThrow(ValidationError)
    await expect(at('1999-01-01T00:00:00.000Z', 1)).rejects.toThrow('from 2000')
    const longPrompt = { aboveTokens: 272_000, inputPercent: 200, outputPercent: 150 }
    const tiered = { ...unpriced, input: 3, output: 15, longPrompt }
    await setModelPrice(admin, { id, prices: tiered })
    expect((await readModel(admin, { id })).prices).toEqual(tiered)
    const none = setModelPrice(admin, { id, prices: unpriced })
    await expect(none).rejects.toThrow('Enter at least one price')
  })
})

test('over HTTP are read and priced by admins with a key for it', async () => {
  const id = await addModel()
  const key = await apiKeyOf(admin, 'models:read', 'models:write')
  const address = `/api/v1/models/${id}/prices`
  const price = (json: unknown, as = key) =>
    ask(pricesRoute.POST, 'POST', address, { key: as, params: { modelId: id }, json })
  const set = await price({ validFrom: '2026-01-01T00:00:00Z', prices: { input: 7, output: 9 } })
  expect(set.status).toBe(201)
  expect(await set.json()).toMatchObject({ validFrom: '2026-01-01T00:00:00.000Z' })
  const read = await ask(modelRoute.GET, 'GET', '/api/v1/models/x', {
    key,
    params: { modelId: id },
  })
  expect(await read.json()).toMatchObject({ id, prices: { input: 7, output: 9, reasoning: null } })
  const list = await ask(modelsRoute.GET, 'GET', '/api/v1/models', { key })
  expect(await list.json()).toMatchObject({ models: [{ id, connectionName: 'Gateway' }] })
  expect((await price({ prices: { inputs: 7 } })).status).toBe(422)
  expect((await price({ prices: { input: 0.5 } })).status).toBe(422)
  const params = { modelId: 'nonsense' }
  expect((await ask(modelRoute.GET, 'GET', '/x', { key, params })).status).toBe(404)
  expect((await price({}, await apiKeyOf(admin, 'models:read'))).status).toBe(403)
  expect((await price({}, await apiKeyOf(member, 'models:write'))).status).toBe(403)
})

test('members do none of it', async () => {
  const id = await addModel()
  const input = { connectionId, modelId: 'x', displayName: 'X' }
  const attempts = [
    () => createModel(member, input),
    () => createModels(member, { connectionId, models: [input] }),
    () => listModels(member, {}),
    () => readModel(member, { id }),
    () => findModel(member, id),
    () => updateModel(member, { id }),
    () => updateModel(member, { id, enabled: false }),
    () => deleteModel(member, { id }),
    () => setModelPrice(member, { id, prices: unpriced }),
    () => removeModelPrice(member, { id, priceId: id }),
    () => discoverModels(member, { connectionId }),
    () => addDiscoveredModels(member, { connectionId, modelIds: ['x'] }),
    () => testToolCalling(member, { id }),
  ]
  for (const attempt of attempts) await expect(attempt()).rejects.toThrow(ForbiddenError)
})
