import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  addKey,
  changeKey,
  removeConnectionKey,
  removeKey,
  renewKey,
} from '@/lib/domains/connections/key-verbs'
import { listKeys } from '@/lib/domains/connections/list-keys'
import { pauseKey, takeKey } from '@/lib/domains/connections/take-key'
import { updateConnection } from '@/lib/domains/connections/update-connection'
import { createConnection, deleteConnection } from '@/lib/domains/connections/verbs'
import { checkKeys } from '@/lib/doors/cli/doctor/check-keys'
import type { Ctx } from '@/lib/kernel/context'
import { db, pool } from '@/lib/kernel/db'
import { applySite } from '@/lib/site-file/apply-site'
import { exportSite } from '@/lib/site-file/export-site'
import { parseSiteFile } from '@/lib/site-file/parse-site-file'
import { planSite } from '@/lib/site-file/plan-site'
import { apiKeyOf, apiRoute, ask } from '@/tests/support/api-client'
import { addPerson } from '@/tests/support/people'
import { type Provider, startProvider } from '@/tests/support/start-provider'
import { toolgate } from '@/tests/support/toolgate-process'

const keyRoute = apiRoute('/connections/{connectionId}/keys/{key}')
const keysRoute = apiRoute('/connections/{connectionId}/keys')

const own = 'sk-own-0123456789aaaa'
const good = 'sk-good-0123456789bbbb'
const better = 'sk-better-0123456789cccc'
const bad = 'sk-bad-0123456789dddd'

let admin: Ctx
let key: string
let reader: string
let provider: Provider

beforeAll(async () => {
  admin = await addPerson('admin')
  key = await apiKeyOf(admin, 'connections:read', 'connections:write')
  reader = await apiKeyOf(admin, 'connections:read')
  provider = await startProvider(new Set([own, good, better]))
})
afterAll(() => {
  provider.server.close()
})

async function add() {
  const name = `Keys ${randomUUID().slice(0, 8)}`
  const { id } = await createConnection(admin, {
    name,
    wire: 'openai-compatible',
    baseUrl: provider.url,
    trustZone: 'local',
    privateAddressAllowed: true,
    apiKey: own,
  })
  return { id, name }
}

async function send(
  handler: Parameters<typeof ask>[0],
  method: string,
  params: Record<string, string>,
  json?: unknown,
  as = key,
) {
  const response = await ask(handler, method, '/api/v1/connections/x/keys', {
    key: as,
    json,
    params,
  })
  const text = await response.text()
  expect(text).not.toMatch(/sk-/)
  return { status: response.status, body: text && JSON.parse(text) }
}

test('over HTTP: keys are listed, added once the provider took them, changed, replaced and removed', async () => {
  const { id, name } = await add()
  const params = { connectionId: name }
  const refused = await send(keysRoute.POST, 'POST', params, { label: 'b', apiKey: bad })
  expect([refused.status, refused.body.stored]).toEqual([422, false])
  const denied = await send(keysRoute.POST, 'POST', params, { label: 'b', apiKey: good }, reader)
  expect(denied.status).toBe(403)
  const meant = { label: 'b', apiKey: good, host: 'http://elsewhere.example' }
  expect((await send(keysRoute.POST, 'POST', params, meant)).status).toBe(409)
  const wrong = { label: 'b', apiKey: good, weight: 0, requestsPerMinute: 1.5 }
  expect((await send(keysRoute.POST, 'POST', params, wrong)).status).toBe(422)
  const added = await send(keysRoute.POST, 'POST', params, { label: 'b', apiKey: good, weight: 2 })
  expect([added.status, added.body]).toMatchObject([201, { stored: true, lastFour: 'bbbb' }])

  const one = { ...params, key: 'b' }
  const change = { requestsPerMinute: 5, tokensPerMinute: 1_000, label: 'team b' }
  expect((await send(keyRoute.PATCH, 'PATCH', one, change)).body).toEqual({ changed: true })
  const renamed = { ...params, key: 'team b' }
  expect((await send(keyRoute.PUT, 'PUT', renamed, { apiKey: bad })).status).toBe(422)
  const renewed = await send(keyRoute.PUT, 'PUT', renamed, { apiKey: better })
  expect(renewed.body).toMatchObject({ stored: true, lastFour: 'cccc' })
  const { body } = await send(keysRoute.GET, 'GET', params, undefined, reader)
  expect(body.keys).toMatchObject([
    { label: 'main', isOwn: true, lastFour: 'aaaa', weight: 1, requestsPerMinute: null },
    { label: 'team b', isOwn: false, lastFour: 'cccc', weight: 2, requestsPerMinute: 5 },
  ])
  expect((await send(keyRoute.PATCH, 'PATCH', one, { weight: 3 })).status).toBe(404)
  expect((await send(keyRoute.DELETE, 'DELETE', renamed)).status).toBe(204)
  expect(await listKeys(admin, { id })).toMatchObject([{ id: null, label: 'main' }])
})

