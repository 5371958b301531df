import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { requireFreshProof, waysToConfirm } from '@/lib/auth/confirm-identity'
import { loadSession } from '@/lib/auth/load-session'
import { sessionCookieName } from '@/lib/auth/session-cookie'
import { verifyApiKey } from '@/lib/domains/api-keys/verify-api-key'
import { flushRefusals } from '@/lib/domains/audit/record-refusal'
import { inviteUser } from '@/lib/domains/users/account-links'
import { endAllSessions } from '@/lib/domains/users/sign-in-verbs'
import { createUser, deleteUser, updateUser } from '@/lib/domains/users/verbs'
import { createApiKey } from '@/lib/joined-verbs'
import { systemCtx } from '@/lib/kernel/context'
import { CookieJar } from '@/tests/support/cookie-jar'
import { db } from '@/tests/support/fixture-db'
import { resign } from '@/tests/support/identity-provider'
import { addPerson } from '@/tests/support/people'
import { actionsOn, kim, providerSiteOfFile } from '@/tests/support/provider-site'

const site = providerSiteOfFile()
const { enter } = site

const aKey = { name: 'k', scopes: ['runs:read' as const] }

describe('signing in through the identity provider', () => {
  test('makes an account at the first time, in the mapped role and groups, and finds it again by its subject', async () => {
    await db().group.create({ data: { name: 'Editors' } })
    const first = await enter(kim)
    expect(first).toMatchObject({ page: '/runs', error: null, session: { name: 'Kim' } })
    const { userId } = first.session?.actor ?? { userId: '' }
    const row = await db().user.findUniqueOrThrow({
      where: { id: userId },
      include: { memberships: { include: { group: true } } },
    })
    expect(row).toMatchObject({
      email: 'kim@example.org',
      role: 'member',
      passwordHash: null,
      oidcIssuer: site.provider.issuer,
      oidcSubject: 'kim-1',
      memberships: [{ group: { name: 'Editors' } }],
    })
    const other = { ...kim, email: 'other@example.org', email_verified: undefined }
    const again = await enter({ ...other, groups: ['ops'] })
    expect(again.session?.actor).toEqual({ userId, email: 'kim@example.org', role: 'admin' })
    expect(await db().groupMember.count({ where: { userId } })).toBe(0)
    expect(await actionsOn(userId)).toEqual([
      'user.create-from-provider',
      'user.follow-provider-groups',
      'user.follow-provider-role',
      'user.follow-provider-groups',
    ])
    expect(await endAllSessions(systemCtx(), { userId })).toBe(2)
    expect(await loadSession(again.session?.sessionId ?? '')).toBeNull()
  })

  test('changes no policy for somebody of whom the provider says nothing new', async () => {
    const version = async () =>
      (await db().$queryRaw<{ version: bigint }[]>`SELECT version FROM policy_version`)[0]?.version
    const lee = { ...kim, sub: 'lee-1', email: 'lee@example.org', name: 'Lee' }
    const first = await enter(lee)
    const before = await version()
    const again = await enter(lee)
    expect(again.session?.actor.userId).toBe(first.session?.actor.userId)
    expect(await version()).toBe(before)
    await enter({ ...lee, groups: ['ops'] })
    expect(await version()).not.toBe(before)
  })

  test('keeps the last admin one, whatever the mapping says', async () => {
    const { session } = await enter({ ...kim, groups: ['ops'] })
    expect((await enter(kim)).session?.actor.role).toBe('admin')
    await addPerson('admin')
    expect((await enter(kim)).session?.actor).toMatchObject({
      userId: session?.actor.userId,
      role: 'member',
    })
  })

  test('refuses who is in no mapped group, and ends what they still had open', async () => {
    expect(await enter({ ...kim, groups: ['visitors'] })).toEqual({
      page: '/sign-in',
      error: 'no-role',
      session: null,
    })
    expect(await db().user.count()).toBe(0)
    const before = await enter(kim)
    expect((await enter({ ...kim, groups: [] })).error).toBe('no-role')
    expect(await loadSession(before.session?.sessionId ?? '')).toBeNull()
  })

  test('disables who is in no mapped group any more, with their keys, until an admin enables them', async () => {
    await addPerson('admin')
    const { session } = await enter({ ...kim, groups: ['ops'] })
    const userId = session?.actor.userId ?? ''
    const { token } = await createApiKey(systemCtx(), { ...aKey, userId })
    expect((await enter({ ...kim, groups: ['visitors'] })).error).toBe('no-role')
    expect(await verifyApiKey(token)).toBeNull()
    expect(await enter(kim)).toMatchObject({ error: 'disabled', session: null })
    await updateUser(systemCtx(), { userId, disabled: false })
    expect(await verifyApiKey(token)).toBeNull()
    expect((await enter(kim)).session?.actor).toMatchObject({ userId, role: 'member' })
    const refusal = { objectId: userId, action: 'user.refuse-without-group' }
    expect(await db().auditEntry.findFirst({ where: refusal })).toMatchObject({
      before: { role: 'admin', disabled: false },
      after: { disabled: true, sessionsEnded: 1, keysRevoked: 1 },
    })
  })

  test('audits each refused person with their own reason and address', async () => {
    await flushRefusals()
    await db().auditEntry.deleteMany()
    const jo = { ...kim, sub: 'jo-1', email: 'jo@example.org', groups: ['visitors'] }
    const none = { ...kim, sub: 'li\n-1', email: undefined }
    const odd = { ...kim, sub: 'odd-1', email: 'no\u202e address', groups: [] }
    for (const person of [jo, { ...kim, groups: [] }, none, odd, jo]) await enter(person)
    await flushRefusals()
    const rows = await db().auditEntry.findMany({
      where: { action: 'sign-in.fail' },
      orderBy: { actorLabel: 'asc' },
    })
    const refused = (who: string, email: string | null, subject: string, reason = 'no-role') => ({
      actorLabel: `${who} (not signed in)`,
      reason: `Refused after the identity provider: ${reason}.`,
      after: { email, subject },
    })
    const by = (label: string) => rows.find(({ actorLabel }) => actorLabel.startsWith(label))
    expect(rows).toHaveLength(4)
    expect(by('jo')).toMatchObject({ ...refused(jo.email, jo.email, 'jo-1'), count: 2 })
    expect(by('Kim')).toMatchObject({ ...refused(kim.email, kim.email, 'kim-1'), count: 1 })
    expect(by('li')).toMatchObject(refused('li -1', null, 'li -1', 'no-email'))
    expect(by('no')).toMatchObject(refused('no address', 'no address', 'odd-1'))
  })

  test('stores a name of the provider as one line of what is seen', async () => {
    await enter({ ...kim, name: ' Kim\n\u200badmin@example.org\tadmin \u202e' })
    expect(await db().user.findFirst({})).toMatchObject({ name: 'Kim admin@example.org admin' })
  })

  test('only refuses the last admin, and ends what they had open', async () => {
    const { session } = await enter({ ...kim, groups: ['ops'] })
    const userId = session?.actor.userId ?? ''
    const { token } = await createApiKey(systemCtx(), { ...aKey, userId })
    expect((await enter({ ...kim, groups: [] })).error).toBe('no-role')
    expect(await verifyApiKey(token)).toBeNull()
    expect(await loadSession(session?.sessionId ?? '')).toBeNull()
    expect((await enter({ ...kim, groups: ['ops'] })).session?.actor.role).toBe('admin')
  })

  test('refuses disabled accounts; a deleted one comes back as a new one', async () => {
    const { session } = await enter(kim)
    const userId = session?.actor.userId ?? ''
    await updateUser(systemCtx(), { userId, disabled: true })
    expect(await enter(kim)).toMatchObject({ error: 'disabled', session: null })
    await deleteUser(systemCtx(), { userId })
    const back = await enter(kim)
    expect(back.session?.actor.email).toBe('kim@example.org')
    expect(back.session?.actor.userId).not.toBe(userId)
  })

  test('takes over the account with its address only when the provider verified it', async () => {
    const password = 'lamp river quiet stone'
    const wish = { email: 'kim@example.org', name: 'K', role: 'member' as const, password }
    const { userId } = await createUser(systemCtx(), wish)
    const { token } = await createApiKey(systemCtx(), { ...aKey, userId })
    for (const email_verified of [false, undefined, 'true']) {
      expect(await enter({ ...kim, email_verified })).toMatchObject({
        error: 'email-taken',
        session: null,
      })
    }
    expect((await enter({ ...kim, email: undefined })).error).toBe('no-email')
    expect(await verifyApiKey(token)).not.toBeNull()
    expect((await enter(kim)).session?.actor.userId).toBe(userId)
    expect(await verifyApiKey(token)).toBeNull()
    expect(await db().user.findUnique({ where: { id: userId } })).toMatchObject({
      passwordHash: null,
      oidcSubject: 'kim-1',
    })
    expect(await enter({ ...kim, sub: 'someone-else' })).toMatchObject({ error: 'email-taken' })
  })
})

