import { describe, expect, test } from 'vitest'
import { beginAttempt } from '@/lib/auth/limit-sign-in'
import { loadSession } from '@/lib/auth/load-session'
import { revokeSession } from '@/lib/auth/revoke-session'
import { signIn } from '@/lib/auth/sign-in'
import { systemCtx } from '@/lib/context'
import { db, withTransaction } from '@/lib/db'
import { RateLimitedError, UnauthenticatedError } from '@/lib/errors'
import { createUser } from '@/lib/users/create-user'
import { updateUser } from '@/lib/users/update-user'
import { addPerson } from '../support/people'
import { waitingForRows } from '../support/waiting-for-rows'

const password = 'correct horse battery'
let serial = 0

async function person(role: 'admin' | 'member' = 'member') {
  serial += 1
  const email = `person-${serial}@example.org`
  const ipAddress = `198.51.${serial}.9`
  const { userId } = await createUser(systemCtx(), { email, name: 'Ana', role, password })
  return { userId, email, origin: { ipAddress, userAgent: 'vitest' } }
}

describe('signing in', () => {
  test('opens a session that names the person, and is audited', async () => {
    const { userId, email, origin } = await person('admin')
    const { sessionId } = await signIn({ email: ` ${email.toUpperCase()} `, password }, origin)
    expect(await loadSession(sessionId)).toEqual({
      sessionId,
      actor: { userId, email, role: 'admin' },
      name: 'Ana',
    })
    const audit = await db().auditEntry.findFirstOrThrow({ where: { objectId: sessionId } })
    expect(audit).toMatchObject({
      action: 'session.open',
      actorId: userId,
      ipAddress: origin.ipAddress,
    })
  })

  test('says the same for a wrong password, an unknown, a disabled and a password-less account', async () => {
    const { userId, email, origin } = await person()
    const words = 'The e-mail address or the password is wrong.'
    const tryIt = (address: string, secret: string) =>
      signIn({ email: address, password: secret }, origin)
    await expect(tryIt(email, 'not the password')).rejects.toThrow(words)
    await expect(tryIt('nobody@example.org', password)).rejects.toThrow(words)
    await updateUser(systemCtx(), userId, { disabled: true })
    await expect(tryIt(email, password)).rejects.toThrow(words)
    const { actor } = await addPerson('member')
    await expect(tryIt(actor.email, password)).rejects.toThrow(words)
  })
})

describe('a password that was right when it was looked at', () => {
  const changes = [
    ['was reset', { passwordHash: null }],
    ['was changed', { passwordHash: 'another hash' }],
    ['belongs to an account that was disabled', { disabledAt: new Date() }],
    ['belongs to an account that was deleted', { deletedAt: new Date() }],
  ] as const

  test.each(changes)('opens nothing when it %s before the session was', async (_what, data) => {
    const { userId, email, origin } = await person()
    const attempts: Promise<unknown>[] = []
    await withTransaction(async (tx) => {
      await tx.user.update({ where: { id: userId }, data })
      attempts.push(signIn({ email, password }, origin).catch((error: unknown) => error))
      await expect.poll(waitingForRows, { timeout: 10_000 }).toBe(1)
    })
    expect(await Promise.all(attempts)).toEqual([expect.any(UnauthenticatedError)])
    expect(await db().session.count({ where: { userId } })).toBe(0)
  })
})

describe('the limit of failures', () => {
  test('five in five minutes close an account, wherever they come from, and say until when', async () => {
    const { email } = await person()
    for (let n = 0; n < 5; n += 1) {
      const origin = { ipAddress: `192.0.${n}.1`, userAgent: null }
      await expect(signIn({ email, password: 'wrong' }, origin)).rejects.toThrow(
        UnauthenticatedError,
      )
    }
    const attempt = signIn({ email, password }, { ipAddress: '192.0.99.1', userAgent: null })
    await expect(attempt).rejects.toThrow(/^Too many failed sign-ins\. Try again in 5 minutes\.$/)
    await expect(beginAttempt(email, null, new Date(Date.now() + 301_000))).resolves.toBeDefined()
  })

  test('five in five minutes close an address prefix, whatever the account', async () => {
    for (let n = 0; n < 5; n += 1) await beginAttempt(`guess-${n}@example.org`, `203.0.113.${n}`)
    await expect(beginAttempt('guess-9@example.org', '203.0.113.200')).rejects.toThrow(
      RateLimitedError,
    )
    await expect(beginAttempt('guess-9@example.org', '203.0.114.1')).resolves.toBeDefined()
    for (let n = 0; n < 5; n += 1) await beginAttempt(`six-${n}@example.org`, `2001:db8:0:1::${n}`)
    const sameNet = beginAttempt('six-9@example.org', '2001:db8:0:1:ffff::1')
    await expect(sameNet).rejects.toThrow(RateLimitedError)
    await expect(beginAttempt('six-9@example.org', '2001:db8:0:2::1')).resolves.toBeDefined()
  })

  test('many at once cannot slip past it', async () => {
    const attempts = Array.from({ length: 20 }, () => beginAttempt('rush@example.org', null))
    const results = await Promise.allSettled(attempts)
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
  })

  test('a success forgives the failures of the account', async () => {
    const { email, origin } = await person()
    for (let round = 0; round < 3; round += 1) {
      await expect(
        signIn({ email, password: 'wrong' }, { ...origin, ipAddress: null }),
      ).rejects.toThrow()
      await expect(
        signIn({ email, password: 'wrong' }, { ...origin, ipAddress: null }),
      ).rejects.toThrow()
      await signIn({ email, password }, { ...origin, ipAddress: null })
    }
  })

  test('keeps neither addresses nor e-mail addresses', async () => {
    await beginAttempt('private@example.org', '203.0.200.1')
    const rows = await db().signInFailure.findMany()
    for (const { subject } of rows) expect(subject).toMatch(/^[0-9a-f]{64}$/)
  })
})

describe('a session', () => {
  test('stops counting when it is revoked, expired, or its person disabled; a role change shows at once', async () => {
    const { userId, email, origin } = await person('admin')
    const { sessionId } = await signIn({ email, password }, origin)
    await addPerson('admin')
    await updateUser(systemCtx(), userId, { role: 'member' })
    expect((await loadSession(sessionId))?.actor.role).toBe('member')
    await updateUser(systemCtx(), userId, { disabled: true })
    expect(await loadSession(sessionId)).toBeNull()
    await updateUser(systemCtx(), userId, { disabled: false })
    expect(await loadSession(sessionId)).toBeNull()
    const again = await signIn({ email, password }, origin)
    expect(await loadSession(again.sessionId)).not.toBeNull()
    expect(await loadSession(again.sessionId, new Date(Date.now() + 13 * 3_600_000))).toBeNull()
    await revokeSession(again.sessionId)
    await revokeSession(again.sessionId)
    expect(await loadSession(again.sessionId)).toBeNull()
    const closed = { objectId: again.sessionId, action: 'session.close' }
    expect(await db().auditEntry.count({ where: closed })).toBe(1)
  })
})