test('a site file says how keys are used, and adds and removes none', async () => {
  const { id, name } = await add()
  await addKey(admin, { id, label: 'b', apiKey: good, weight: 2 })
  const entries = async () =>
    parseSiteFile(await exportSite(admin)).connections.filter((each) => each.name === name)
  expect(await entries()).toMatchObject([
    { keys: [{ label: 'b', weight: 2, tokensPerMinute: null }, { label: 'main' }] },
  ])
  const use = '{ label: b, weight: 9, tokensPerMinute: 5000 }, { label: gone, weight: 3 }'
  const file = `toolgate: 2\nconnections: [{ name: ${name}, keys: [${use}] }]`
  await applySite(admin, parseSiteFile(file), { reason: 'From the repository' })
  expect(await listKeys(admin, { id })).toMatchObject([
    { label: 'main', weight: 1 },
    { label: 'b', weight: 9, tokensPerMinute: 5_000, enabled: true },
  ])
  expect((await planSite(admin, parseSiteFile(file))).steps).toEqual([])
})

test('the doctor names keys that a provider refused, and connections without any', async () => {
  const { id, name } = await add()
  await addKey(admin, { id, label: 'b', apiKey: good })
  const found = async () => (await checkKeys()).filter(({ check }) => check === `Keys of ${name}`)
  expect(await found()).toMatchObject([{ status: 'ok', detail: '2 of 2 in use' }])
  const [, b] = await listKeys(admin, { id })
  const openedAt = Date.now() + 1_000
  await pauseKey(pool(), b?.id ?? '', { ms: 60_000, category: 'auth', advice: 'No.', openedAt })
  expect(await found()).toMatchObject([{ status: 'warn', detail: 'b: Key refused' }])
  for (const label of ['main', 'b']) {
    await changeKey(admin, { id, key: label, enabled: false })
  }
  expect(await found()).toMatchObject([{ status: 'fail', detail: 'all of them are off' }])
})

test('in a terminal: the same, and a key is read from standard input only', async () => {
  const { name } = await add()
  const of = ['--connection', name]
  const added = await toolgate(['key', 'add', ...of, '--label', 'b', '--weight', '3'], {
    input: `${good}\n`,
  })
  expect(added).toMatchObject({ code: 0, stdout: 'Added the key b that ends in bbbb.\n' })
  const refused = await toolgate(['key', 'add', ...of, '--label', 'c'], { input: `${bad}\n` })
  expect(refused.code).not.toBe(0)
  expect(refused.stderr).toContain('The new key was not stored')
  const limited = ['key', 'edit', ...of, '--label', 'b', '--requests-per-minute', '7']
  expect((await toolgate(limited)).stdout).toBe('Changed the key b.\n')
  expect((await toolgate(['key', 'edit', ...of, '--label', 'main', '--off'])).code).toBe(0)
  const listed = await toolgate(['key', 'list', ...of])
  expect(listed.stdout).toMatch(/main +…aaaa +1 +no limit +Off/)
  expect(listed.stdout).toMatch(/b +…bbbb +3 +7 requests a minute +Ready/)
  const unlimited = [
    'key',
    'edit',
    ...of,
    '--label',
    'b',
    '--no-requests-per-minute',
    '--weight',
    '4',
  ]
  expect((await toolgate(unlimited)).code).toBe(0)
  const set = await toolgate(['key', 'set', ...of, '--label', 'b'], { input: `${better}\n` })
  expect(set.stdout).toBe('Stored the key that ends in cccc.\n')
  const json = JSON.parse((await toolgate(['key', 'list', ...of, '--json'])).stdout)
  expect(json).toMatchObject([{ enabled: false }, { weight: 4, requestsPerMinute: null }])
  expect((await toolgate(['key', 'delete', ...of])).stderr).toContain('further keys')
  expect((await toolgate(['key', 'delete', ...of, '--label', 'b'])).stdout).toBe(
    'Deleted the key b.\n',
  )
  const audit = await db().auditEntry.findMany({ where: { action: { contains: '-key' } } })
  expect(JSON.stringify(audit)).not.toMatch(/sk-/)
})

