import { encode } from 'next-auth/jwt'
import { afterEach, describe, expect, test } from 'vitest'
import { GET as pendingRoute } from '@/app/api/approvals/pending/route'
import { POST as activityRoute } from '@/app/api/session/activity/route'
import { endedByIdling, loadSession } from '@/lib/auth/load-session'
import { openSession } from '@/lib/auth/open-session'
import { sessionCookieName } from '@/lib/auth/session-cookie'
import { updateSettings } from '@/lib/domains/settings/verbs'
import { listSessions } from '@/lib/domains/users/reads'
import { updateUser } from '@/lib/domains/users/verbs'
import { makeChange } from '@/lib/edge/verb'
import { systemCtx } from '@/lib/kernel/context'
import { env } from '@/lib/kernel/env'
import { apiKeyOf, apiRoute, ask } from '@/tests/support/api-client'
import { db } from '@/tests/support/fixture-db'
import { addAuthenticatorApp, addSignedInPerson } from '@/tests/support/second-factor'

const hour = 3_600_000
const inHours = (hours: number) => new Date(Date.now() + hours * hour)

afterEach(() => db().setting.deleteMany())

/** Returns the headers that the browser of a session sends. */
async function headersOf(sessionId: string): Promise<Record<string, string>> {
  const token = await encode({ token: { sid: sessionId }, secret: env().NEXTAUTH_SECRET })
  const cookie = `${sessionCookieName()}=${token}`
  return { cookie, origin: 'http://localhost:3000', host: 'localhost:3000' }
}

async function lastSeenHoursAgo(sessionId: string, hours: number): Promise<void> {
  await db().session.update({ where: { id: sessionId }, data: { lastSeenAt: inHours(-hours) } })
}

describe('a session that nobody uses', () => {
  test('ends after 8 hours, which the sign-in page can tell from other endings', async () => {
    const { sessionId, ctx, userId } = await addSignedInPerson()
    await lastSeenHoursAgo(sessionId, 7.9)
    expect(await loadSession(sessionId)).not.toBeNull()
    expect(await endedByIdling(sessionId)).toBeNull()
    await lastSeenHoursAgo(sessionId, 8.1)
    expect(await loadSession(sessionId)).toBeNull()
    expect(await endedByIdling(sessionId)).toBe(8 * hour)
    expect(await listSessions(ctx, userId)).toEqual([])
    await db().session.update({ where: { id: sessionId }, data: { revokedAt: new Date() } })
    expect(await endedByIdling(sessionId)).toBeNull()
  })

  test('ends as soon as the settings say, and a longer limit does not bring it back', async () => {
    const { sessionId } = await addSignedInPerson()
    await updateSettings(systemCtx(), { sessionIdleMs: 300_000 })
    await lastSeenHoursAgo(sessionId, 0.1)
    expect(await loadSession(sessionId)).toBeNull()
    await updateSettings(systemCtx(), { sessionIdleMs: 24 * hour })
    expect(await loadSession(sessionId)).toBeNull()
    const other = await addSignedInPerson()
    await db()
      .setting.create({ data: { key: 'sessionIdleMs', value: 'never' } })
      .catch(() =>
        db().setting.update({ where: { key: 'sessionIdleMs' }, data: { value: 'never' } }),
      )
    await lastSeenHoursAgo(other.sessionId, 8.1)
    expect(await loadSession(other.sessionId)).toBeNull()
  })

  test('is not kept alive by what pages read by themselves; a sign of activity keeps it', async () => {
    const { sessionId } = await addSignedInPerson()
    await lastSeenHoursAgo(sessionId, 7)
    const headers = await headersOf(sessionId)
    const seen = async () =>
      (await db().session.findUniqueOrThrow({ where: { id: sessionId } })).lastSeenAt
    const before = await seen()
    const poll = await ask(pendingRoute, 'GET', '/api/approvals/pending', { headers })
    expect([poll.status, await seen()]).toEqual([200, before])
    const sign = await ask(activityRoute, 'POST', '/api/session/activity', { headers })
    expect(sign.status).toBe(204)
    const after = await seen()
    expect(after.getTime()).toBeGreaterThan(before.getTime())
    await ask(activityRoute, 'POST', '/api/session/activity', { headers })
    expect(await seen()).toEqual(after)
    await lastSeenHoursAgo(sessionId, 9)
    const late = await ask(activityRoute, 'POST', '/api/session/activity', { headers })
    expect(late.status).toBe(401)
  })

  test('is not kept alive by another site', async () => {
    const { sessionId } = await addSignedInPerson()
    await lastSeenHoursAgo(sessionId, 7)
    const headers = { ...(await headersOf(sessionId)), origin: 'https://evil.example' }
    const sign = await ask(activityRoute, 'POST', '/api/session/activity', { headers })
    expect(sign.status).toBe(403)
    const { lastSeenAt } = await db().session.findUniqueOrThrow({ where: { id: sessionId } })
    expect(lastSeenAt.getTime()).toBeLessThan(inHours(-6).getTime())
  })
})

