import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { renewRecoveryCodes } from '@/lib/auth/factors/change-second-factor'
import { listSecondFactors } from '@/lib/auth/factors/second-factor'
import { beginTotp, confirmTotp, totpStep } from '@/lib/auth/factors/totp'
import { finishSignInWithCode } from '@/lib/auth/finish-sign-in'
import { loadSession } from '@/lib/auth/load-session'
import { readPendingSignIn } from '@/lib/auth/pending-sign-in'
import { signIn } from '@/lib/auth/sign-in'
import { setPassword } from '@/lib/domains/users/sign-in-verbs'
import { openSecret, replaceSecret } from '@/lib/domains/vault/secrets'
import { systemCtx } from '@/lib/kernel/context'
import {
  ConflictError,
  NotFoundError,
  RateLimitedError,
  UnauthenticatedError,
} from '@/lib/kernel/errors'
import { db, withTransaction } from '@/tests/support/fixture-db'
import {
  addAuthenticatorApp,
  addSignedInPerson,
  codeAt,
  password,
  passwordStep,
} from '@/tests/support/second-factor'

const stepMs = 30_000

const actionsOf = async (userId: string) =>
  (await db().auditEntry.findMany({ where: { actorId: userId }, orderBy: { id: 'asc' } })).map(
    ({ action }) => action,
  )

