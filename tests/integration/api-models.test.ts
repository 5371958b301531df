import { beforeAll, beforeEach, expect, test } from 'vitest'
import { createConfiguration } from '@/lib/domains/configurations/verbs'
import { createConnection } from '@/lib/domains/connections/verbs'
import { findInCatalogue } from '@/lib/domains/models/catalogue/find-in-catalogue'
import type { Finding } from '@/lib/doors/cli/doctor/finding'
import type { Ctx } from '@/lib/kernel/context'
import type { ApiScope } from '@/lib/protocol/api-scope'
import { apiKeyOf, apiRoute, ask } from '@/tests/support/api-client'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'
import { toolgate } from '@/tests/support/toolgate-process'

const catalogueRoute = apiRoute('/models/{modelId}/catalogue')
const pricesRoute = apiRoute('/models/{modelId}/prices')
const modelRoute = apiRoute('/models/{modelId}')
const modelsRoute = apiRoute('/models')

let admin: Ctx
let key: string
beforeAll(async () => {
  admin = await addPerson('admin')
  key = await apiKeyOf(admin, 'models:read', 'models:write')
  await createConnection(admin, { name: 'Own', wire: 'openai', trustZone: 'external-global' })
})
beforeEach(async () => {
  await db().configuration.deleteMany()
  await db().model.deleteMany()
})

type Handler = Parameters<typeof ask>[0]
async function send(handler: Handler, method: string, modelId: string | null, more: object = {}) {
  const params: Record<string, string> = modelId === null ? {} : { modelId }
  const sent = { key, query: '', ...more }
  const response = await ask(handler, method, `/api/v1/models${sent.query}`, { ...sent, params })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text && JSON.parse(text) }
}
const add = (json: object, more: object = {}) =>
  send(modelsRoute.POST, 'POST', null, { json: { connection: 'Own', ...json }, ...more })
const change = (id: string, json: object, more: object = {}) =>
  send(modelRoute.PATCH, 'PATCH', id, { json, ...more })

test('are added, edited, switched and deleted', async () => {
  const added = await add({
    modelId: 'm-1',
    toolCalling: 'confirmed',
    reasoningEfforts: ['high', 'low'],
    prices: { input: 5, output: 7 },
    priceSource: 'list',
  })
  const { id } = added.body
  expect([added.status, added.headers.get('location')]).toEqual([201, `/api/v1/models/${id}`])
  expect(added.body).toMatchObject({
    displayName: 'm-1',
    connectionName: 'Own',
    toolCallingSource: 'assumed',
    reasoningEfforts: ['low', 'high'],
    prices: { input: 5, output: 7, reasoning: null },
    history: [{ source: 'list' }],
    stalePrice: null,
  })
  expect((await add({ modelId: 'm-1' })).status).toBe(409)
  const edited = await change('m-1', { displayName: 'One', unsupportedParameters: ['verbosity'] })
  expect(edited.body).toMatchObject({
    id,
    displayName: 'One',
    unsupportedParameters: ['verbosity'],
  })
  await createConfiguration(admin, { identifier: 'a', name: 'A', modelId: id })
  const halfway = await change(id, { displayName: 'Never', enabled: false })
  expect([halfway.status, Object.keys(halfway.body.errors)]).toEqual([422, ['reason']])
  // All or nothing.
  expect((await send(modelRoute.GET, 'GET', id)).body).toMatchObject({ displayName: 'One' })
  const off = await change(id, { enabled: false, reason: 'Too dear' })
  expect(off.body).toMatchObject({ enabled: false, usedBy: [{ name: 'A' }] })
  const remove = (query = '') => send(modelRoute.DELETE, 'DELETE', id, { query })
  expect((await remove()).status).toBe(409)
  await db().configuration.deleteMany()
  expect((await remove('?reason=Gone')).status).toBe(204)
  expect((await send(modelRoute.GET, 'GET', id)).status).toBe(404)
  const audited = await db().auditEntry.findMany({
    where: { objectId: id },
    orderBy: { id: 'asc' },
  })
  expect(audited.map(({ action, reason }) => [action, reason])).toEqual([
    ['model.create', ''],
    ['model.update', ''],
    ['model.disable', 'Too dear'],
    ['model.delete', 'Gone'],
  ])
})

