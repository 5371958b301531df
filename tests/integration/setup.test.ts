import { beforeEach, describe, expect, test } from 'vitest'
import { completeSetup, createSetupToken, readSetupState } from '@/lib/domains/users/setup'
import { ConflictError, ForbiddenError, ValidationError } from '@/lib/kernel/errors'
import { db } from '@/tests/support/fixture-db'

const admin = { email: 'Ana@Example.org', name: 'Ana', password: 'lamp river quiet stone' }

async function newToken(): Promise<string> {
  const token = await createSetupToken()
  if (token === null) throw new Error('there is an admin already')
  return token
}

beforeEach(async () => {
  await db().user.deleteMany()
  await db().setting.deleteMany()
})

describe('first set-up', () => {
  test('makes the one admin, uses the token up, and is audited', async () => {
    const token = await newToken()
    expect(await readSetupState(token)).toBe('open')
    const { userId } = await completeSetup(token, admin, '203.0.113.1')
    expect(await db().user.findMany()).toMatchObject([
      { id: userId, email: 'ana@example.org', role: 'admin' },
    ])
    expect(await createSetupToken()).toBeNull()
    expect(await readSetupState(token)).toBe('done')
    await expect(completeSetup(token, admin)).rejects.toThrow(ConflictError)
    const audit = await db().auditEntry.findFirstOrThrow({ where: { objectId: userId } })
    expect(audit).toMatchObject({ action: 'user.create-first-admin', ipAddress: '203.0.113.1' })
    expect(JSON.stringify(audit)).not.toContain(admin.password)
  })

  test('of many at once exactly one wins, the others get a conflict', async () => {
    const token = await newToken()
    const attempts = Array.from({ length: 6 }, (_, n) =>
      completeSetup(token, { ...admin, email: `ana-${n}@example.org` }),
    )
    const results = await Promise.allSettled(attempts)
    const refusals = results.flatMap((r) => (r.status === 'rejected' ? [r.reason] : []))
    expect(refusals).toHaveLength(5)
    for (const refusal of refusals) expect(refusal).toBeInstanceOf(ConflictError)
    expect(await db().user.count()).toBe(1)
  })

  test('a new token replaces the old; wrong and old ones are refused', async () => {
    const first = await newToken()
    const second = await newToken()
    await expect(completeSetup(first, admin)).rejects.toThrow(ForbiddenError)
    await expect(completeSetup('', admin)).rejects.toThrow(ForbiddenError)
    await createSetupToken(new Date(Date.now() - 25 * 3_600_000))
    await expect(completeSetup(second, admin)).rejects.toThrow(ForbiddenError)
    expect(await db().user.count()).toBe(0)
  })

  test('keeps only a hash of the token', async () => {
    const token = await newToken()
    expect(JSON.stringify(await db().setting.findMany())).not.toContain(token)
  })

  test('names each field that is wrong', async () => {
    const weak = { ...admin, password: 'Ana@Example.org' }
    await expect(completeSetup(await newToken(), weak)).rejects.toMatchObject({
      fields: { password: expect.stringContaining('mostly your name, your e-mail address') },
    })
    const attempt = completeSetup(await newToken(), { email: 'ana', name: ' ', password: 'short' })
    const error = await attempt.catch((e: unknown) => e)
    expect(error).toBeInstanceOf(ValidationError)
    expect(error).toMatchObject({
      fields: {
        email: 'Enter an e-mail address such as ana@example.org.',
        name: 'Enter a name.',
        password: 'A password needs at least 12 characters.',
      },
    })
  })
})
