import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listConfigurations } from '@/lib/domains/configurations/usable'
import { createConfiguration } from '@/lib/domains/configurations/verbs'
import { removeConnectionKey, setConnectionKey } from '@/lib/domains/connections/key-verbs'
import { listConnections, readConnection } from '@/lib/domains/connections/reads'
import type { CreateConnection } from '@/lib/domains/connections/schemas'
import { updateConnection } from '@/lib/domains/connections/update-connection'
import {
  createConnection,
  deleteConnection,
  setConnectionHeaders,
} from '@/lib/domains/connections/verbs'
import { createModel } from '@/lib/domains/models/verbs'
import type { Ctx } from '@/lib/kernel/context'
import { ConflictError, ForbiddenError, NotFoundError, ValidationError } from '@/lib/kernel/errors'
import { replaceConnectionKey } from '@/lib/probes/store-further-key'
import { testConnection } from '@/lib/probes/test-connection'
import { testConnectionDraft } from '@/lib/probes/test-connection-draft'
import { trustZoneEffect } from '@/lib/toolset/policy/policy-effect'
import { db } from '@/tests/support/fixture-db'
import { openStoredConnection } from '@/tests/support/open-stored-connection'
import { addPerson } from '@/tests/support/people'
import { refusedFields } from '@/tests/support/refused-fields'
import { type Provider, startProvider } from '@/tests/support/start-provider'

const rightKey = 'sk-right-0123456789abcd'
const nextKey = 'sk-next-0123456789wxyz'
const accepted = new Set([rightKey, nextKey])

let admin: Ctx
let member: Ctx
let provider: Provider
let elsewhere: Provider
beforeAll(async () => {
  admin = await addPerson('admin')
  member = await addPerson('member')
  provider = await startProvider(accepted)
  elsewhere = await startProvider(accepted)
})
afterAll(() => {
  for (const { server } of [provider, elsewhere]) server.close()
})

const facts = (change: Partial<CreateConnection> = {}): CreateConnection => ({
  name: randomUUID(),
  wire: 'openai-compatible',
  baseUrl: provider.url,
  trustZone: 'local',
  privateAddressAllowed: true,
  apiKey: rightKey,
  ...change,
})
const add = async (change: Partial<CreateConnection> = {}) =>
  (await createConnection(admin, facts(change))).id
const fieldsOf = async (attempt: Promise<unknown>) => Object.keys(await refusedFields(attempt))
const auditOf = (objectId: string) =>
  db().auditEntry.findMany({ where: { objectId }, orderBy: { at: 'asc' } })

async function configurationOn(connectionId: string): Promise<{ id: string; identifier: string }> {
  const model = { connectionId, modelId: 'm-1', displayName: 'Model one' }
  const modelId = (await createModel(admin, model)).id
  const identifier = `c-${randomUUID().slice(0, 8)}`
  const { id } = await createConfiguration(admin, { identifier, name: identifier, modelId })
  return { id, identifier }
}

describe('an address', () => {
  test('in a private network is refused at save until it is allowed, others never', async () => {
    const shut = { privateAddressAllowed: false }
    expect(await fieldsOf(add(shut))).toEqual(['privateAddressAllowed'])
    const local = { ...shut, wire: 'ollama', baseUrl: null } as const
    expect(await fieldsOf(add(local))).toEqual(['privateAddressAllowed'])
    const metadata = { baseUrl: 'http://169.254.169.254/v1' }
    expect(await fieldsOf(add(metadata))).toEqual(['baseUrl'])
    const id = await add()
    expect(await fieldsOf(updateConnection(admin, { id, ...shut }))).toEqual([
      'privateAddressAllowed',
    ])
    expect(await fieldsOf(updateConnection(admin, { id, ...metadata }))).toEqual(['baseUrl'])
    // It was allowed once, and is asked about again where requests are sent.
    await db().connection.update({ where: { id }, data: shut })
    expect(await testConnection(admin, { id })).toMatchObject({ outcome: 'egress' })
  })

  test('on another host gets no secret that was given for this one', async () => {
    const id = await add({ headers: { 'X-Team': 'blue-team' } })
    const moved = { baseUrl: elsewhere.url }
    expect(await fieldsOf(updateConnection(admin, { id, ...moved }))).toEqual(['apiKey'])
    const keyed = { ...moved, apiKey: nextKey }
    expect(await fieldsOf(updateConnection(admin, { id, ...keyed }))).toEqual(['headers'])
    expect(await openStoredConnection(id)).toMatchObject({ apiKey: rightKey })

    await updateConnection(admin, { id, ...keyed, headers: { 'x-team': null } })
    expect(await openStoredConnection(id)).toMatchObject({ apiKey: nextKey, headers: {} })
    expect(await db().vaultSecret.count({ where: { purpose: 'connection-headers' } })).toBe(0)
  })
})

