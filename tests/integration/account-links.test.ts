import { beforeEach, describe, expect, test } from 'vitest'
import { changeOwnPassword } from '@/lib/auth/change-own-password'
import { loadSession } from '@/lib/auth/load-session'
import { authenticate, signIn } from '@/lib/auth/sign-in'
import { verifyApiKey } from '@/lib/domains/api-keys/verify-api-key'
import {
  acceptAccountLink,
  inviteUser,
  readAccountLink,
  revokeLink,
} from '@/lib/domains/users/account-links'
import { listSessions, pageUsers, readUser } from '@/lib/domains/users/reads'
import { UserFilter } from '@/lib/domains/users/schemas'
import {
  endAllSessions,
  endSession,
  resetPassword,
  setPassword,
} from '@/lib/domains/users/sign-in-verbs'
import { deleteUser, renameOneself, updateUser } from '@/lib/domains/users/verbs'
import { createApiKey } from '@/lib/joined-verbs'
import type { Ctx } from '@/lib/kernel/context'
import { ConflictError, ForbiddenError, NotFoundError, ValidationError } from '@/lib/kernel/errors'
import { db, withTransaction } from '@/tests/support/fixture-db'
import { originAt } from '@/tests/support/origin-at'
import { addPerson } from '@/tests/support/people'
import { waitingForRows } from '@/tests/support/waiting-for-rows'

const password = 'lamp river quiet stone'
const nextPassword = 'another staple altogether'
let serial = 0
let admin: Ctx

async function invited(role: 'admin' | 'member' = 'member') {
  serial += 1
  const email = `invited-${serial}@example.org`
  const { userId, link } = await inviteUser(admin, { email, name: 'Ina', role })
  const ctx: Ctx = { actor: { userId, email, role }, via: 'console', ipAddress: null }
  return {
    userId,
    email,
    link,
    ctx,
    origin: originAt(`198.51.${serial}.1`),
  }
}

async function entered() {
  const person = await invited()
  await acceptAccountLink(person.link.token, { password })
  const { sessionId } = await signIn({ email: person.email, password }, person.origin)
  return { ...person, sessionId }
}

function auditOf(objectId: string) {
  return db().auditEntry.findMany({ where: { objectId }, orderBy: [{ at: 'asc' }, { id: 'asc' }] })
}

beforeEach(async () => {
  await db().user.deleteMany()
  admin = await addPerson('admin')
})

