import { describe, expect, test } from 'vitest'
import { removeFactor } from '@/lib/auth/factors/change-second-factor'
import { addPasskey, passkeyEnrolment } from '@/lib/auth/factors/enrol-passkey'
import { passkeyRequest } from '@/lib/auth/factors/verify-passkey'
import { finishSignInWithPasskey, signInWithPasskey } from '@/lib/auth/finish-sign-in'
import { loadSession } from '@/lib/auth/load-session'
import { readPendingSignIn } from '@/lib/auth/pending-sign-in'
import { signIn } from '@/lib/auth/sign-in'
import { updateSettings } from '@/lib/domains/settings/verbs'
import { resetSecondFactor } from '@/lib/domains/users/sign-in-verbs'
import { deleteUser } from '@/lib/domains/users/verbs'
import { systemCtx } from '@/lib/kernel/context'
import {
  ConflictError,
  ForbiddenError,
  NotFoundError,
  UnauthenticatedError,
} from '@/lib/kernel/errors'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'
import {
  addAuthenticatorApp,
  addOnePasskey,
  addSignedInPerson,
  password,
  passwordStep,
} from '@/tests/support/second-factor'
import { SoftwareAuthenticator, thisSite } from '@/tests/support/software-authenticator'

describe('a passkey', () => {
  test('signs in alone, and after a password', async () => {
    const person = await addSignedInPerson()
    const { authenticator, recoveryCodes } = await addOnePasskey(person)
    expect(recoveryCodes).toHaveLength(10)
    const use = { purpose: 'sign-in', subject: '' } as const
    const answer = authenticator.get(await passkeyRequest(use))
    const { sessionId } = await signInWithPasskey(answer, person.origin)
    expect((await loadSession(sessionId))?.actor.userId).toBe(person.userId)
    await expect(signInWithPasskey(answer, person.origin)).rejects.toThrow(UnauthenticatedError)
    const token = await passwordStep(person)
    const pending = await readPendingSignIn(token)
    const second = { purpose: 'second-factor', subject: pending?.id ?? '' } as const
    const request = await passkeyRequest(second, person.userId)
    expect(request.allowCredentials).toHaveLength(1)
    await finishSignInWithPasskey(token, authenticator.get(request), person.origin)
  })

  const lies = [
    ['another origin', { origin: 'http://localhost.evil.example:3000' }],
    ['another site', { rpId: 'evil.example' }],
    ['no check of the person', { verified: false }],
    ['a counter that does not rise', { counter: 1 }],
  ] as const
  test.each(lies)('is refused with %s', async (_what, lie) => {
    const person = await addSignedInPerson()
    const { authenticator } = await addOnePasskey(person)
    const use = { purpose: 'sign-in', subject: '' } as const
    await signInWithPasskey(authenticator.get(await passkeyRequest(use)), person.origin)
    const answer = authenticator.get(await passkeyRequest(use), lie)
    await expect(signInWithPasskey(answer, person.origin)).rejects.toThrow(UnauthenticatedError)
    const right = authenticator.get(await passkeyRequest(use))
    await signInWithPasskey(right, person.origin)
  })

  test('is refused for a challenge of another purpose, another session or another account', async () => {
    const person = await addSignedInPerson()
    const { authenticator } = await addOnePasskey(person)
    const confirm = { purpose: 'confirm', subject: person.sessionId } as const
    const answer = authenticator.get(await passkeyRequest(confirm, person.userId))
    await expect(signInWithPasskey(answer, person.origin)).rejects.toThrow(UnauthenticatedError)
    const other = await addSignedInPerson()
    await addAuthenticatorApp(other.ctx)
    const token = await passwordStep(other)
    const pending = await readPendingSignIn(token)
    const use = { purpose: 'second-factor', subject: pending?.id ?? '' } as const
    const theirs = authenticator.get(await passkeyRequest(use, other.userId))
    await expect(finishSignInWithPasskey(token, theirs, other.origin)).rejects.toThrow(
      UnauthenticatedError,
    )
  })

  test('is added only for the question just asked, at this site, by a verified person, once', async () => {
    const person = await addSignedInPerson()
    const { ctx, sessionId } = person
    for (const lie of [
      { origin: 'https://evil.example' },
      { rpId: 'evil.example' },
      { verified: false },
    ]) {
      const answer = new SoftwareAuthenticator(thisSite).create(
        await passkeyEnrolment(ctx, sessionId),
        lie,
      )
      await expect(addPasskey(ctx, { name: 'x', answer }, sessionId)).rejects.toThrow(
        /not accepted/,
      )
    }
    const authenticator = new SoftwareAuthenticator(thisSite)
    const answer = authenticator.create(await passkeyEnrolment(ctx, sessionId))
    const elsewhere = addPasskey(ctx, { name: 'x', answer }, 'another session')
    await expect(elsewhere).rejects.toThrow(/not accepted/)
    await addPasskey(ctx, { name: 'x', answer }, sessionId)
    await expect(addPasskey(ctx, { name: 'x', answer }, sessionId)).rejects.toThrow(/not accepted/)
    const twice = authenticator.create(await passkeyEnrolment(ctx, sessionId))
    await expect(addPasskey(ctx, { name: 'x', answer: twice }, sessionId)).rejects.toThrow(
      'This passkey is already added.',
    )
  })

  test('opens nothing for an account that is disabled or has no password', async () => {
    for (const data of [{ disabledAt: new Date() }, { passwordHash: null }]) {
      const person = await addSignedInPerson()
      const { authenticator } = await addOnePasskey(person)
      await db().user.update({ where: { id: person.userId }, data })
      const answer = authenticator.get(await passkeyRequest({ purpose: 'sign-in', subject: '' }))
      await expect(signInWithPasskey(answer, person.origin)).rejects.toThrow('cannot sign in')
    }
  })
})

