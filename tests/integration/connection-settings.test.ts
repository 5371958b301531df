import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { addKey, setConnectionKey } from '@/lib/domains/connections/key-verbs'
import { openConnection } from '@/lib/domains/connections/open-connection'
import { readConnection } from '@/lib/domains/connections/reads'
import type { CreateConnection } from '@/lib/domains/connections/schemas'
import { updateConnection } from '@/lib/domains/connections/update-connection'
import { createConnection } from '@/lib/domains/connections/verbs'
import type { Ctx } from '@/lib/kernel/context'
import { replaceConnectionKey } from '@/lib/probes/store-further-key'
import { testConnectionDraft } from '@/lib/probes/test-connection-draft'
import { applySite } from '@/lib/site-file/apply-site'
import { exportSite } from '@/lib/site-file/export-site'
import { parseSiteFile } from '@/lib/site-file/parse-site-file'
import { planSite } from '@/lib/site-file/plan-site'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'
import { refusedFields } from '@/tests/support/refused-fields'
import { toolgate } from '@/tests/support/toolgate-process'

const entra = { api: 'responses', authentication: 'entra', tenantId: 'contoso', clientId: 'app-1' }
/** Stored values where none were given. */
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
const settingsOf = async (id: string) => (await readConnection(admin, { id })).settings