test('no secret is left behind when a connection is deleted', async () => {
  const before = await db().vaultSecret.count()
  const { id } = await add()
  await addKey(admin, { id, label: 'second', apiKey: good })
  expect(await db().vaultSecret.count()).toBe(before + 2)
  await deleteConnection(admin, { id })
  expect(await db().vaultSecret.count()).toBe(before)
})

test('keys are picked by their weights, and the last one of a run first', async () => {
  const { id: connectionId } = await add()
  const { id: secondId } = await addKey(admin, { id: connectionId, label: 'second', apiKey: good })
  const wanted = (fields = {}) => ({
    connectionId,
    secretId: null,
    tokens: 10,
    reports: [],
    tried: [],
    preferred: null,
    ...fields,
  })
  const third = await addKey(admin, { id: connectionId, label: 'third', apiKey: better, weight: 3 })
  const picks: (string | undefined)[] = []
  for (let index = 0; index < 300; index++) picks.push((await takeKey(pool(), wanted())).key?.id)
  const share = picks.filter((id) => id === third.id).length / picks.length
  expect(share).toBeGreaterThan(0.6)
  expect(share).toBeLessThan(0.9)
  for (let index = 0; index < 20; index++) {
    expect((await takeKey(pool(), wanted({ preferred: secondId }))).key?.id).toBe(secondId)
    const tried = [secondId]
    expect((await takeKey(pool(), wanted({ preferred: secondId, tried }))).key?.id).toBe(third.id)
  }
  const openedAt = Date.now() + 1_000
  await pauseKey(pool(), third.id, { ms: 60_000, category: 'auth', advice: 'No.', openedAt })
  expect((await takeKey(pool(), wanted())).key?.id).toBe(secondId)
  // Somebody who began with the key before it was replaced says nothing of the new one.
  await renewKey(admin, { id: connectionId, key: 'third', apiKey: bad })
  await pauseKey(pool(), third.id, { ms: 60_000, category: 'auth', advice: 'No.', openedAt: 0 })
  expect(await listKeys(admin, { id: connectionId })).toMatchObject([
    {},
    {},
    { health: { type: 'ready' } },
  ])
})

test('keys are added, changed, replaced and removed with a line in the audit and no secret in it', async () => {
  const { id: connectionId } = await add()
  await addKey(admin, { id: connectionId, label: 'second', apiKey: good })
  const which = { id: connectionId, key: 'second' }
  await changeKey(admin, { ...which, weight: 5, label: 'team b', reason: 'More for them.' })
  expect(await changeKey(admin, { id: connectionId, key: 'team b', weight: 5 })).toBe(false)
  await renewKey(admin, { id: connectionId, key: 'team b', apiKey: 'sk-new-0123456789wxyz' })
  await expect(addKey(admin, { id: connectionId, label: 'team b', apiKey: good })).rejects.toThrow(
    'Another key of this connection has this label.',
  )
  await expect(removeConnectionKey(admin, { id: connectionId })).rejects.toThrow('further keys')
  await expect(renewKey(admin, { id: connectionId, key: 'main', apiKey: good })).rejects.toThrow(
    'the key of the connection itself',
  )
  const moved = {
    baseUrl: 'http://127.0.0.2:9/v1',
    trustZone: 'local' as const,
    apiKey: 'sk-moved-0123456789',
  }
  await expect(updateConnection(admin, { id: connectionId, ...moved })).rejects.toThrow(
    'Remove them first',
  )
  const member = await addPerson('member')
  await expect(addKey(member, { id: connectionId, label: 'x', apiKey: good })).rejects.toThrow(
    'role',
  )
  await removeKey(admin, { id: connectionId, key: 'team b', reason: 'Leaked.' })
  await expect(removeKey(admin, { ...which })).rejects.toThrow('does not exist')

  const audit = await db().auditEntry.findMany({
    where: { objectId: connectionId, action: { contains: 'key' } },
    orderBy: { at: 'asc' },
  })
  expect(audit.map(({ action }) => action)).toEqual([
    'connection.add-key',
    'connection.change-key',
    'connection.replace-key',
    'connection.remove-key',
  ])
  expect(JSON.stringify(audit)).not.toMatch(/sk-/)
  // One key without limits needs no rows, and its requests no statement more.
  expect(await db().connectionKey.count({ where: { connectionId } })).toBe(0)
  const row = await db().connection.findUniqueOrThrow({ where: { id: connectionId } })
  expect(row.pooled).toBe(false)
})