describe('the e-mail address at the provider', () => {
  const renamed = { ...kim, email: 'kim.new@example.org', name: 'Kim New' }

  test('is followed when it is verified and free, and its old one opens nothing', async () => {
    const userId = (await enter(kim)).session?.actor.userId ?? ''
    const { token } = await createApiKey(systemCtx(), { ...aKey, userId })
    expect((await enter(renamed)).session).toMatchObject({
      name: 'Kim',
      actor: { userId, email: renamed.email },
    })
    expect((await enter(renamed)).session?.actor.userId).toBe(userId)
    expect((await actionsOn(userId)).filter((each) => each.startsWith('user.'))).toEqual([
      'user.create-from-provider',
      'user.follow-provider-email',
    ])
    const another = (await enter({ ...kim, sub: 'kim-2' })).session?.actor
    expect(another).toMatchObject({ email: 'kim@example.org' })
    expect(another?.userId).not.toBe(userId)
    expect((await verifyApiKey(token))?.actor).toMatchObject({ userId, email: renamed.email })
  })

  test('stays where another account has the new one, or the account is disabled', async () => {
    const userId = (await enter(kim)).session?.actor.userId ?? ''
    const taken = await addPerson('member')
    const wanted = { ...kim, email: taken.actor.email }
    expect((await enter(wanted)).session?.actor).toMatchObject({ userId, email: 'kim@example.org' })
    await updateUser(systemCtx(), { userId, disabled: true })
    expect((await enter(renamed)).error).toBe('disabled')
    const row = await db().user.findUniqueOrThrow({ where: { id: userId } })
    expect(row.email).toBe('kim@example.org')
  })

  test.each([
    ['absent', undefined, 'no-email'],
    ['no address', 'kim at example', 'bad-email'],
    ['no text', 7, 'bad-email'],
  ])('that is %s refuses a new person by its own name', async (_what, email, error) => {
    expect((await enter({ ...kim, email })).error).toBe(error)
  })

  test('of an invited person who comes by the provider leads to the invitation', async () => {
    const wish = { email: 'kim@example.org', name: 'K', role: 'member' as const }
    await inviteUser(systemCtx(), wish)
    expect((await enter({ ...kim, email_verified: false })).error).toBe('invited')
    expect((await enter(kim)).session?.actor.email).toBe('kim@example.org')
  })
})