test('are stored in the order of their descriptors, with what is picked by default', async () => {
  const { tenantId, clientId, authentication } = entra
  expect(
    Object.entries(
      await settingsOf(await add({ settings: { clientId, tenantId, authentication } })),
    ),
  ).toEqual(Object.entries(entra))
  expect(await settingsOf(await add({ settings: {} }))).toEqual(plain)
  // Settings for another authentication alone are not kept.
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
  await updateConnection(admin, { id, settings: { tenantId: 'fabrikam' } })
  expect(await readConnection(admin, { id })).toMatchObject({
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
  expect(await updateConnection(admin, { id, settings: { tenantId: 'fabrikam' } })).toBe(false)
})

test('that send the key to another place need the key again', async () => {
  const id = await add()
  const moved = { settings: { authority: 'https://8.8.4.4' } }
  expect((await refusedFields(updateConnection(admin, { id, ...moved }))).apiKey).toContain(
    'https://8.8.8.8 and https://login.microsoftonline.com',
  )
  await updateConnection(admin, { id, ...moved, apiKey: 'another-secret-4321' })
  expect((await readConnection(admin, { id })).key?.lastFour).toBe('4321')
  const away = { settings: { authentication: null, tenantId: null } }
  expect(Object.keys(await refusedFields(updateConnection(admin, { id, ...away })))).toEqual([
    'apiKey',
  ])
  await updateConnection(admin, { id, ...away, apiKey: 'api-key-0123456789' })
  expect(await settingsOf(id)).toEqual(plain)
})

test('that lead to another region, or send what only signed, need the key again', async () => {
  const settings = { region: 'eu-west-1', accessKeyId: 'AKIDEXAMPLE012345' }
  const id = await add({ wire: 'bedrock', baseUrl: null, settings })
  const change = (changed: Record<string, string>, more = {}) =>
    updateConnection(admin, { id, settings: changed, ...more })
  expect(Object.keys(await refusedFields(change({ region: 'us-east-1' })))).toEqual(['trustZone'])
  const zone = { trustZone: 'external-global' } as const
  expect(Object.keys(await refusedFields(change({ region: 'us-east-1' }, zone)))).toEqual([
    'apiKey',
  ])
  expect(Object.keys(await refusedFields(change({ authentication: 'bearer' })))).toEqual(['apiKey'])
  await change({ accessKeyId: 'AKIDOTHER01234567' })
  await change({ region: 'us-east-1' }, { ...zone, apiKey: 'another-secret-4321' })
  expect((await readConnection(admin, { id })).key?.lastFour).toBe('4321')
})

describe('with a service account of Google', () => {
  const settings = { authentication: 'service-account', project: 'acme', location: 'global' }
  const pem = generateKeyPairSync('rsa', { modulusLength: 2048 })
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString()
  const file = (id: string) =>
    JSON.stringify({
      type: 'service_account',
      private_key_id: id,
      private_key: pem,
      client_email: 'toolgate@acme.iam.gserviceaccount.com',
      token_uri: 'https://evil.example/token',
    })
  const addVertex = (change: Partial<CreateConnection> = {}) =>
    add({ wire: 'gemini', baseUrl: null, settings, apiKey: file('key-id-aaaa'), ...change })
  const wrongKey = async (refused: Promise<unknown>) => (await refusedFields(refused)).apiKey

  test('the key file signs, is stored without its addresses, and shows its id', async () => {
    const id = await addVertex()
    expect(await settingsOf(id)).toEqual(settings)
    expect((await readConnection(admin, { id })).key?.lastFour).toBe('aaaa')
    const row = await db().connection.findUniqueOrThrow({ where: { id } })
    const kept = (await openConnection(db(), row)).apiKey ?? ''
    expect(JSON.parse(kept)).toMatchObject({ private_key: pem, private_key_id: 'key-id-aaaa' })
    expect(kept).not.toContain('evil')
    await setConnectionKey(admin, { id, apiKey: file('key-id-bbbb') })
    expect((await readConnection(admin, { id })).key?.lastFour).toBe('bbbb')
    const audit = JSON.stringify(await db().auditEntry.findMany({ where: { objectId: id } }))
    expect(audit).toContain('bbbb')
    expect(audit).not.toContain('PRIVATE KEY')
  })

  test('no other key is stored or sent in its place, and the file is neither elsewhere', async () => {
    const id = await addVertex()
    const plain = await addVertex({ settings: {}, apiKey: 'AIzaSy-0123456789' })
    const api = 'AIzaSy-9876543210'
    const facts = { name: 'x', wire: 'gemini', trustZone: 'external-global' } as const
    const further = { label: 'second', apiKey: api }
    for (const refused of [
      () => addVertex({ apiKey: api }),
      () => setConnectionKey(admin, { id, apiKey: api }),
      () => addKey(admin, { id, ...further }),
      () =>
        updateConnection(admin, { id, settings: { authority: 'https://8.8.4.4' }, apiKey: api }),
      () => replaceConnectionKey(admin, { id, apiKey: api }),
      () => testConnectionDraft(admin, { ...facts, settings, apiKey: api }),
    ])
      expect(await wrongKey(refused())).toContain('Paste the whole JSON key file')
    for (const refused of [
      () => addVertex({ settings: {} }),
      () => setConnectionKey(admin, { id: plain, apiKey: file('key-id-cccc') }),
      () => addKey(admin, { id: plain, ...further, apiKey: file('key-id-cccc') }),
      () => replaceConnectionKey(admin, { id: plain, apiKey: file('key-id-cccc') }),
      () => testConnectionDraft(admin, { ...facts, apiKey: file('key-id-cccc') }),
    ])
      expect(await wrongKey(refused())).toContain('neither sent nor stored')
  })

  test('another location, sign-in address or API type needs the key again', async () => {
    const id = await addVertex()
    const zone = { trustZone: 'external-global' } as const
    const moved = (change: Record<string, string | null>) =>
      wrongKey(updateConnection(admin, { id, settings: change, ...zone }))
    const host = 'https://aiplatform.googleapis.com and https://oauth2.googleapis.com'
    expect(await moved({ location: 'europe-west4' })).toContain(host)
    expect(await moved({ authority: 'https://8.8.4.4' })).toContain('(as a signature)')
    expect(await moved({ authentication: 'key' })).toContain(host)
    await updateConnection(admin, { id, settings: { project: 'other' } })
    // The same two hosts, but this one would send the private key.
    const azure = { authentication: 'entra', tenantId: 't', clientId: 'c' }
    const authority = 'https://oauth2.googleapis.com'
    const baseUrl = 'https://aiplatform.googleapis.com'
    const asAzure = { wire: 'azure-openai', baseUrl, settings: { ...azure, authority } } as const
    expect(await wrongKey(updateConnection(admin, { id, ...asAzure, ...zone }))).toContain(host)
  })

  test.each([
    [{ authentication: 'service-account' }, ['settings.project', 'settings.location']],
    [{ ...settings, location: 'evil.example/' }, ['settings.location']],
    [{ ...settings, project: 'a/../b' }, ['settings.project']],
    [{ ...settings, authority: 'http://10.0.0.1' }, ['settings.authority']],
  ])('%j are refused', async (wrong, fields) => {
    const refused = Object.keys(await refusedFields(addVertex({ settings: wrong })))
    expect(refused.toSorted()).toEqual(fields.toSorted())
  })

  test('it is added in a terminal with its file, and stands in a site file without it', async () => {
    const name = `vertex ${randomUUID()}`
    const facts = ['--name', name, '--trust-zone', 'external-global', '--api-type', 'gemini']
    const set = Object.entries(settings).flatMap(([key, value]) => ['--setting', `${key}=${value}`])
    const added = await toolgate(['connection', 'add', ...facts, ...set, '--key-stdin'], {
      input: `${JSON.stringify(JSON.parse(file('key-id-dddd')), null, 2)}\n`,
    })
    expect(added).toMatchObject({ code: 0, stderr: '' })
    const text = await exportSite(admin)
    expect(text).toContain('location: global')
    expect(text).not.toContain('PRIVATE KEY')
    expect((await planSite(admin, parseSiteFile(text))).steps).toEqual([])
  })
})

test('a key and an address that were pasted with more are cleaned, and the terminal says so', async () => {
  const name = `pasted ${randomUUID()}`
  const facts = ['--name', name, '--trust-zone', 'external-global', '--api-type', 'openai']
  const address = ['--base-url', 'https://api.openai.com/v1/models']
  const added = await toolgate(['connection', 'add', ...facts, ...address, '--key-stdin'], {
    input: 'OPENAI_API_KEY="sk-proj-0123456789abcd"\n',
  })
  expect(added).toMatchObject({ code: 0, stderr: expect.stringContaining('Only the key itself') })
  expect(added.stderr).toContain('Without "/models" at its end')
  expect(added.stderr).not.toContain('0123456789')
  const stored = await db().connection.findFirstOrThrow({ where: { name } })
  expect(stored.baseUrl).toBe('https://api.openai.com/v1')
  const key = await db().vaultSecret.findFirstOrThrow({ where: { id: stored.secretId ?? '' } })
  expect(key.lastFour).toBe('abcd')
})

test('of one API type do not follow to another', async () => {
  const id = await add()
  await updateConnection(admin, { id, wire: 'openai-compatible', apiKey: 'other-0123456789' })
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
})
