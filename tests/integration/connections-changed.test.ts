import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { updateConfigurationPolicy } from '@/lib/domains/configurations/policy-verbs'
import { listConfigurations } from '@/lib/domains/configurations/usable'
import { createConfiguration } from '@/lib/domains/configurations/verbs'
import { failuresToOpen, recordConnectionFailure } from '@/lib/domains/connections/health'
import { openConnection } from '@/lib/domains/connections/open-connection'
import { readConnection, requireConnection } from '@/lib/domains/connections/reads'
import type { CreateConnection } from '@/lib/domains/connections/schemas'
import { updateConnection } from '@/lib/domains/connections/update-connection'
import { setConnectionHeaders } from '@/lib/domains/connections/verbs'
import { createModel, updateModel } from '@/lib/domains/models/verbs'
import type { Ctx } from '@/lib/kernel/context'
import { pool } from '@/lib/kernel/db'
import { ConflictError, NotFoundError } from '@/lib/kernel/errors'
import { replaceConnectionKey } from '@/lib/probes/store-further-key'
import { testConnection } from '@/lib/probes/test-connection'
import { toRunEvent } from '@/lib/runs/run-record'
import { trustZoneEffect } from '@/lib/toolset/policy/policy-effect'
import { addKeyedConnection, firstKey, nextKey } from '@/tests/support/add-keyed-connection'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'
import { start } from '@/tests/support/run-site'
import { type Provider, startProvider } from '@/tests/support/start-provider'

let admin: Ctx
let provider: Provider
let elsewhere: Provider
beforeAll(async () => {
  admin = await addPerson('admin')
  provider = await startProvider(new Set([firstKey, nextKey]))
  elsewhere = await startProvider(new Set([firstKey, nextKey]))
})
afterAll(() => {
  for (const { server } of [provider, elsewhere]) server.close()
})

const add = (change: Partial<CreateConnection> = {}) =>
  addKeyedConnection(admin, provider.url, change)

async function addModel(connectionId: string): Promise<string> {
  const model = { connectionId, modelId: 'm-1', displayName: 'Model one' }
  return (await createModel(admin, model)).id
}

async function addConfiguration(modelId: string, fallbackModelIds: string[] = []) {
  const identifier = `c-${randomUUID().slice(0, 8)}`
  const facts = { identifier, name: identifier, modelId, fallbackModelIds }
  return { ...(await createConfiguration(admin, facts)), identifier }
}

const moved = () => ({ baseUrl: elsewhere.url, apiKey: nextKey, headers: { 'x-team': 'red' } })

describe('secrets of a connection that moves', () => {
  test('are no longer there for whoever read its address before', async () => {
    const ids = [await add(), await add({ apiKey: null, headers: { 'x-team': 'blue' } })]
    const rows = await Promise.all(ids.map(requireConnection))
    for (const id of ids) await updateConnection(admin, { id, ...moved() })
    for (const row of rows) {
      await expect(openConnection(db(), row)).rejects.toThrow(NotFoundError)
      expect(await openConnection(db(), await requireConnection(row.id))).toMatchObject({
        apiKey: nextKey,
        headers: { 'x-team': 'red' },
      })
    }
    const old = rows.flatMap((row) => [row.secretId ?? [], row.headersSecretId ?? []].flat())
    expect(await db().vaultSecret.count({ where: { id: { in: old } } })).toBe(0)
  })

  test('stay where they are when the host does', async () => {
    const id = await add({ headers: { 'x-team': 'blue' } })
    const before = await requireConnection(id)
    const change = { baseUrl: `${provider.url}/beta`, apiKey: nextKey, headers: { 'x-a': '1' } }
    await updateConnection(admin, { id, ...change })
    expect(await openConnection(db(), before)).toMatchObject({
      apiKey: nextKey,
      headers: { 'x-a': '1', 'x-team': 'blue' },
    })
  })

  test('are not taken for a host that whoever typed them did not see', async () => {
    const id = await add()
    const host = new URL(provider.url).origin
    await updateConnection(admin, { id, ...moved() })
    elsewhere.requested.length = 0
    const key = replaceConnectionKey(admin, { id, apiKey: firstKey, host })
    await expect(key).rejects.toThrow(ConflictError)
    const headers = setConnectionHeaders(admin, { id, headers: { 'x-team': 'secret' }, host })
    await expect(headers).rejects.toThrow('in the meantime')
    expect(elsewhere.requested).toEqual([])
    expect(await openConnection(db(), await requireConnection(id))).toMatchObject({
      apiKey: nextKey,
      headers: { 'x-team': 'red' },
    })
    const seen = new URL(elsewhere.url).origin
    const stored = await replaceConnectionKey(admin, { id, apiKey: firstKey, host: seen })
    expect(stored.stored).toBe(true)
    await setConnectionHeaders(admin, { id, headers: { 'x-team': null }, host: seen })
  })
})