describe('a token that is not what it should be', () => {
  const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  const hourAgo = () => Math.floor(Date.now() / 1000) - 3_600

  test.each<[string, (token: string) => string]>([
    ['signed with another key', (token) => resign(token, {}, stranger)],
    [
      'changed after it was signed',
      (token) => {
        const [head, , seal] = token.split('.')
        const [, body] = resign(token, { sub: 'root' }, stranger).split('.')
        return `${head}.${body}.${seal}`
      },
    ],
    [
      'not signed at all',
      (token) => {
        const [head, body] = resign(token, {}, stranger, { alg: 'none' }).split('.')
        return `${head}.${body}.`
      },
    ],
    ['meant for another client', (token) => resign(token, { aud: 'another' }, site.provider.key)],
    [
      'of another issuer',
      (token) => resign(token, { iss: 'https://evil.example' }, site.provider.key),
    ],
    ['from another sign-in', (token) => resign(token, { nonce: 'replayed' }, site.provider.key)],
    [
      'expired',
      (token) => resign(token, { exp: hourAgo(), iat: hourAgo() - 60 }, site.provider.key),
    ],
  ])('%s opens nothing', async (_what, tamper) => {
    site.provider.tamper = tamper
    expect(await enter({ ...kim, groups: ['ops'] })).toEqual({
      page: '/sign-in',
      error: 'OAuthCallback',
      session: null,
    })
    expect(await db().user.count()).toBe(0)
  })

  test('one with nothing changed but its signature made anew by the provider does', async () => {
    site.provider.tamper = (token) => resign(token, {}, site.provider.key)
    expect((await enter(kim)).session).not.toBeNull()
  })

  test('an answer to a sign-in that this browser did not begin opens nothing', async () => {
    const jar = new CookieJar()
    const forged = await jar.visit(`${site.callback()}?code=stolen&state=guessed`)
    expect(new URL(forged.url).searchParams.get('error')).toBe('OAuthCallback')
    expect(jar.valueOf(site.url, sessionCookieName())).toBeUndefined()
  })
})