describe('an invitation', () => {
  test('lets its person set a password once; only a hash of it is kept, and nothing is audited that opens a door', async () => {
    const group = await db().group.create({ data: { name: 'Invited' } })
    const email = 'Zoe@example.org'
    const wish = { email, name: 'Zoe', role: 'member' as const, groupIds: [group.id] }
    const { userId, link } = await inviteUser(admin, wish)
    expect(Buffer.from(link.token, 'base64url')).toHaveLength(32)
    expect(link.address).toBe(`http://localhost:3000/invite/${link.token}`)
    expect(await readUser(admin, userId)).toMatchObject({
      email: 'zoe@example.org',
      state: 'invited',
      signIn: 'none',
      groups: ['Invited'],
      linkExpiresAt: link.expiresAt,
    })
    const stored = JSON.stringify(await db().accountLink.findMany())
    expect(stored).not.toContain(link.token)
    expect(await readAccountLink(link.token)).toMatchObject({ type: 'open', name: 'Zoe' })
    await expect(inviteUser(admin, wish)).rejects.toThrow(ConflictError)
    await expect(acceptAccountLink(link.token, { password: 'short' })).rejects.toThrow(
      ValidationError,
    )
    await acceptAccountLink(link.token, { password })
    expect((await authenticate(email, password))?.userId).toBe(userId)
    expect((await readUser(admin, userId)).state).toBe('active')
    expect(await readAccountLink(link.token)).toEqual({ type: 'used' })
    const audit = await auditOf(userId)
    expect(audit.map(({ action }) => action)).toEqual(['user.invite', 'user.accept-invitation'])
    expect(JSON.stringify(audit)).not.toContain(link.token)
    expect(JSON.stringify(audit)).not.toContain(password)
  })

  test('is used up by exactly one of many at once', async () => {
    const { link } = await invited()
    const passwords = Array.from({ length: 6 }, (_, n) => `${password} number ${n}`)
    const results = await Promise.allSettled(
      passwords.map((each) => acceptAccountLink(link.token, { password: each })),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('says why it does not work any more, and then opens nothing', async () => {
    const expired = await invited()
    await db().accountLink.updateMany({
      where: { userId: expired.userId },
      data: { expiresAt: new Date(Date.now() - 1) },
    })
    const revoked = await invited()
    expect(await revokeLink(admin, { userId: revoked.userId })).toBe(true)
    expect(await revokeLink(admin, { userId: revoked.userId })).toBe(false)
    const replaced = await invited()
    const again = await resetPassword(admin, { userId: replaced.userId })
    expect(again.purpose).toBe('invite')
    const disabled = await invited()
    await updateUser(admin, { userId: disabled.userId, disabled: true })
    for (const [token, type] of [
      [expired.link.token, 'expired'],
      [revoked.link.token, 'revoked'],
      [replaced.link.token, 'revoked'],
      [disabled.link.token, 'revoked'],
      ['no such token', 'unknown'],
    ] as const) {
      expect(await readAccountLink(token)).toEqual({ type })
      await expect(acceptAccountLink(token, { password })).rejects.toThrow(ForbiddenError)
    }
    await acceptAccountLink(again.token, { password })
  })

  test('is for admins to give', async () => {
    const { ctx, userId } = await invited()
    const wish = { email: 'x@example.org', name: 'X', role: 'admin' as const }
    await expect(inviteUser(ctx, wish)).rejects.toThrow(ForbiddenError)
    await expect(resetPassword(ctx, { userId })).rejects.toThrow(ForbiddenError)
    await expect(revokeLink(ctx, { userId })).rejects.toThrow(ForbiddenError)
    await expect(setPassword(ctx, { userId, password })).rejects.toThrow(ForbiddenError)
    await expect(pageUsers(ctx, UserFilter.parse({}))).rejects.toThrow(ForbiddenError)
  })
})

describe('passwords', () => {
  test('a reset takes the old one away, ends the sessions and gives a link', async () => {
    const person = await entered()
    const link = await resetPassword(admin, { userId: person.userId, reason: 'Phone stolen' })
    expect(link.purpose).toBe('reset')
    const [reset] = (await auditOf(person.userId)).slice(-1)
    expect(reset).toMatchObject({ action: 'user.reset-sign-in', reason: 'Phone stolen' })
    expect(await loadSession(person.sessionId)).toBeNull()
    expect(await authenticate(person.email, password)).toBeNull()
    await acceptAccountLink(link.token, { password: nextPassword })
    expect((await authenticate(person.email, nextPassword))?.userId).toBe(person.userId)
    await expect(resetPassword(admin, { userId: admin.actor.userId })).rejects.toThrow(
      ConflictError,
    )
  })

  test('resetting one never takes the last admin who can sign in; a terminal may', async () => {
    const other = await addPerson('admin')
    const [a, b] = [admin, other]
    const outcomes = await Promise.allSettled([
      resetPassword(a, { userId: b.actor.userId }),
      updateUser(b, { userId: a.actor.userId, disabled: true }),
    ])
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const active = await db().user.findMany({
      where: { role: 'admin', disabledAt: null, passwordHash: { not: null } },
    })
    expect(active).toHaveLength(1)
    const last = active[0]?.id ?? ''
    const someone = last === a.actor.userId ? b : a
    await expect(resetPassword(someone, { userId: last })).rejects.toThrow(/last admin/)
    expect((await resetPassword({ ...someone, via: 'cli' }, { userId: last })).purpose).toBe(
      'reset',
    )
  })

  test('changing one’s own asks for the current one, ends all other sessions, and is counted', async () => {
    const person = await entered()
    const other = await signIn({ email: person.email, password }, person.origin)
    const change = (current: string) =>
      changeOwnPassword(person.ctx, { current, password: nextPassword }, person.sessionId)
    await expect(change('a wrong guess')).rejects.toMatchObject({
      fields: { current: 'This is not your current password.' },
    })
    const ended = await change(password)
    expect(ended).toMatchObject({ sessionsEnded: 1, keysRevoked: 0 })
    const now = await Promise.all([ended, person, other].map((of) => loadSession(of.sessionId)))
    expect(now).toEqual([expect.anything(), null, null])
    for (let guess = 0; guess < 5; guess += 1) await change(`guess ${guess}`).catch(() => undefined)
    await expect(change(nextPassword)).rejects.toThrow(/Too many failed attempts/)
  })

  test('a terminal may set one', async () => {
    const person = await entered()
    await setPassword({ ...admin, via: 'cli' }, { userId: person.userId, password: nextPassword })
    expect((await authenticate(person.email, nextPassword))?.userId).toBe(person.userId)
    expect(await loadSession(person.sessionId)).toBeNull()
  })
})

describe('sessions', () => {
  test('are seen and ended by their person and by admins, by nobody else', async () => {
    const person = await entered()
    const stranger = await entered()
    expect(await listSessions(person.ctx, person.userId)).toMatchObject([
      { id: person.sessionId, ipAddress: person.origin.ipAddress, userAgent: 'vitest' },
    ])
    await expect(listSessions(stranger.ctx, person.userId)).rejects.toThrow(ForbiddenError)
    await expect(endSession(stranger.ctx, { sessionId: person.sessionId })).rejects.toThrow(
      NotFoundError,
    )
    await expect(endAllSessions(stranger.ctx, { userId: person.userId })).rejects.toThrow(
      NotFoundError,
    )
    expect(await endSession(person.ctx, { sessionId: person.sessionId })).toBe(true)
    expect(await endSession(admin, { sessionId: person.sessionId })).toBe(false)
    expect(await loadSession(person.sessionId)).toBeNull()
    const reason = 'A shared computer'
    expect(await endAllSessions(admin, { userId: stranger.userId, reason })).toBe(1)
    const [ended] = (await auditOf(stranger.userId)).slice(-1)
    expect(ended).toMatchObject({ action: 'user.end-sessions', reason })
    expect(await endAllSessions(admin, { userId: stranger.userId })).toBe(0)
    expect((await auditOf(person.sessionId)).map(({ action }) => action)).toEqual([
      'session.open',
      'session.end',
    ])
  })
})

describe('accounts', () => {
  test('are found by name, address and group, by role and by state, page by page', async () => {
    const { userId } = await invited()
    const active = await entered()
    await updateUser(admin, { userId: active.userId, disabled: true })
    const find = async (wish: object) => {
      const { rows, total } = await pageUsers(admin, UserFilter.parse(wish))
      return { ids: rows.map(({ id }) => id), total }
    }
    expect(await find({ state: 'invited', role: 'member' })).toEqual({ ids: [userId], total: 1 })
    expect(await find({ state: 'disabled' })).toEqual({ ids: [active.userId], total: 1 })
    expect(await find({ search: active.email.slice(0, 9).toUpperCase() })).toMatchObject({
      total: 2,
    })
    expect(await find({ search: '%' })).toMatchObject({ total: 0 })
    expect((await find({ page: 2, pageSize: 2 })).ids).toHaveLength(1)
  })

  test('people cannot disable, demote or delete themselves in the console, and a terminal can', async () => {
    await addPerson('admin')
    const { userId } = admin.actor
    const words = /your own account/
    await expect(updateUser(admin, { userId, role: 'member' })).rejects.toThrow(words)
    await expect(updateUser(admin, { userId, disabled: true })).rejects.toThrow(words)
    await expect(deleteUser(admin, { userId })).rejects.toThrow(words)
    await updateUser({ ...admin, via: 'cli' }, { userId, role: 'member' })
  })

  test('one that is enabled again gets none of its keys back', async () => {
    const { ctx, userId } = await entered()
    const { token } = await createApiKey(ctx, { name: 'k', scopes: ['runs:read'] })
    expect(await verifyApiKey(token)).not.toBeNull()
    await updateUser(admin, { userId, disabled: true })
    await expect(createApiKey(ctx, { name: 'k', scopes: ['runs:read'] })).rejects.toThrow(
      NotFoundError,
    )
    await updateUser(admin, { userId, disabled: false })
    expect(await verifyApiKey(token)).toBeNull()
  })

  test('one that is being disabled is given no key meanwhile', async () => {
    const { ctx, userId } = await entered()
    const attempts: Promise<unknown>[] = []
    await withTransaction(async (tx) => {
      await tx.user.update({ where: { id: userId }, data: { disabledAt: new Date() } })
      const wish = { name: 'k', scopes: ['runs:read' as const] }
      attempts.push(createApiKey(ctx, wish).catch((error: unknown) => error))
      await expect.poll(waitingForRows).toBe(1)
    })
    expect(await Promise.all(attempts)).toEqual([expect.any(NotFoundError)])
    expect(await db().apiKey.count({ where: { userId } })).toBe(0)
  })

  test('a deleted one frees its address, and ends what was open', async () => {
    const person = await entered()
    await deleteUser(admin, { userId: person.userId })
    expect(await loadSession(person.sessionId)).toBeNull()
    const { email } = person
    const { userId } = await inviteUser(admin, { email, name: 'Again', role: 'member' })
    expect(userId).not.toBe(person.userId)
  })

  test('everyone names themselves', async () => {
    const { ctx, userId } = await invited()
    await renameOneself(ctx, { name: 'Ines' })
    expect((await readUser(ctx, userId)).name).toBe('Ines')
    await expect(readUser(ctx, admin.actor.userId)).rejects.toThrow(ForbiddenError)
  })
})
