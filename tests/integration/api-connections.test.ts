import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createConfiguration } from '@/lib/domains/configurations/verbs'
import { failuresToOpen, recordConnectionFailure } from '@/lib/domains/connections/health'
import { createModel } from '@/lib/domains/models/verbs'
import { pool } from '@/lib/kernel/db'
import { apiKeyOf, apiRoute, ask } from '@/tests/support/api-client'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'
import { type Provider, startProvider } from '@/tests/support/start-provider'

const headersRoute = apiRoute('/connections/{connectionId}/headers')
const keyRoute = apiRoute('/connections/{connectionId}/key')
const connectionRoute = apiRoute('/connections/{connectionId}')
const testRoute = apiRoute('/connections/{connectionId}/test')
const connectionsRoute = apiRoute('/connections')

const firstKey = 'sk-first-0123456789abcd'
const nextKey = 'sk-next-0123456789wxyz'
const secretText = /sk-|blue-team|red-team/

let admin: Awaited<ReturnType<typeof addPerson>>
let key: string
let reader: string
let stranger: string
let provider: Provider
let elsewhere: Provider
/** Every answer of the routes, as text. */
const answers: string[] = []

beforeAll(async () => {
  admin = await addPerson('admin')
  const scopes = ['connections:read', 'connections:write'] as const
  key = await apiKeyOf(admin, ...scopes)
  reader = await apiKeyOf(admin, 'connections:read')
  stranger = await apiKeyOf(await addPerson('member'), ...scopes)
  provider = await startProvider(new Set([firstKey, nextKey]))
  elsewhere = await startProvider(new Set([nextKey]))
})
beforeEach(() => {
  answers.length = 0
})
afterAll(() => {
  for (const { server } of [provider, elsewhere]) server.close()
})

const address = '/api/v1/connections'
type Sent = { json?: unknown; as?: string; query?: string }

async function send(
  handler: Parameters<typeof ask>[0],
  method: string,
  name: string | null,
  { json, as = key, query = '' }: Sent = {},
) {
  const where = name === null ? address : `${address}/${encodeURIComponent(name)}`
  const params: Record<string, string> = name === null ? {} : { connectionId: name }
  const options = { key: as, json, params }
  const response = await ask(handler, method, where + query, options)
  const text = await response.text()
  answers.push(text)
  return { status: response.status, headers: response.headers, body: text && JSON.parse(text) }
}

const facts = (change: object = {}) => ({
  name: `Connection ${randomUUID().slice(0, 8)}`,
  wire: 'openai-compatible',
  baseUrl: provider.url,
  trustZone: 'local',
  privateAddressAllowed: true,
  apiKey: firstKey,
  headers: { 'X-Team': 'blue-team' },
  ...change,
})

async function add(): Promise<{ id: string; name: string; updatedAt: string }> {
  return (await send(connectionsRoute.POST, 'POST', null, { json: facts() })).body
}

const change = (name: string, json: unknown, as = key) =>
  send(connectionRoute.PATCH, 'PATCH', name, { json, as })
const setKey = (name: string, json: unknown, as = key) =>
  send(keyRoute.PUT, 'PUT', name, { json, as })
const setHeaders = (name: string, json: unknown, as = key) =>
  send(headersRoute.PATCH, 'PATCH', name, { json, as })