test('are refused with words when something of them is wrong', async () => {
  expect((await add({ modelId: '' })).status).toBe(422)
  expect((await add({ modelId: 'x', connection: 'Nobody' })).status).toBe(404)
  expect((await add({ modelId: 'x', prices: { inputs: 1 } })).status).toBe(422)
  expect((await add({ modelId: 'x', reasoningEfforts: ['most'] })).status).toBe(422)
  expect((await add({ modelId: 'x', reported: ['vision'] })).status).toBe(422)
  const { id } = (await add({ modelId: 'x' })).body
  expect((await change(id, { modelId: 'y' })).status).toBe(422)
  expect((await change(id, { prices: {} })).status).toBe(422)
  expect(await db().model.count()).toBe(1)
})

test('need an admin and the scope', async () => {
  const { id } = (await add({ modelId: 'x' })).body
  const keyOf = async (ctx: Ctx, scope: ApiScope) => ({ key: await apiKeyOf(ctx, scope) })
  const member = await addPerson('member')
  for (const weak of [await keyOf(admin, 'models:read'), await keyOf(member, 'models:write')]) {
    expect((await add({ modelId: 'y' }, weak)).status).toBe(403)
    expect((await change(id, { displayName: 'Y' }, weak)).status).toBe(403)
    expect((await send(modelRoute.DELETE, 'DELETE', id, weak)).status).toBe(403)
    const json = { part: 'prices' }
    expect((await send(catalogueRoute.POST, 'POST', id, { json, ...weak })).status).toBe(403)
  }
  const writer = await keyOf(admin, 'models:write')
  expect((await send(catalogueRoute.GET, 'GET', id, writer)).status).toBe(403)
})

test('a stale price is marked in list, page and doctor, and one action takes the catalogue’s', async () => {
  const known = findInCatalogue({ wire: 'openai', baseUrl: null, modelId: 'gpt-5.4' })
  const { id } = (await add({ modelId: 'gpt-5.4', prices: { input: 1, output: 2 } })).body
  await add({ modelId: 'own', prices: { input: 1, output: 2 } })
  const markOf = async () => {
    const { body } = await send(modelsRoute.GET, 'GET', null)
    const marks: [string, object | null][] = body.models.map(
      (model: { modelId: string; stalePrice: object | null }) => [model.modelId, model.stalePrice],
    )
    return Object.fromEntries(marks)
  }
  expect(await markOf()).toMatchObject({
    'gpt-5.4': { why: 'differs', fromCatalogue: true },
    own: null,
  })
  const pricesFound = async () => {
    const { findings }: { findings: Finding[] } = JSON.parse(
      (await toolgate(['doctor', '--json'])).stdout,
    )
    return findings.filter(({ check }) => check === 'Prices')
  }
  expect(await pricesFound()).toEqual([
    expect.objectContaining({
      status: 'warn',
      detail: 'gpt-5.4 at Own: differs from the catalogue',
      advice: expect.stringContaining('toolgate model price gpt-5.4 --connection Own --from-cat'),
    }),
  ])
  const word = await send(catalogueRoute.GET, 'GET', id)
  expect(word.body).toMatchObject({ catalogue: { entry: { id: 'gpt-5.4' } } })
  const json = { part: 'prices' }
  const taken = await send(catalogueRoute.POST, 'POST', id, { json })
  expect(taken.body).toMatchObject({
    changed: true,
    model: { prices: known?.prices, stalePrice: null },
  })
  expect((await send(catalogueRoute.POST, 'POST', id, { json })).body.changed).toBe(false)
  expect(await pricesFound()).toMatchObject([{ status: 'ok' }])

  const own = { json: { prices: { input: 1, output: 2 }, source: 'Our list (read 2020-02-01)' } }
  await send(pricesRoute.POST, 'POST', 'own', own)
  expect(await markOf()).toMatchObject({
    own: { why: 'old', readOn: '2020-02-01', fromCatalogue: false },
  })
  expect((await send(catalogueRoute.POST, 'POST', 'own', { json })).status).toBe(409)
})

test('the terminal says what the prices of the catalogue leave out', async () => {
  const known = findInCatalogue({ wire: 'openai', baseUrl: null, modelId: 'gpt-6.2-sol' })
  expect(known?.note).toMatch(/12 hours/)
  await add({ modelId: 'gpt-6.2-sol' })
  const { stdout } = await toolgate(['model', 'show', 'gpt-6.2-sol'])
  expect(stdout).toContain(`Note of the catalogue: ${known?.note}\n`)
})
