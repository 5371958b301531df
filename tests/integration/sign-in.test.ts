import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { browserCookie } from '@/lib/auth/known-browser'
import { beginAttempt } from '@/lib/auth/limit-attempts'
import { loadSession } from '@/lib/auth/load-session'
import { revokeSession } from '@/lib/auth/open-session'
import { signIn } from '@/lib/auth/sign-in'
import { createUser, updateUser } from '@/lib/domains/users/verbs'
import { systemCtx } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { RateLimitedError, UnauthenticatedError } from '@/lib/kernel/errors'
import { withTransaction } from '@/tests/support/fixture-db'
import { originAt } from '@/tests/support/origin-at'
import { addPerson } from '@/tests/support/people'
import { waitingForRows } from '@/tests/support/waiting-for-rows'

const password = 'lamp river quiet stone'
let serial = 0

async function person(role: 'admin' | 'member' = 'member') {
  serial += 1
  const email = `person-${serial}@example.org`
  const ipAddress = `198.51.${serial}.9`
  const { userId } = await createUser(systemCtx(), { email, name: 'Ana', role, password })
  return { userId, email, origin: originAt(ipAddress) }
}

describe('signing in', () => {
  test('opens a session that names the person, and is audited', async () => {
    const { userId, email, origin } = await person('admin')
    const { sessionId } = await signIn({ email: ` ${email.toUpperCase()} `, password }, origin)
    expect(await loadSession(sessionId)).toMatchObject({
      sessionId,
      actor: { userId, email, role: 'admin' },
      name: 'Ana',
      mustEnrol: false,
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
    await updateUser(systemCtx(), { userId, disabled: true })
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
      await expect.poll(waitingForRows).toBe(1)
    })
    expect(await Promise.all(attempts)).toEqual([expect.any(UnauthenticatedError)])
    expect(await db().session.count({ where: { userId } })).toBe(0)
  })
})