describe('/api/v1/connections', () => {
  test('adds, lists and shows, by name and by id', async () => {
    const created = await send(connectionsRoute.POST, 'POST', null, { json: facts() })
    const { id, name } = created.body
    expect(created.status).toBe(201)
    expect(created.headers.get('location')).toBe(`${address}/${id}`)
    expect(created.body).toMatchObject({
      enabled: true,
      key: { lastFour: 'abcd' },
      headerNames: ['x-team'],
      maxTries: 3,
      models: 0,
      health: { type: 'untried' },
      lastTest: null,
      users: { models: [], configurations: [] },
    })
    const list = await send(connectionsRoute.GET, 'GET', null, { as: reader, query: '?sort=-name' })
    expect(list.body.connections).toContainEqual(expect.objectContaining({ id, name }))
    for (const named of [id, name]) {
      const shown = await send(connectionRoute.GET, 'GET', named, { as: reader })
      expect([shown.status, shown.body.id]).toEqual([200, id])
    }
    expect(answers.join()).not.toMatch(secretText)
    const again = await send(connectionsRoute.POST, 'POST', null, { json: facts({ name }) })
    expect([again.status, again.body.detail]).toEqual([409, 'Another connection has this name.'])
  })

  test('changes what is given, once for each state that was seen', async () => {
    const { name, updatedAt } = await add()
    const changed = await change(name, { maxTries: 2, updatedAt })
    expect(changed.body).toMatchObject({ maxTries: 2, baseUrl: provider.url })
    expect((await change(name, { maxTries: 4, updatedAt })).status).toBe(409)
    const unexplained = await change(name, { trustZone: 'external-global' })
    expect([unexplained.status, Object.keys(unexplained.body.errors)]).toEqual([422, ['reason']])
    const off = await change(name, { enabled: false, reason: 'invoice not paid' })
    expect(off.body).toMatchObject({ enabled: false, maxTries: 2 })
    const on = { enabled: true, maxTries: 3, reason: 'paid' }
    expect((await change(name, on)).body).toMatchObject({ enabled: true, maxTries: 3 })
    const audited = await db().auditEntry.findMany({
      where: { objectId: off.body.id, reason: 'paid' },
      orderBy: { at: 'asc' },
    })
    expect(audited.map(({ action }) => action)).toEqual(['connection.update', 'connection.enable'])
    const moved = await change(name, { baseUrl: elsewhere.url })
    expect([moved.status, Object.keys(moved.body.errors)]).toEqual([422, ['apiKey']])
    const given = { baseUrl: elsewhere.url, apiKey: nextKey, headers: { 'x-team': null } }
    expect((await change(name, given)).body).toMatchObject({
      baseUrl: elsewhere.url,
      key: { lastFour: 'wxyz' },
      headerNames: [],
    })
    expect(answers.join()).not.toMatch(secretText)
  })

  test('changes all of it or nothing where a reason is missing', async () => {
    const { id, name } = await add()
    const refused = await change(name, { maxTries: 4, apiKey: nextKey, enabled: false })
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['reason']])
    const kept = await send(connectionRoute.GET, 'GET', name)
    expect(kept.body).toMatchObject({ enabled: true, maxTries: 3, key: { lastFour: 'abcd' } })
    const written = { objectId: id, action: 'connection.update' }
    expect(await db().auditEntry.count({ where: written })).toBe(0)
  })

  test('replaces the key once the provider took it, and only for the host that was meant', async () => {
    const { id, name } = await add()
    const wrong = await setKey(name, { apiKey: 'sk-wrong-0123456789' })
    expect([wrong.status, wrong.body]).toMatchObject([
      422,
      { stored: false, test: { outcome: 'unauthorised', status: 401 } },
    ])
    provider.requested.length = 0
    const elsewhereMeant = { apiKey: nextKey, host: new URL(elsewhere.url).origin }
    const refused = await setKey(name, elsewhereMeant)
    expect([refused.status, provider.requested.length]).toEqual([409, 0])
    const taken = await setKey(id, { apiKey: nextKey, host: new URL(provider.url).origin })
    expect([taken.status, taken.body]).toMatchObject([
      200,
      { stored: true, lastFour: 'wxyz', test: { outcome: 'ok' } },
    ])
    const gone = await send(keyRoute.DELETE, 'DELETE', name, { query: '?reason=leaked' })
    expect(gone.status).toBe(204)
    expect((await send(connectionRoute.GET, 'GET', name)).body.key).toBeNull()
    const audits = await db().auditEntry.findMany({
      where: { objectId: id },
      orderBy: { at: 'asc' },
    })
    expect(audits.at(-1)).toMatchObject({ action: 'connection.remove-key', reason: 'leaked' })
    expect(answers.join() + JSON.stringify(audits)).not.toMatch(secretText)
  })

  test('sets headers by name, and shows no value', async () => {
    const { name } = await add()
    const headers = { 'X-Org': 'red-team', 'x-team': null }
    expect((await setHeaders(name, { headers })).body).toEqual({ headerNames: ['x-org'] })
    const host = new URL(elsewhere.url).origin
    expect((await setHeaders(name, { headers, host })).status).toBe(409)
    for (const bad of [{ Host: 'x' }, { 'x-team': 'two\r\nlines' }]) {
      expect((await setHeaders(name, { headers: bad })).status).toBe(422)
    }
    provider.requested.length = 0
    await send(testRoute.POST, 'POST', name)
    expect(provider.requested).toMatchObject([{ 'x-org': 'red-team' }])
    expect(provider.requested[0]).not.toHaveProperty('x-team')
    expect(answers.join()).not.toMatch(secretText)
  })

  test('tests, keeps what it found, and closes the circuit when it is answered', async () => {
    const { id, name } = await add()
    const failure = { category: 'server', advice: 'It failed.' }
    for (let failed = 0; failed < failuresToOpen; failed++)
      await recordConnectionFailure(pool(), id, failure)
    const health = async () => (await send(connectionRoute.GET, 'GET', name)).body.health.type
    expect(await health()).toBe('open')
    const tested = await send(testRoute.POST, 'POST', name)
    expect(tested.body).toMatchObject({ outcome: 'ok', status: 200, models: 1 })
    expect(await health()).toBe('healthy')
    const shown = await send(connectionRoute.GET, 'GET', name)
    expect(shown.body.lastTest).toEqual(tested.body)
  })

  test('deletes what nobody uses, and names who does', async () => {
    const { id, name } = await add()
    const model = { connectionId: id, modelId: 'm-1', displayName: 'Model one' }
    const { id: modelId } = await createModel(admin, model)
    const identifier = `c-${randomUUID().slice(0, 8)}`
    const user = await createConfiguration(admin, { identifier, name: identifier, modelId })
    const used = await send(connectionRoute.DELETE, 'DELETE', name)
    expect([used.status, used.body.detail]).toEqual([
      409,
      expect.stringContaining(`in use. These configurations use its models (m-1): ${identifier}.`),
    ])
    const { users } = (await send(connectionRoute.GET, 'GET', name)).body
    expect(users).toMatchObject({
      models: [{ id: modelId }],
      configurations: [{ id: user.id, primary: true }],
    })
    await db().configuration.delete({ where: { id: user.id } })
    await db().model.delete({ where: { id: modelId } })
    const query = '?reason=contract%20ended'
    expect((await send(connectionRoute.DELETE, 'DELETE', name, { query })).status).toBe(204)
    expect((await send(connectionRoute.GET, 'GET', name)).status).toBe(404)
  })

  test('refuses fields that are not of it, and names that are nobody’s', async () => {
    const { name } = await add()
    const foreign = await Promise.all([
      send(connectionsRoute.POST, 'POST', null, { json: facts({ secretId: randomUUID() }) }),
      change(name, { secretId: randomUUID() }),
      setKey(name, { apiKey: nextKey, lastFour: 'abcd' }),
      setHeaders(name, { headers: {}, names: [] }),
    ])
    expect(foreign.map(({ status }) => status)).toEqual([422, 422, 422, 422])
    const metadata = {
      baseUrl: 'http://[fd00:ec2::23]/v1',
      apiKey: null,
      headers: { 'x-team': null },
    }
    expect((await change(name, metadata)).body.errors).toMatchObject({
      baseUrl: expect.stringContaining('metadata service'),
    })
    for (const nobody of ['nothing', 'constructor', '../etc', randomUUID(), 'nul\u0000']) {
      expect((await send(connectionRoute.GET, 'GET', nobody)).status).toBe(404)
      expect((await change(nobody, { maxTries: 1 })).status).toBe(404)
      expect((await send(testRoute.POST, 'POST', nobody)).status).toBe(404)
    }
    expect(answers.join()).not.toMatch(secretText)
  })

  test('is for admins with the scope, and nothing is sent or written for others', async () => {
    const { id, name } = await add()
    const before = await db().auditEntry.count()
    provider.requested.length = 0
    const refused = await Promise.all([
      send(connectionsRoute.GET, 'GET', null, { as: stranger }),
      send(connectionRoute.GET, 'GET', name, { as: stranger }),
      ...[reader, stranger].flatMap((as) => [
        send(connectionsRoute.POST, 'POST', null, { json: facts(), as }),
        change(name, { maxTries: 1 }, as),
        setKey(name, { apiKey: nextKey }, as),
        send(keyRoute.DELETE, 'DELETE', name, { as }),
        setHeaders(name, { headers: { 'x-team': null } }, as),
        send(testRoute.POST, 'POST', name, { as }),
        send(connectionRoute.DELETE, 'DELETE', id, { as }),
      ]),
    ])
    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 403))
    expect(await db().auditEntry.count()).toBe(before)
    expect(provider.requested).toEqual([])
    expect(answers.join()).not.toMatch(secretText)
  })
})