describe('a change', () => {
  test('is refused when somebody else was faster, and says what it changed', async () => {
    const id = await add()
    const { updatedAt, name } = await readConnection(admin, { id })
    expect(await updateConnection(admin, { id, maxTries: 2, updatedAt })).toBe(true)
    const late = updateConnection(admin, { id, maxTries: 5, idleTimeoutMs: 500, updatedAt })
    await expect(late).rejects.toThrow(ConflictError)
    expect(await readConnection(admin, { id })).toMatchObject({ maxTries: 2, idleTimeoutMs: null })
    expect(await updateConnection(admin, { id, maxTries: 2 })).toBe(false)
    const both = [3, 4].map((maxTries) => updateConnection(admin, { id, maxTries }))
    const answers = await Promise.allSettled(both)
    const kept = (await readConnection(admin, { id })).maxTries
    const stored = answers.filter(({ status }) => status === 'fulfilled').length
    expect(await auditOf(id)).toHaveLength(2 + stored)
    expect([3, 4]).toContain(kept)
    expect((await auditOf(id))[1]).toMatchObject({
      action: 'connection.update',
      before: { name, maxTries: 3 },
      after: { name, maxTries: 2 },
    })
    const taken = (await readConnection(admin, { id: await add() })).name
    await expect(updateConnection(admin, { id, name: taken })).rejects.toThrow('has this name')
  })

  test('of the trust zone needs a reason, and opens and closes tools as it said', async () => {
    const id = await add()
    const { id: configurationId } = await configurationOn(id)
    const rezoned = { trustZone: 'external-global' } as const
    expect(await fieldsOf(updateConnection(admin, { id, ...rezoned }))).toEqual(['reason'])
    const [effect] = await trustZoneEffect(admin, { id, zone: 'external-global' })
    expect(effect).toMatchObject({
      configuration: { id: configurationId },
      before: 'secret-adjacent',
      after: 'content',
      opens: [],
    })
    expect(effect?.closes).toContain('get_env')
    await updateConnection(admin, { id, ...rezoned, reason: 'moved to a cloud' })
    expect((await auditOf(id)).at(-1)).toMatchObject({ reason: 'moved to a cloud' })
    const [back] = await trustZoneEffect(admin, { id, zone: 'local' })
    expect(back?.opens).toEqual(effect?.closes)
    expect(await trustZoneEffect(admin, { id, zone: 'external-global' })).toEqual([])
  })

  test('to off closes what uses it, with a reason, and back', async () => {
    const id = await add()
    const { identifier } = await configurationOn(id)
    const isOpen = async () =>
      (await listConfigurations(admin)).some((each) => each.identifier === identifier)
    const off = updateConnection(admin, { id, enabled: false })
    expect(await fieldsOf(off)).toEqual(['reason'])
    expect(await isOpen()).toBe(true)
    const input = { enabled: false, reason: 'invoice not paid' }
    expect(await updateConnection(admin, { id, ...input })).toBe(true)
    expect(await updateConnection(admin, { id, ...input })).toBe(false)
    expect(await isOpen()).toBe(false)
    // An admin finds out whether it works again before switching it on.
    expect(await testConnection(admin, { id })).toMatchObject({ outcome: 'ok', models: 1 })
    await updateConnection(admin, { id, enabled: true })
    expect(await isOpen()).toBe(true)
    expect((await auditOf(id)).map(({ action }) => action)).toEqual([
      'connection.create',
      'connection.disable',
      'connection.enable',
    ])
  })

  test('to nothing is refused while it is in use, by name, and takes its secrets along', async () => {
    const id = await add({ headers: { 'x-team': 'blue' } })
    const { id: configurationId, identifier } = await configurationOn(id)
    await expect(deleteConnection(admin, { id })).rejects.toThrow(
      new RegExp(`in use\\. These configurations use its models \\(m-1\\): ${identifier}\\.`),
    )
    await db().configuration.delete({ where: { id: configurationId } })
    await expect(deleteConnection(admin, { id })).rejects.toThrow('has models: m-1')
    await db().model.deleteMany({ where: { connectionId: id } })
    const row = await db().connection.findUniqueOrThrow({ where: { id } })
    await deleteConnection(admin, { id, reason: 'contract ended' })
    const secrets = [row.secretId ?? '', row.headersSecretId ?? '']
    expect(await db().vaultSecret.count({ where: { id: { in: secrets } } })).toBe(0)
    expect((await auditOf(id)).at(-1)).toMatchObject({ reason: 'contract ended' })
    await expect(readConnection(admin, { id })).rejects.toThrow(NotFoundError)
  })
})