describe('an authenticator app', () => {
  test('is asked for after the password, and opens no session before', async () => {
    const person = await addSignedInPerson()
    const app = await addAuthenticatorApp(person.ctx)
    expect(app.recoveryCodes).toHaveLength(10)
    const token = await passwordStep(person)
    expect(await db().session.count({ where: { userId: person.userId } })).toBe(1)
    const now = new Date(Date.now() + stepMs)
    const opened = await finishSignInWithCode(token, codeAt(app.secret, now), person.origin, now)
    expect(await loadSession(opened.sessionId)).toMatchObject({ actor: { userId: person.userId } })
    const audit = await db().auditEntry.findFirstOrThrow({ where: { objectId: opened.sessionId } })
    expect(audit).toMatchObject({
      action: 'session.open',
      after: { by: 'password', secondFactor: 'app' },
    })
    await expect(
      finishSignInWithCode(token, codeAt(app.secret, now), person.origin, now),
    ).rejects.toThrow('This sign-in expired.')
  })

  test('takes each code once, from one step before to one after, never an earlier one', async () => {
    const person = await addSignedInPerson()
    const { secret } = await addAuthenticatorApp(person.ctx)
    const begins = Math.ceil(Date.now() / stepMs + 4) * stepMs
    const at = (steps: number) => codeAt(secret, new Date(begins + steps * stepMs))
    const give = async (code: string, seconds: number) => {
      await db().signInFailure.deleteMany()
      const now = new Date(begins + seconds * 1_000)
      return finishSignInWithCode(await passwordStep(person), code, person.origin, now)
    }
    for (const [far, seconds] of [
      [-2, 0],
      [-1, 16],
      [1, 14],
      [2, 29],
    ] as const)
      await expect(give(at(far), seconds)).rejects.toThrow(/This code is wrong/)
    await give(at(-1), 14)
    await expect(give(at(-1), 14)).rejects.toThrow(/already used/)
    await give(at(1), 16)
    await expect(give(at(0), 16)).rejects.toThrow(/already used/)
  })

  test('knows the codes of RFC 6238', async () => {
    // Appendix B, SHA-1: the last six of the eight digits.
    const vectors = [
      [59, '287082'],
      [1_111_111_109, '081804'],
      [1_111_111_111, '050471'],
      [1_234_567_890, '005924'],
      [2_000_000_000, '279037'],
      [20_000_000_000, '353130'],
    ] as const
    const person = await addSignedInPerson()
    const { id } = await addAuthenticatorApp(person.ctx)
    // "12345678901234567890" in base32.
    await withTransaction((tx) => replaceSecret(tx, id, 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'))
    await db().totpApp.update({ where: { id }, data: { lastStep: null } })
    for (const [second, code] of vectors) {
      const token = await passwordStep(person)
      await db().pendingSignIn.updateMany({ data: { expiresAt: new Date('2700-01-01') } })
      await finishSignInWithCode(token, code, person.origin, new Date(second * 1000))
      const { lastStep } = await db().totpApp.findUniqueOrThrow({ where: { id } })
      expect(lastStep).toBe(BigInt(Math.floor(second / 30)))
    }
  })

  test('keeps its secret sealed with its own row, and shows it once', async () => {
    const person = await addSignedInPerson()
    const one = await addAuthenticatorApp(person.ctx)
    const row = await db().vaultSecret.findUniqueOrThrow({ where: { id: one.id } })
    expect(Buffer.from(row.ciphertext).toString()).not.toContain(one.secret)
    expect(row.lastFour).toBe('')
    const other = await addAuthenticatorApp((await addSignedInPerson()).ctx)
    const { iv, ciphertext, tag } = row
    await db().vaultSecret.update({ where: { id: other.id }, data: { iv, ciphertext, tag } })
    await expect(openSecret(db(), other.id)).rejects.toThrow('A stored secret cannot be decrypted.')
    const everything = JSON.stringify([
      await listSecondFactors(person.ctx, person.userId),
      await db().auditEntry.findMany({ where: { actorId: person.userId } }),
    ])
    for (const secret of [one.secret, ...(one.recoveryCodes ?? [])]) {
      expect(everything).not.toContain(secret)
    }
  })

  test('counts for nothing before its first right code', async () => {
    const person = await addSignedInPerson()
    const { appId, secret } = await beginTotp(person.ctx, {})
    await signIn({ email: person.email, password }, person.origin)
    const wrong = { appId, name: 'Phone', code: '000000' }
    await expect(confirmTotp(person.ctx, wrong)).rejects.toThrow(/wrong or too old/)
    const stranger = await addSignedInPerson()
    const right = { ...wrong, code: codeAt(secret, new Date()) }
    await expect(confirmTotp(stranger.ctx, right)).rejects.toThrow(NotFoundError)
    const createdAt = new Date(Date.now() - 16 * 60_000)
    await db().totpApp.update({ where: { id: appId }, data: { createdAt } })
    await expect(confirmTotp(person.ctx, right)).rejects.toThrow(NotFoundError)
    await beginTotp(person.ctx, {})
    expect(await db().vaultSecret.count({ where: { id: appId } })).toBe(0)
  })
})

describe('between password and second factor', () => {
  test('five minutes and five wrong codes are the end', async () => {
    const person = await addSignedInPerson()
    const { secret } = await addAuthenticatorApp(person.ctx)
    const token = await passwordStep(person)
    expect(await readPendingSignIn(token)).toMatchObject({ userId: person.userId })
    const late = new Date(Date.now() + 301_000)
    await expect(
      finishSignInWithCode(token, codeAt(secret, late), person.origin, late),
    ).rejects.toThrow('This sign-in expired.')
    await db().pendingSignIn.updateMany({ where: { userId: person.userId }, data: { failures: 5 } })
    const next = new Date(Date.now() + stepMs)
    await expect(
      finishSignInWithCode(token, codeAt(secret, next), person.origin, next),
    ).rejects.toThrow('This sign-in expired.')
  })

  test('a wrong code costs a try, and the right password buys no more of them', async () => {
    const person = await addSignedInPerson()
    const { secret } = await addAuthenticatorApp(person.ctx)
    const now = new Date(Date.now() + stepMs)
    for (let n = 0; n < 5; n += 1) {
      const token = await passwordStep(person)
      await expect(finishSignInWithCode(token, '123', person.origin, now)).rejects.toThrow(
        UnauthenticatedError,
      )
    }
    const rows = await db().pendingSignIn.findMany({ where: { userId: person.userId } })
    expect(rows.map(({ failures }) => failures)).toEqual([1, 1, 1, 1, 1])
    const token = await passwordStep(person)
    const right = codeAt(secret, now)
    await expect(finishSignInWithCode(token, right, person.origin, now)).rejects.toThrow(
      RateLimitedError,
    )
    await db().signInFailure.deleteMany()
    await finishSignInWithCode(token, right, person.origin, now)
  })

  test('a password set meanwhile ends it', async () => {
    const person = await addSignedInPerson()
    const { secret } = await addAuthenticatorApp(person.ctx)
    const token = await passwordStep(person)
    await setPassword(systemCtx(), { userId: person.userId, password: 'another correct horse' })
    const now = new Date(Date.now() + stepMs)
    await expect(
      finishSignInWithCode(token, codeAt(secret, now), person.origin, now),
    ).rejects.toThrow('This sign-in expired.')
  })

  test('many at once open one session', async () => {
    const person = await addSignedInPerson()
    const { secret } = await addAuthenticatorApp(person.ctx)
    const token = await passwordStep(person)
    const now = new Date(Date.now() + stepMs)
    const code = codeAt(secret, now)
    const tries = [1, 2, 3].map(() => finishSignInWithCode(token, code, person.origin, now))
    const results = await Promise.allSettled(tries)
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await db().session.count({ where: { userId: person.userId } })).toBe(2)
  })
})

describe('recovery codes', () => {
  test('work once each, however they are written, and are stored as hashes', async () => {
    const person = await addSignedInPerson()
    const { recoveryCodes } = await addAuthenticatorApp(person.ctx)
    const [first = '', second = ''] = recoveryCodes ?? []
    const token = await passwordStep(person)
    const written = first.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o')
    await finishSignInWithCode(token, written, person.origin)
    const again = await passwordStep(person)
    await expect(finishSignInWithCode(again, first, person.origin)).rejects.toThrow(/already used/)
    await finishSignInWithCode(again, second, person.origin)
    expect((await listSecondFactors(person.ctx, person.userId)).recoveryCodesLeft).toBe(8)
    const stored = await db().recoveryCode.findMany({ where: { userId: person.userId } })
    expect(stored).toHaveLength(10)
    for (const { codeHash } of stored)
      expect(codeHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(JSON.stringify(stored)).not.toContain(second)
    expect(await actionsOf(person.userId)).toContain('second-factor.use-recovery-code')
  })

  test('of an older version work once, and their fast hash does not stay', async () => {
    const person = await addSignedInPerson()
    await addAuthenticatorApp(person.ctx)
    const code = 'ABCD-EFGH-JKMN-PQRS'
    const old = createHash('sha256').update(`${person.userId}:ABCDEFGHJKMNPQRS`).digest('hex')
    await db().recoveryCode.create({ data: { userId: person.userId, codeHash: old } })
    await finishSignInWithCode(await passwordStep(person), code.toLowerCase(), person.origin)
    expect(await db().recoveryCode.count({ where: { codeHash: old } })).toBe(0)
    const token = await passwordStep(person)
    await expect(finishSignInWithCode(token, code, person.origin)).rejects.toThrow(/already used/)
  })

  test('are replaced by new ones, and of no use for another account', async () => {
    const person = await addSignedInPerson()
    const { recoveryCodes } = await addAuthenticatorApp(person.ctx)
    const renewed = await renewRecoveryCodes(person.ctx, {})
    const token = await passwordStep(person)
    const old = recoveryCodes?.[0] ?? ''
    await expect(finishSignInWithCode(token, old, person.origin)).rejects.toThrow(/wrong/)
    const other = await addSignedInPerson()
    await addAuthenticatorApp(other.ctx)
    const theirs = await passwordStep(other)
    const mine = renewed[0] ?? ''
    await expect(finishSignInWithCode(theirs, mine, other.origin)).rejects.toThrow(/wrong/)
    await finishSignInWithCode(token, mine, person.origin)
    const nobody = await addSignedInPerson()
    await expect(renewRecoveryCodes(nobody.ctx, {})).rejects.toThrow(ConflictError)
  })
})

test('a step beyond the clock is no code, and words are none either', () => {
  const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
  const now = new Date(59_000)
  expect(totpStep(secret, '287082', 1n, now)).toBeNull()
  expect(totpStep(secret, '287082', 900n, now)).toBeNull()
  expect(totpStep(secret, '287082 or 1=1', null, now)).toBeNull()
})

test('a code of a neighbouring step counts for 15 s on each side', () => {
  const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
  const at = (seconds: number) => totpStep(secret, '287082', null, new Date(seconds * 1_000))
  expect([14, 15, 30, 59, 74, 75].map(at)).toEqual([null, 1n, 1n, 1n, 1n, null])
})
