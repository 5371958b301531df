import { afterAll, beforeAll, expect, test } from 'vitest'
import { removeConnectionKey, setConnectionKey } from '@/lib/domains/connections/key-verbs'
import { listConnections, readConnection } from '@/lib/domains/connections/reads'
import { updateConnection } from '@/lib/domains/connections/update-connection'
import { setConnectionHeaders } from '@/lib/domains/connections/verbs'
import type { Ctx } from '@/lib/kernel/context'
import { discoverModels } from '@/lib/probes/discover-models'
import { testConnection } from '@/lib/probes/test-connection'
import { addKeyedConnection, firstKey, nextKey } from '@/tests/support/add-keyed-connection'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'
import { type Provider, startProvider } from '@/tests/support/start-provider'

let admin: Ctx
let provider: Provider
let elsewhere: Provider
let refusing: Provider
beforeAll(async () => {
  admin = await addPerson('admin')
  provider = await startProvider(new Set([firstKey, nextKey]))
  elsewhere = await startProvider(new Set([firstKey, nextKey]))
  refusing = await startProvider(new Set())
})
afterAll(() => {
  for (const { server } of [provider, elsewhere, refusing]) server.close()
})

const add = () => addKeyedConnection(admin, provider.url)

test('a test is kept as what was found, and is no change', async () => {
  const id = await add()
  const { updatedAt, lastTest } = await readConnection(admin, { id })
  expect(lastTest).toBeNull()
  const found = await testConnection(admin, { id })
  expect(found).toMatchObject({ outcome: 'ok', status: 200, models: 1 })
  expect(await readConnection(admin, { id })).toMatchObject({ lastTest: found, updatedAt })
  await db().connection.update({ where: { id }, data: { baseUrl: 'http://127.0.0.1:1/v1' } })
  expect(await testConnection(admin, { id })).toMatchObject({ outcome: 'refused', status: null })
  const [listed] = (await listConnections(admin, {})).filter((each) => each.id === id)
  expect(listed?.lastTest).toMatchObject({ outcome: 'refused' })
  expect(await db().auditEntry.count({ where: { objectId: id } })).toBe(1)
})

test('a key that is refused while models are listed is kept as the last test', async () => {
  const id = await add()
  await testConnection(admin, { id })
  await db().connection.update({ where: { id }, data: { baseUrl: refusing.url } })
  await expect(discoverModels(admin, { connectionId: id })).rejects.toThrow(/HTTP 401/)
  const { lastTest } = await readConnection(admin, { id })
  expect(lastTest).toMatchObject({
    outcome: 'unauthorised',
    message: expect.stringContaining('HTTP 401'),
  })
})

test('the health and the last test are forgotten at another address or with another key', async () => {
  const id = await add()
  const known = async () => {
    const { health, lastTest } = await readConnection(admin, { id })
    return [health.type, lastTest?.outcome ?? null]
  }
  expect(await known()).toEqual(['untried', null])
  await testConnection(admin, { id })
  expect(await known()).toEqual(['healthy', 'ok'])
  await updateConnection(admin, { id, maxTries: 2 })
  expect(await known()).toEqual(['healthy', 'ok'])
  await setConnectionKey(admin, { id, apiKey: nextKey })
  expect(await known()).toEqual(['untried', null])
  await testConnection(admin, { id })
  const { url: baseUrl } = elsewhere
  await updateConnection(admin, { id, baseUrl, apiKey: nextKey })
  expect(await known()).toEqual(['untried', null])
  for (const forget of [
    () => updateConnection(admin, { id, apiKey: nextKey }),
    () => setConnectionHeaders(admin, { id, headers: { 'x-team': 'blue' } }),
    () => removeConnectionKey(admin, { id }),
  ]) {
    await testConnection(admin, { id })
    expect(await known()).toEqual(['healthy', 'ok'])
    await forget()
    expect(await known()).toEqual(['untried', null])
  }
})