describe('a required second factor', () => {
  test('closes everything but setting one up to people of the role, from the next request on', async () => {
    const admin = await addSignedInPerson('admin')
    const member = await addSignedInPerson()
    await updateSettings(systemCtx(), { secondFactorFor: 'admins' })
    expect((await loadSession(admin.sessionId))?.mustEnrol).toBe(true)
    expect((await loadSession(member.sessionId))?.mustEnrol).toBe(false)
    const refused = await ask(pendingRoute, 'GET', '/api/approvals/pending', {
      headers: await headersOf(admin.sessionId),
    })
    expect([refused.status, (await refused.json()).type]).toEqual([
      403,
      'urn:toolgate:problem:second-factor-missing',
    ])
    await updateUser(systemCtx(), { userId: member.userId, role: 'admin' })
    expect((await loadSession(member.sessionId))?.mustEnrol).toBe(true)
    await addAuthenticatorApp(admin.ctx)
    expect((await loadSession(admin.sessionId))?.mustEnrol).toBe(false)
  })

  test('leaves API keys and people of the identity provider alone, and fails closed', async () => {
    const member = await addSignedInPerson()
    const provided = await addSignedInPerson()
    await db().user.update({
      where: { id: provided.userId },
      data: { oidcIssuer: 'https://id.example', oidcSubject: provided.userId },
    })
    await db().setting.create({ data: { key: 'secondFactorFor', value: 'nonsense' } })
    expect((await loadSession(member.sessionId))?.mustEnrol).toBe(true)
    expect((await loadSession(provided.sessionId))?.mustEnrol).toBe(false)
    const key = await apiKeyOf(member.ctx, 'runs:read')
    const { GET } = apiRoute('/runs')
    expect((await ask(GET, 'GET', '/api/v1/runs', { key })).status).toBe(200)
  })
})

test('a further sign-in ends the oldest session of a person who has as many as may be open', async () => {
  await updateSettings(systemCtx(), { sessionsOfPerson: 2 })
  const { ctx, userId, sessionId: first } = await addSignedInPerson()
  const open = async () => {
    const proof = { by: 'identity-provider', userId, authenticatedAt: null } as const
    const opened = await makeChange(async (tx) => {
      const made = await openSession(tx, proof, { ipAddress: null, userAgent: null })
      if (!made) throw new Error('The account is disabled.')
      return made
    })
    return opened.sessionId
  }
  const second = await open()
  expect(await loadSession(first)).not.toBeNull()
  const third = await open()
  expect(await loadSession(first)).toBeNull()
  expect((await listSessions(ctx, userId)).map(({ id }) => id).toSorted()).toEqual(
    [second, third].toSorted(),
  )
  const closed = { action: 'session.close', objectId: first }
  expect(await db().auditEntry.count({ where: closed })).toBe(1)
})
