import { describe, expect, test } from 'vitest'
import { changeOwnPassword } from '@/lib/auth/change-own-password'
import { confirmIdentity, requireFreshProof, waysToConfirm } from '@/lib/auth/confirm-identity'
import { beginTotp } from '@/lib/auth/factors/totp'
import { passkeyRequest } from '@/lib/auth/factors/verify-passkey'
import { loadSession } from '@/lib/auth/load-session'
import { signIn } from '@/lib/auth/sign-in'
import { verifyApiKey } from '@/lib/domains/api-keys/verify-api-key'
import { flushRefusals } from '@/lib/domains/audit/record-refusal'
import { resetPassword, setPassword } from '@/lib/domains/users/sign-in-verbs'
import { createApiKey } from '@/lib/joined-verbs'
import { RateLimitedError, UnauthenticatedError, ValidationError } from '@/lib/kernel/errors'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'
import {
  addOnePasskey,
  addSignedInPerson,
  type Local,
  password,
} from '@/tests/support/second-factor'

/** Makes the sign-in this many minutes older. */
async function age({ sessionId }: Local, minutes: number): Promise<void> {
  const authenticatedAt = new Date(Date.now() - minutes * 60_000)
  await db().session.update({ where: { id: sessionId }, data: { authenticatedAt } })
}

async function isFresh({ sessionId }: Local): Promise<boolean> {
  const session = await loadSession(sessionId)
  if (!session) throw new Error('The session is over.')
  try {
    requireFreshProof(session)
    return true
  } catch (error) {
    expect(error).toMatchObject({ code: 'confirm-identity', status: 403 })
    return false
  }
}

describe('who somebody is', () => {
  test('is asked again after 15 minutes, and shown with the password', async () => {
    const person = await addSignedInPerson()
    await age(person, 14)
    expect(await isFresh(person)).toBe(true)
    await age(person, 16)
    expect(await isFresh(person)).toBe(false)
    expect(await waysToConfirm(person.ctx)).toEqual({
      password: true,
      passkey: false,
      provider: null,
    })
    const give = (text: string) =>
      confirmIdentity(person.ctx, { by: 'password', password: text }, person.sessionId)
    await expect(give('not the password')).rejects.toThrow(ValidationError)
    expect(await isFresh(person)).toBe(false)
    const sessionId = await give(password)
    expect(await isFresh({ ...person, sessionId })).toBe(true)
    expect(await loadSession(person.sessionId)).toBeNull()
    await expect(give(password)).rejects.toThrow(UnauthenticatedError)
    const audit = await db().auditEntry.findFirstOrThrow({
      where: { objectId: person.sessionId, action: 'session.confirm' },
    })
    expect([audit.after, JSON.stringify(audit).includes(password)]).toEqual([
      { by: 'password', sessionId },
      false,
    ])
  })

  test('cannot be guessed, and counts for that session alone', async () => {
    const person = await addSignedInPerson()
    const second = {
      ...person,
      ...(await signIn({ email: person.email, password }, person.origin)),
    }
    await age(person, 16)
    await age(second, 16)
    const give = (text: string) =>
      confirmIdentity(person.ctx, { by: 'password', password: text }, person.sessionId)
    for (let n = 0; n < 5; n += 1) await expect(give(`guess ${n}`)).rejects.toThrow(ValidationError)
    await expect(give(password)).rejects.toThrow(RateLimitedError)
    const by = { by: 'password', password } as const
    second.sessionId = await confirmIdentity(second.ctx, by, second.sessionId)
    expect([await isFresh(person), await isFresh(second)]).toEqual([false, true])
    const stranger = await addSignedInPerson()
    const theirs = confirmIdentity(stranger.ctx, { by: 'password', password }, person.sessionId)
    await expect(theirs).rejects.toThrow(UnauthenticatedError)
    expect(await isFresh(person)).toBe(false)
  })

  test('is shown with a passkey of one’s own, asked for this session', async () => {
    const person = await addSignedInPerson()
    const { authenticator } = await addOnePasskey(person)
    expect((await waysToConfirm(person.ctx)).passkey).toBe(true)
    await age(person, 16)
    const give = async (subject: string) => {
      const request = await passkeyRequest({ purpose: 'confirm', subject }, person.userId)
      const answer = authenticator.get(request)
      return confirmIdentity(person.ctx, { by: 'passkey', answer }, person.sessionId)
    }
    await expect(give('another session')).rejects.toThrow(UnauthenticatedError)
    await flushRefusals()
    const refused = { actorId: person.userId, action: 'password.fail' }
    expect(await db().auditEntry.count({ where: refused })).toBe(1)
    const sessionId = await give(person.sessionId)
    expect(await isFresh({ ...person, sessionId })).toBe(true)
  })

  test('is the identity provider’s to ask for its people, who have no factor here', async () => {
    const person = await addSignedInPerson()
    await db().user.update({
      where: { id: person.userId },
      data: { passwordHash: null, oidcIssuer: 'https://id.example', oidcSubject: person.userId },
    })
    expect(await waysToConfirm(person.ctx)).toMatchObject({ password: false, passkey: false })
    await expect(
      confirmIdentity(person.ctx, { by: 'password', password }, person.sessionId),
    ).rejects.toThrow(ValidationError)
    await expect(beginTotp(person.ctx, {})).rejects.toThrow(/identity provider/)
  })
})