describe('the question who it is', () => {
  const kim = { sub: 'kim', email: 'kim@example.org', groups: ['staff'] }
  const again = '?prompt=login&max_age=0'

  test('is answered by a new sign-in at the provider, whose time counts and not ours', async () => {
    const jar = new CookieJar()
    const first = await enter(kim, jar)
    const aged = new Date(Date.now() - 20 * 60_000)
    await db().session.updateMany({ data: { authenticatedAt: aged } })
    const second = await enter(kim, jar, again)
    expect(second.session?.actor.email).toBe(kim.email)
    if (!second.session || !first.session) throw new Error('There is no session.')
    const { session } = second
    expect(() => requireFreshProof(session)).not.toThrow()
    const ctx = { actor: session.actor, via: 'console', ipAddress: null } as const
    expect(await waysToConfirm({ ...ctx, sessionId: session.sessionId })).toEqual({
      password: false,
      passkey: false,
      provider: 'single sign-on',
    })
    // The browser has the new one; nobody could end the earlier one there any more.
    expect(await loadSession(first.session.sessionId)).toBeNull()
  })

  test('is not answered by a provider that only remembers somebody', async () => {
    site.provider.tamper = (token) =>
      resign(token, { auth_time: Math.floor(Date.now() / 1000) - 3_600 }, site.provider.key)
    const { session } = await enter(kim, new CookieJar(), again)
    if (!session) throw new Error('There is no session.')
    expect(() => requireFreshProof(session)).toThrow(/older than 15 minutes/)
    const ctx = { actor: session.actor, via: 'console', ipAddress: null } as const
    expect(await waysToConfirm({ ...ctx, sessionId: session.sessionId })).toMatchObject({
      remembered: session.authenticatedAt.toISOString(),
    })
    site.provider.tamper = (token) =>
      resign(token, { auth_time: Math.floor(Date.now() / 1000) + 86_400 }, site.provider.key)
    const future = await enter(kim, new CookieJar(), again)
    expect(future.session?.authenticatedAt.getTime()).toBeLessThanOrEqual(Date.now())
  })
})
