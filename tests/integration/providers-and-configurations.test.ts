import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { setConnectionKey } from '@/lib/domains/connections/key-verbs'
import { findConnection, listConnections } from '@/lib/domains/connections/reads'
import { createConnection } from '@/lib/domains/connections/verbs'
import type { Ctx } from '@/lib/kernel/context'
import { ConflictError, ForbiddenError, NotFoundError, ValidationError } from '@/lib/kernel/errors'
import { db } from '@/tests/support/fixture-db'
import { openStoredConnection } from '@/tests/support/open-stored-connection'
import { addPerson } from '@/tests/support/people'

const apiKey = 'sk-example-0123456789abcd'
const connection = {
  name: 'Gateway',
  wire: 'openai-compatible',
  trustZone: 'external-eu',
  baseUrl: 'https://llm.example.org/v1/',
  apiKey,
} as const

let admin: Ctx
let member: Ctx
beforeEach(async () => {
  await db().connection.deleteMany()
  await db().vaultSecret.deleteMany()
  await db().auditEntry.deleteMany()
  admin = await addPerson('admin')
  member = await addPerson('member')
})

describe('connections', () => {
  test('keep their key to themselves: not in lists, not in the audit', async () => {
    const { id } = await createConnection(admin, connection)
    const listed = await listConnections(admin, {})
    expect(listed).toMatchObject([
      {
        id,
        wire: 'openai-compatible',
        trustZone: 'external-eu',
        baseUrl: 'https://llm.example.org/v1',
        key: { lastFour: 'abcd' },
      },
    ])
    expect(await findConnection(admin, 'Gateway')).toEqual({ id })
    expect(await openStoredConnection(id)).toMatchObject({
      apiKey,
      wire: 'openai-compatible',
    })
    const audit = await db().auditEntry.findMany()
    expect(audit).toMatchObject([{ action: 'connection.create', objectId: id }])
    expect(JSON.stringify([listed, audit])).not.toContain('sk-example')
  })

  test('take a new key in the old one’s place, also from two at once', async () => {
    const { id } = await createConnection(admin, { ...connection, apiKey: null })
    const keys = ['first-key-of-two-aaaa', 'second-key-of-two-bbbb']
    await Promise.all(keys.map((key) => setConnectionKey(admin, { id, apiKey: key })))
    expect(await db().vaultSecret.count()).toBe(1)
    expect(await setConnectionKey(admin, { id, apiKey: ' third-key-zzzz ' })).toEqual({
      lastFour: 'zzzz',
    })
    expect((await openStoredConnection(id)).apiKey).toBe('third-key-zzzz')
    expect(JSON.stringify(await db().auditEntry.findMany())).not.toMatch(/-key-/)
  })

  test('refuse what cannot work, field by field', async () => {
    const fieldsOf = async (change: object) => {
      const error = await createConnection(admin, { ...connection, ...change }).catch((e) => e)
      expect(error).toBeInstanceOf(ValidationError)
      return Object.keys((error as ValidationError).fields)
    }
    expect(await fieldsOf({ baseUrl: null })).toEqual(['baseUrl'])
    expect(await fieldsOf({ baseUrl: 'ftp://x.example' })).toEqual(['baseUrl'])
    expect(await fieldsOf({ baseUrl: 'https://user:pass@x.example' })).toEqual(['baseUrl'])
    expect(await fieldsOf({ baseUrl: 'https://x.example/v1?key=abc' })).toEqual(['baseUrl'])
    expect(await fieldsOf({ baseUrl: 'https://x.example/v1#here' })).toEqual(['baseUrl'])
    expect(await fieldsOf({ apiKey: 'two words' })).toEqual(['apiKey'])
    expect(await fieldsOf({ wire: 'smoke-signals' })).toEqual(['wire'])
    await createConnection(admin, connection)
    await expect(createConnection(admin, connection)).rejects.toThrow(ConflictError)
    expect(await db().vaultSecret.count()).toBe(1)
  })

  test('are for admins', async () => {
    await expect(createConnection(member, connection)).rejects.toThrow(ForbiddenError)
    await expect(listConnections(member, {})).rejects.toThrow(ForbiddenError)
    await expect(findConnection(member, 'Gateway')).rejects.toThrow(ForbiddenError)
    await expect(setConnectionKey(member, { id: randomUUID(), apiKey: 'k' })).rejects.toThrow(
      ForbiddenError,
    )
    await expect(setConnectionKey(admin, { id: randomUUID(), apiKey: 'k' })).rejects.toThrow(
      NotFoundError,
    )
    await expect(findConnection(admin, 'Nowhere')).rejects.toThrow(NotFoundError)
  })
})