describe('API keys', () => {
  const wish = { name: 'ci', scopes: ['runs:read' as const] }

  test('expire after 90 days unless said otherwise', async () => {
    const { ctx } = await addSignedInPerson()
    const days = async (input: object) => {
      const { expiresAt } = await createApiKey(ctx, { ...wish, ...input })
      return expiresAt && Math.round((Date.parse(expiresAt) - Date.now()) / 86_400_000)
    }
    expect(await days({})).toBe(90)
    expect(await days({ expiresInDays: 30 })).toBe(30)
    expect(await days({ expiresInDays: null })).toBeNull()
    const { token } = await createApiKey(ctx, wish)
    expect(await verifyApiKey(token, new Date(Date.now() + 91 * 86_400_000))).toBeNull()
  })

  test('end when an admin resets the sign-in of their owner, and the audit counts them', async () => {
    const admin = await addPerson('admin')
    const resets = [
      (userId: string) => resetPassword(admin, { userId }),
      (userId: string) => setPassword(admin, { userId, password: 'a wholly different sentence' }),
    ]
    for (const reset of resets) {
      const person = await addSignedInPerson()
      const { token } = await createApiKey(person.ctx, wish)
      const other = await createApiKey((await addSignedInPerson()).ctx, wish)
      await reset(person.userId)
      expect(await verifyApiKey(token)).toBeNull()
      expect(await verifyApiKey(other.token)).not.toBeNull()
      const audit = await db().auditEntry.findFirstOrThrow({
        where: { objectId: person.userId, actorId: admin.actor.userId },
      })
      expect(audit.after).toMatchObject({ keysRevoked: 1, sessionsEnded: 1 })
    }
  })

  test('end with one’s own password change, with other sessions, unless that is not wanted', async () => {
    const next = 'a wholly different sentence'
    for (const endAccess of [true, false]) {
      const person = await addSignedInPerson()
      const { token } = await createApiKey(person.ctx, wish)
      const other = await signIn({ email: person.email, password }, person.origin)
      const change = { current: password, password: next, endAccess }
      const ended = await changeOwnPassword(person.ctx, change, person.sessionId)
      const count = endAccess ? 1 : 0
      expect(ended).toMatchObject({ sessionsEnded: count, keysRevoked: count })
      expect((await verifyApiKey(token)) === null).toBe(endAccess)
      expect((await loadSession(other.sessionId)) === null).toBe(endAccess)
      expect(await loadSession(ended.sessionId)).not.toBeNull()
      expect(await loadSession(person.sessionId)).toBeNull()
    }
  })
})