describe('secrets', () => {
  test('headers are sealed as one, sent, and shown by name alone', async () => {
    const id = await add({ headers: { 'X-Team': 'blue-team' } })
    const changes = { headers: { 'api-key': 'azure-like-value', 'x-team': 'red-team' } }
    expect(await setConnectionHeaders(admin, { id, ...changes })).toEqual({
      headerNames: ['api-key', 'x-team'],
    })
    provider.requested.length = 0
    expect(await testConnection(admin, { id })).toMatchObject({ outcome: 'ok' })
    expect(provider.requested).toMatchObject([
      { 'x-team': 'red-team', 'api-key': 'azure-like-value' },
    ])
    const listed = (await listConnections(admin, {})).find((each) => each.id === id)
    expect(listed?.headerNames).toEqual(['api-key', 'x-team'])
    const shown = JSON.stringify([listed, await auditOf(id)])
    expect(shown).not.toMatch(/blue-team|red-team|azure-like/)
    const host = setConnectionHeaders(admin, { id, headers: { Host: 'x' } })
    await expect(host).rejects.toThrow(ValidationError)
    const gone = { 'api-key': null, 'x-team': null }
    await setConnectionHeaders(admin, { id, headers: gone, reason: 'the gateway is gone' })
    expect((await auditOf(id)).at(-1)).toMatchObject({ reason: 'the gateway is gone' })
    const row = await db().connection.findUniqueOrThrow({ where: { id } })
    expect(row).toMatchObject({ headerNames: [], headersSecretId: null })
  })

  test('changing them is no conflict for a form, and a key for another host is refused', async () => {
    const id = await add()
    const { updatedAt } = await readConnection(admin, { id })
    await setConnectionHeaders(admin, { id, headers: { 'x-team': 'blue' } })
    await replaceConnectionKey(admin, { id, apiKey: nextKey })
    const other = setConnectionKey(admin, {
      id,
      apiKey: rightKey,
      host: 'https://elsewhere.example.org',
    })
    await expect(other).rejects.toThrow('in the meantime')
    await removeConnectionKey(admin, { id })
    expect(await updateConnection(admin, { id, maxTries: 1, updatedAt })).toBe(true)
  })

  test('a typed key that is refused gets advice, and nothing is stored', async () => {
    const draft = facts({ apiKey: 'sk-wrong-0123456789' })
    expect(await testConnectionDraft(admin, draft)).toMatchObject({
      outcome: 'unauthorised',
      message: expect.stringMatching(/HTTP 401\). Check the key, or take a new one/),
    })
    expect(await db().connection.count({ where: { name: draft.name } })).toBe(0)
  })

  test('a new key takes the old one’s place once the provider took it', async () => {
    const id = await add()
    const wrong = await replaceConnectionKey(admin, { id, apiKey: 'sk-wrong-0123456789' })
    expect(wrong).toMatchObject({
      stored: false,
      test: {
        outcome: 'unauthorised',
        message: expect.stringMatching(/\(HTTP 401\)\. Check the key, or take a new one/),
      },
    })
    expect((await openStoredConnection(id)).apiKey).toBe(rightKey)
    expect(await replaceConnectionKey(admin, { id, apiKey: nextKey })).toMatchObject({
      stored: true,
      lastFour: 'wxyz',
      test: { outcome: 'ok' },
    })
    expect((await openStoredConnection(id)).apiKey).toBe(nextKey)
    const untested = { apiKey: 'sk-wrong-0123456789', test: false }
    expect(await replaceConnectionKey(admin, { id, ...untested })).toMatchObject({ stored: true })
    expect(await removeConnectionKey(admin, { id })).toBe(true)
    expect(await removeConnectionKey(admin, { id })).toBe(false)
    expect((await auditOf(id)).slice(1)).toMatchObject([
      {
        action: 'connection.replace-key',
        before: { lastFour: 'abcd' },
        after: { lastFour: 'wxyz' },
      },
      {
        action: 'connection.replace-key',
        before: { lastFour: 'wxyz' },
        after: { lastFour: '6789' },
      },
      { action: 'connection.remove-key', before: { lastFour: '6789' } },
    ])
    expect(JSON.stringify(await auditOf(id))).not.toContain('sk-')
  })
})

test('connections are for admins, in every verb', async () => {
  const id = await add()
  const attempts = [
    () => readConnection(member, { id }),
    () => updateConnection(member, { id, maxTries: 1 }),
    () => updateConnection(member, { id, enabled: true }),
    () => setConnectionHeaders(member, { id, headers: {} }),
    () => removeConnectionKey(member, { id }),
    () => replaceConnectionKey(member, { id, apiKey: nextKey }),
    () => testConnection(member, { id }),
    () => testConnectionDraft(member, facts()),
    () => deleteConnection(member, { id }),
    () => trustZoneEffect(member, { id, zone: 'local' }),
  ]
  for (const attempt of attempts) await expect(attempt()).rejects.toThrow(ForbiddenError)
  expect(await auditOf(id)).toHaveLength(1)
})