describe('removing', () => {
  test('one’s own factor ends what it opened; the last takes the recovery codes along', async () => {
    const person = await addSignedInPerson()
    const { authenticator, id } = await addOnePasskey(person)
    const app = await addAuthenticatorApp(person.ctx)
    expect(app.recoveryCodes).toBeNull()
    const stranger = await addSignedInPerson()
    await expect(removeFactor(stranger.ctx, { kind: 'passkey', id })).rejects.toThrow(NotFoundError)
    await removeFactor(person.ctx, { kind: 'passkey', id })
    const answer = authenticator.get(await passkeyRequest({ purpose: 'sign-in', subject: '' }))
    await expect(signInWithPasskey(answer, person.origin)).rejects.toThrow(UnauthenticatedError)
    await removeFactor(person.ctx, { kind: 'app', id: app.id })
    await signIn({ email: person.email, password }, person.origin)
    expect(await db().recoveryCode.count({ where: { userId: person.userId } })).toBe(0)
    expect(await db().vaultSecret.count({ where: { id: app.id } })).toBe(0)
  })

  test('the last one is refused while the site requires one', async () => {
    const person = await addSignedInPerson()
    const { id } = await addOnePasskey(person)
    await updateSettings(systemCtx(), { secondFactorFor: 'everyone' })
    const last = { kind: 'passkey', id } as const
    await expect(removeFactor(person.ctx, last)).rejects.toThrow(/this is your last one/)
    const app = await addAuthenticatorApp(person.ctx)
    await removeFactor(person.ctx, last)
    await expect(removeFactor(person.ctx, { kind: 'app', id: app.id })).rejects.toThrow(
      ConflictError,
    )
    await updateSettings(systemCtx(), { secondFactorFor: 'admins' })
    await removeFactor(person.ctx, { kind: 'app', id: app.id })
    await updateSettings(systemCtx(), { secondFactorFor: 'none' })
  })

  test('an admin resets another’s with a reason; sessions end, and the password alone signs in', async () => {
    const admin = await addPerson('admin')
    const person = await addSignedInPerson()
    await addOnePasskey(person)
    const { id } = await addAuthenticatorApp(person.ctx)
    const token = await passwordStep(person)
    await expect(
      resetSecondFactor(person.ctx, { userId: person.userId, reason: 'x' }),
    ).rejects.toThrow(ForbiddenError)
    await expect(resetSecondFactor(admin, { userId: person.userId, reason: ' ' })).rejects.toThrow(
      /Enter a reason/,
    )
    await resetSecondFactor(admin, { userId: person.userId, reason: 'Phone lost' })
    expect(await loadSession(person.sessionId)).toBeNull()
    expect(await readPendingSignIn(token)).toBeNull()
    expect(await db().vaultSecret.count({ where: { id } })).toBe(0)
    await signIn({ email: person.email, password }, person.origin)
    const audit = await db().auditEntry.findFirstOrThrow({
      where: { objectId: person.userId, action: 'user.reset-second-factor' },
    })
    expect(audit).toMatchObject({
      reason: 'Phone lost',
      after: { passkeysRemoved: 1, appsRemoved: 1, sessionsEnded: 1 },
    })
    await expect(resetSecondFactor(admin, { userId: person.userId, reason: 'x' })).rejects.toThrow(
      'This account has no second factor.',
    )
    await expect(
      resetSecondFactor(admin, { userId: admin.actor.userId, reason: 'x' }),
    ).rejects.toThrow(/your own account/)
  })

  test('a deleted account leaves none behind', async () => {
    const person = await addSignedInPerson()
    await addOnePasskey(person)
    const { id } = await addAuthenticatorApp(person.ctx)
    await deleteUser(systemCtx(), { userId: person.userId })
    expect(await db().passkey.count({ where: { userId: person.userId } })).toBe(0)
    expect(await db().vaultSecret.count({ where: { id } })).toBe(0)
  })
})