test('a test that is answered closes the circuit, one that is not does not', async () => {
  const failure = { category: 'server', advice: 'It failed.' }
  for (const close of [testConnection, replaceWithTest]) {
    const id = await add()
    for (let failed = 0; failed < failuresToOpen; failed++)
      await recordConnectionFailure(pool(), id, failure)
    await db().connection.update({ where: { id }, data: { baseUrl: 'http://127.0.0.1:1/v1' } })
    await close(admin, { id })
    expect((await readConnection(admin, { id })).health.type).toBe('open')
    await db().connection.update({ where: { id }, data: { baseUrl: provider.url } })
    await close(admin, { id })
    expect((await readConnection(admin, { id })).health).toEqual({ type: 'healthy' })
  }
})

function replaceWithTest(ctx: Ctx, { id }: { id: string }) {
  return replaceConnectionKey(ctx, { id, apiKey: nextKey })
}

test('a configuration is listed with the provider that is trusted least, as long as runs may come to it', async () => {
  const [near, far] = [await add({ trustZone: 'local' }), await add({ trustZone: 'external-eu' })]
  const spare = await addModel(far)
  const { id } = await addConfiguration(await addModel(near), [spare])
  const listed = async () => (await listConfigurations(admin)).find((each) => each.id === id)
  const { name: connectionName } = await readConnection(admin, { id: far })
  expect(await listed()).toMatchObject({
    leastTrusted: { connectionName, zone: 'external-eu' },
    fallbacks: [{ connectionName, modelName: 'Model one' }],
  })
  await updateModel(admin, { id: spare, enabled: false, reason: 'Too dear' })
  expect(await listed()).toMatchObject({ leastTrusted: { zone: 'local' }, fallbacks: [] })
})

describe('a connection that is trusted less', () => {
  const raise = { raisedDataClass: 'secret-adjacent', reason: 'they agreed' } as const
  const rowOf = (id: string) => db().configuration.findUniqueOrThrow({ where: { id } })

  async function offered(configuration: string): Promise<string[]> {
    const { runId } = await start({ admin, configuration }, 'hello')
    const row = await db().runEventRow.findFirstOrThrow({ where: { runId, seq: 1 } })
    const event = toRunEvent(row)
    if (event.type !== 'run-start') throw new Error(event.type)
    return event.data.accepted.map(({ name }) => name)
  }

  test('takes the raise of every configuration that leads there, as its preview says', async () => {
    const id = await add()
    const modelId = await addModel(id)
    const far = await addModel(await add({ trustZone: 'external-global' }))
    const near = await addModel(await add({ trustZone: 'local' }))
    const own = await addConfiguration(modelId)
    const chained = await addConfiguration(near, [modelId])
    const farAlready = await addConfiguration(modelId, [far])
    const all = [own, chained, farAlready]
    for (const each of all) await updateConfigurationPolicy(admin, { id: each.id, ...raise })
    expect(await offered(own.identifier)).toContain('get_env')

    const preview = await trustZoneEffect(admin, { id, zone: 'external-global' })
    expect(preview.map(({ configuration }) => configuration.id).sort()).toEqual(
      [own.id, chained.id].sort(),
    )
    for (const effect of preview) {
      expect(effect).toMatchObject({ before: 'secret-adjacent', after: 'content', opens: [] })
      expect(effect.closes).toContain('get_env')
    }
    const versions = await Promise.all(all.map(async (each) => (await rowOf(each.id)).version))
    const reason = 'moved to a cloud'
    await updateConnection(admin, { id, trustZone: 'external-global', reason })
    const rows = await Promise.all(all.map((each) => rowOf(each.id)))
    expect(rows.map(({ raisedDataClass }) => raisedDataClass)).toEqual([
      null,
      null,
      'secret-adjacent',
    ])
    const steps = rows.map(({ version }, index) => version - (versions[index] ?? 0))
    expect(steps).toEqual([1, 1, 0])
    for (const { id: objectId, identifier } of [own, chained]) {
      const audits = await db().auditEntry.findMany({ where: { objectId }, orderBy: { at: 'asc' } })
      expect(audits.at(-1)).toMatchObject({
        action: 'configuration.update-policy',
        before: { identifier, raisedDataClass: 'secret-adjacent' },
        after: { identifier, raisedDataClass: null },
        reason,
      })
    }
    expect(await offered(own.identifier)).not.toContain('get_env')
    // Data that was raised for a provider in the own network stays lowered when that is trusted as before.
    await updateConnection(admin, { id, trustZone: 'private', reason: 'back' })
    expect((await rowOf(own.id)).raisedDataClass).toBeNull()
  })
})
