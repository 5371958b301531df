import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { createConnection } from '@/lib/connections/create-connection'
import { readConnection } from '@/lib/connections/read-connection'
import type { CreateConnection } from '@/lib/connections/schemas'
import { updateConnection } from '@/lib/connections/update-connection'
import type { Ctx } from '@/lib/context'
import { db } from '@/lib/db'
import { applySite } from '@/lib/site-file/apply-site'
import { exportSite } from '@/lib/site-file/export-site'
import { planSite } from '@/lib/site-file/plan-site'
import { parseSiteFile } from '@/lib/site-file/site-file'
import { addPerson } from '../support/people'
import { refusedFields } from '../support/refused-fields'
import { toolgate } from '../support/toolgate-process'

const entra = { api: 'responses', authentication: 'entra', tenantId: 'contoso', clientId: 'app-1' }
/** What is stored where nothing was given. */
const plain = { api: 'responses', authentication: 'key' }
const reason = 'Tested'

let admin: Ctx
beforeAll(async () => {
  admin = await addPerson('admin')
})

const add = async (change: Partial<CreateConnection> = {}) => {
  const { id } = await createConnection(admin, {
    name: randomUUID(),
    wire: 'azure-openai',
    baseUrl: 'https://8.8.8.8/openai/v1',
    trustZone: 'external-global',
    apiKey: 'secret-0123456789',
    settings: entra,
    ...change,
  })
  return id
}
const settingsOf = async (id: string) => (await readConnection(admin, id)).settings

test('are stored in the order of their descriptors, with what is picked by default', async () => {
  const { tenantId, clientId, authentication } = entra
  expect(
    Object.entries(
      await settingsOf(await add({ settings: { clientId, tenantId, authentication } })),
    ),
  ).toEqual(Object.entries(entra))
  expect(await settingsOf(await add({ settings: {} }))).toEqual(plain)
  // What counts for another authentication alone is not kept.
  expect(await settingsOf(await add({ settings: { tenantId: 'contoso' } }))).toEqual(plain)
})

test.each([
  [{ authentication: 'entra' }, ['settings.tenantId', 'settings.clientId']],
  [{ authentication: 'magic' }, ['settings.authentication']],
  [{ ...entra, tenantId: 'a/../b' }, ['settings.tenantId']],
  [{ ...entra, authority: 'https://login.example/path' }, ['settings.authority']],
  [{ ...entra, authority: 'http://login.example' }, ['settings.authority']],
  [{ ...entra, region: 'x' }, ['settings.region']],
])('%j are refused', async (settings, fields) => {
  const refused = Object.keys(await refusedFields(add({ settings })))
  expect(refused.toSorted()).toEqual(fields.toSorted())
})

test('are refused where the API type has none, and for a private sign-in address', async () => {
  expect(await refusedFields(add({ wire: 'anthropic', settings: { region: 'x' } }))).toEqual({
    'settings.region': 'This API type has no such setting. It has none.',
  })
  const authority = 'http://127.0.0.1:9'
  expect(Object.keys(await refusedFields(add({ settings: { ...entra, authority } })))).toEqual([
    'privateAddressAllowed',
  ])
})

test('change one by one, audited, and forget the last test', async () => {
  const id = await add()
  await db().connection.update({
    where: { id },
    data: { lastTest: { outcome: 'ok', message: 'It answers.', at: new Date().toISOString() } },
  })
  await updateConnection(admin, id, { settings: { tenantId: 'fabrikam' } })
  expect(await readConnection(admin, id)).toMatchObject({
    settings: { ...entra, tenantId: 'fabrikam' },
    lastTest: null,
    key: { lastFour: '6789' },
  })
  expect(
    await db().auditEntry.findFirst({ where: { objectId: id, action: 'connection.update' } }),
  ).toMatchObject({
    before: { settings: entra },
    after: { settings: { ...entra, tenantId: 'fabrikam' } },
  })
  expect(await updateConnection(admin, id, { settings: { tenantId: 'fabrikam' } })).toBe(false)
})