describe('failed attempts', () => {
  const stranger = '192.0.2.50'
  const inSeconds = (seconds: number) => ({ now: new Date(Date.now() + seconds * 1000) })
  const at = (address: string | null) => ({ address })

  // The first delay is two seconds, which a busy machine needs for the attempts themselves.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.now() }))
  afterEach(() => void vi.useRealTimers())

  async function failAt(email: string, address: string | null, times = 5) {
    for (let n = 0; n < times; n += 1) {
      await expect(signIn({ email, password: 'wrong' }, originAt(address))).rejects.toThrow(
        UnauthenticatedError,
      )
    }
  }

  test('make the next one wait, longer each time and a minute at most, and say how long', async () => {
    const { email } = await person()
    await failAt(email, stranger)
    await expect(signIn({ email, password }, originAt(stranger))).rejects.toThrow(
      /^Too many failed attempts\. Try again in [12] seconds?\.$/,
    )
    const delays: number[] = []
    let now = new Date(Date.now() + 1000)
    for (let n = 0; n < 8; n += 1) {
      const refused = await beginAttempt(email, 'password', at(stranger), { now }).catch((e) => e)
      const seconds = refused instanceof RateLimitedError ? refused.retryAfterSeconds : 0
      delays.push(seconds)
      now = new Date(now.getTime() + seconds * 1000)
      await beginAttempt(email, 'password', at(stranger), { now })
    }
    expect(delays.slice(1)).toEqual([4, 8, 16, 32, 60, 60, 60])
    const anHourLater = { now: new Date(now.getTime() + 3_600_001) }
    for (let n = 0; n < 5; n += 1) await beginAttempt(email, 'password', at(stranger), anHourLater)
  })

  test('for one account do not lock another one out at the same address', async () => {
    const [target, colleague] = [await person(), await person()]
    await failAt(target.email, stranger)
    await signIn({ email: colleague.email, password }, originAt(stranger))
  })

  test('from many addresses never lock the owner out, and cost nothing where they signed in before', async () => {
    const { email, origin } = await person('admin')
    await signIn({ email, password }, origin)
    for (let n = 0; n < 60; n += 1) {
      await beginAttempt(email, 'password', at(`192.1.${n}.1`), { sleep: async () => undefined })
    }
    const pauses: number[] = []
    const sleep = async (ms: number) => pauses.push(ms)
    await beginAttempt(email, 'password', at('198.51.200.9'), { sleep })
    expect(pauses).toEqual([5_000])
    await beginAttempt(email, 'password', at(origin.countedAddress), { sleep })
    expect(pauses).toHaveLength(1)
    await signIn({ email, password }, origin)
  })

  test('over many accounts slow their address down, and shut nobody out there', async () => {
    const { email, origin } = await person()
    await signIn({ email, password }, origin)
    const pauses: number[] = []
    const sleep = async (ms: number) => pauses.push(ms)
    for (let n = 0; n < 30; n += 1) {
      const address = `198.51.77.${n}`
      await beginAttempt(`guess-${n}@example.org`, 'password', at(address), { sleep })
    }
    expect(pauses).toEqual([250, 500, 750, 1000, 1250, 1500, 1750, 2000, 2250, 2500])
    for (let n = 0; n < 30; n += 1) {
      const address = `2001:db8:0:1::${n}`
      await beginAttempt(`guess-${n}@example.net`, 'password', at(address), { sleep })
    }
    expect(pauses).toHaveLength(20)
    await signIn({ email, password }, originAt('198.51.77.9'))
  })

  test('wait with no more than five of an address at once, and hold no connection', async () => {
    const address = '198.51.78.1'
    const begin = (n: number, sleep: () => Promise<unknown>) =>
      beginAttempt(`held-${n}@example.org`, 'password', at(address), { sleep })
    for (let n = 0; n < 21; n += 1) await begin(n, async () => undefined)
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const waiting = Array.from({ length: 5 }, (_, n) => begin(100 + n, () => released))
    const refused = () =>
      begin(200, async () => undefined).then(
        () => 'waited',
        (error) => error,
      )
    await expect.poll(refused).toBeInstanceOf(RateLimitedError)
    // As many statements as the pool has connections.
    await Promise.all(Array.from({ length: 5 }, () => db().user.count()))
    release()
    await Promise.all(waiting)
    await begin(300, async () => undefined)
  })

  test('at an address that may be a proxy’s are counted for the account alone, with short delays', async () => {
    const [target, other] = [await person('admin'), await person()]
    await failAt(target.email, null)
    let now = new Date(Date.now() + 1000)
    for (let n = 0; n < 10; n += 1) {
      await beginAttempt(target.email, 'password', at(null), { now }).catch(() => undefined)
      now = new Date(now.getTime() + 5_000)
    }
    await expect(beginAttempt(target.email, 'password', at(null), { now })).resolves.toBeDefined()
    await signIn({ email: other.email, password }, originAt(null))
  })

  test('of others do not slow down a browser that signed in before, or a session', async () => {
    const { email } = await person('admin')
    await failAt(email, null)
    const locked = signIn({ email, password }, originAt(null))
    await expect(locked).rejects.toThrow(RateLimitedError)
    const browserCookieOf = (account: string) => browserCookie(account).split(/[=;]/)[1]
    const known = { ...originAt(null), browserCookie: browserCookieOf(email) }
    await signIn({ email, password }, known)
    const foreign = { ...originAt(null), browserCookie: browserCookieOf('eve@example.org') }
    await expect(signIn({ email, password }, foreign)).rejects.toThrow(RateLimitedError)
    const origin = { sessionId: 'one', address: null }
    for (let n = 0; n < 5; n += 1) await beginAttempt(email, 'password', origin)
    await expect(beginAttempt(email, 'password', origin)).rejects.toThrow(RateLimitedError)
    await beginAttempt(email, 'password', { ...origin, sessionId: 'another' })
  })

  test('many at once cannot slip past the delay', async () => {
    const attempts = Array.from({ length: 20 }, () =>
      beginAttempt('rush@example.org', 'password', at(stranger)),
    )
    const results = await Promise.allSettled(attempts)
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
  })

  test('with codes count for the account from everywhere, up to a quarter of an hour and for a day', async () => {
    const begin = (n: number, seconds = 0) =>
      beginAttempt('codes@example.org', 'code', at(`192.2.${n}.1`), inSeconds(seconds))
    for (let n = 0; n < 5; n += 1) await begin(n)
    await expect(begin(9)).rejects.toThrow(RateLimitedError)
    let seconds = 0
    for (let n = 0; n < 12; n += 1) {
      seconds += 900
      await begin(n, seconds)
    }
    await expect(begin(20, seconds + 890)).rejects.toThrow('Try again in 10 seconds.')
    await begin(20, seconds + 24 * 3600)
    await beginAttempt('codes@example.org', 'password', at('192.2.1.1'))
  })

  test('are forgiven by a success', async () => {
    const { email, origin } = await person()
    for (let round = 0; round < 3; round += 1) {
      await failAt(email, origin.countedAddress, 4)
      await signIn({ email, password }, origin)
    }
  })

  test('keep neither addresses nor e-mail addresses, and are forgotten', async () => {
    await beginAttempt('private@example.org', 'password', at('203.0.200.1'))
    const rows = await db().signInFailure.findMany()
    for (const { subject } of rows) expect(subject).toMatch(/^[0-9a-f]{64}$/)
    const muchLater = { ...inSeconds(3 * 24 * 3600), sleep: async () => undefined }
    for (let n = 0; n * 10 < rows.length; n += 1) {
      await beginAttempt(`later-${n}@example.org`, 'password', at('203.0.201.1'), muchLater)
    }
    const old = { forgetAt: { lt: muchLater.now } }
    expect(await db().signInFailure.count({ where: old })).toBe(0)
  })

  test('are forgotten also where no address is known, as behind a proxy that is not trusted', async () => {
    for (let n = 0; n < 3; n += 1)
      await beginAttempt(`made-up-${n}@example.org`, 'password', at(null))
    const before = await db().signInFailure.count()
    const muchLater = inSeconds(9 * 24 * 3600)
    for (let n = 0; n * 10 < before; n += 1) {
      await beginAttempt(`made-up-later-${n}@example.org`, 'password', at(null), muchLater)
    }
    const old = { forgetAt: { lt: muchLater.now } }
    expect(await db().signInFailure.count({ where: old })).toBe(0)
  })
})

describe('a session', () => {
  test('stops counting when it is revoked, expired, or its person disabled; a role change shows at once', async () => {
    const { userId, email, origin } = await person('admin')
    const { sessionId } = await signIn({ email, password }, origin)
    await addPerson('admin')
    await updateUser(systemCtx(), { userId, role: 'member' })
    expect((await loadSession(sessionId))?.actor.role).toBe('member')
    await updateUser(systemCtx(), { userId, disabled: true })
    expect(await loadSession(sessionId)).toBeNull()
    await updateUser(systemCtx(), { userId, disabled: false })
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