test('that send the key to another place need the key again', async () => {
  const id = await add()
  const moved = { settings: { authority: 'https://8.8.4.4' } }
  expect((await refusedFields(updateConnection(admin, id, moved))).apiKey).toContain(
    'https://8.8.8.8 and https://login.microsoftonline.com',
  )
  await updateConnection(admin, id, { ...moved, apiKey: 'another-secret-4321' })
  expect((await readConnection(admin, id)).key?.lastFour).toBe('4321')
  const away = { settings: { authentication: null, tenantId: null } }
  expect(Object.keys(await refusedFields(updateConnection(admin, id, away)))).toEqual(['apiKey'])
  await updateConnection(admin, id, { ...away, apiKey: 'api-key-0123456789' })
  expect(await settingsOf(id)).toEqual(plain)
})

test('that lead to another region, or send what only signed, need the key again', async () => {
  const settings = { region: 'eu-west-1', accessKeyId: 'AKIDEXAMPLE012345' }
  const id = await add({ wire: 'bedrock', baseUrl: null, settings })
  const change = (changed: Record<string, string>, more = {}) =>
    updateConnection(admin, id, { settings: changed, ...more })
  expect(Object.keys(await refusedFields(change({ region: 'us-east-1' })))).toEqual(['trustZone'])
  const zone = { trustZone: 'external-global' } as const
  expect(Object.keys(await refusedFields(change({ region: 'us-east-1' }, zone)))).toEqual([
    'apiKey',
  ])
  expect(Object.keys(await refusedFields(change({ authentication: 'bearer' })))).toEqual(['apiKey'])
  await change({ accessKeyId: 'AKIDOTHER01234567' })
  await change({ region: 'us-east-1' }, { ...zone, apiKey: 'another-secret-4321' })
  expect((await readConnection(admin, id)).key?.lastFour).toBe('4321')
})

test('of one API type do not follow to another', async () => {
  const id = await add()
  await updateConnection(admin, id, { wire: 'openai-compatible', apiKey: 'other-0123456789' })
  expect(await settingsOf(id)).toEqual({})
})

test('stand in a site file, which says all of them', async () => {
  const name = `azure ${randomUUID()}`
  const file = (settings: string) =>
    parseSiteFile(`toolgate: 1
connections:
  - { name: ${name}, wire: azure-openai, baseUrl: "https://8.8.8.8/openai/v1", trustZone: external-global, settings: ${settings} }`)
  await applySite(admin, file('{ clientId: app-1, tenantId: contoso, authentication: entra }'), {
    reason,
  })
  const text = await exportSite(admin)
  expect(text).toContain('tenantId: contoso')
  expect((await planSite(admin, parseSiteFile(text))).steps).toEqual([])
  const { steps } = await applySite(admin, file('{}'), { reason })
  expect(steps[0]?.changes).toEqual([{ field: 'settings', before: entra, after: plain }])
  expect((await planSite(admin, file('{}'))).steps).toEqual([])
})

test('are given and taken away in a terminal', async () => {
  const name = `azure ${randomUUID()}`
  const facts = ['--name', name, '--trust-zone', 'external-global', '--api-type', 'azure-openai']
  const address = ['--base-url', 'https://8.8.8.8/openai/v1']
  const settings = Object.entries(entra).flatMap(([key, value]) => ['--setting', `${key}=${value}`])
  const added = await toolgate(['connection', 'add', ...facts, ...address, ...settings])
  expect(added).toMatchObject({ code: 0, stderr: '' })
  const edited = await toolgate(['connection', 'edit', name, '--setting', 'authentication='])
  expect(edited).toMatchObject({ code: 0, stdout: 'Changed the connection.\n' })
  const shown = await toolgate(['connection', 'show', name])
  expect(shown.stdout).toMatch(/Setting authentication\s+key/)
  const bad = await toolgate(['connection', 'edit', name, '--setting', 'tenantId'])
  expect(bad.code).toBe(2)
  expect(bad.stderr).toContain('NAME=VALUE')
}, 120_000)
