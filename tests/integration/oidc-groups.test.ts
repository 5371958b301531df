import { describe, expect, test } from 'vitest'
import { loadSession } from '@/lib/auth/load-session'
import { oidcSettings } from '@/lib/auth/oidc'
import { signInWithOidc } from '@/lib/auth/sign-in-with-oidc'
import { verifyApiKey } from '@/lib/domains/api-keys/verify-api-key'
import { flushRefusals } from '@/lib/domains/audit/record-refusal'
import { listUsers } from '@/lib/domains/users/reads'
import { updateUser } from '@/lib/domains/users/verbs'
import { createApiKey } from '@/lib/joined-verbs'
import { systemCtx } from '@/lib/kernel/context'
import { db } from '@/tests/support/fixture-db'
import { resign } from '@/tests/support/identity-provider'
import { addPerson } from '@/tests/support/people'
import { actionsOn, kim, providerSiteOfFile } from '@/tests/support/provider-site'
import { setEnv } from '@/tests/support/test-process'

const site = providerSiteOfFile()
const { enter } = site
const aKey = { name: 'k', scopes: ['runs:read' as const] }

describe('groups that nobody can know', () => {
  /** Adds an admin of this site, and a person of the provider who has a session, a key and a group. */
  async function begin(groups: unknown = ['staff', 'writers']) {
    const admin = await addPerson('admin')
    await db().group.create({ data: { name: 'Editors' } })
    const { session } = await enter({ ...kim, groups })
    const userId = session?.actor.userId ?? ''
    const { token } = await createApiKey(systemCtx(), { ...aKey, userId })
    const state = async () => {
      const user = (await listUsers(admin)).find(({ id }) => id === userId)
      return {
        state: user?.state,
        role: user?.role,
        groups: user?.groups,
        why: user?.suspendedFor,
        session: (await loadSession(session?.sessionId ?? '')) !== null,
        key: (await verifyApiKey(token)) !== null,
      }
    }
    return { admin, userId, state }
  }
  const asBefore = {
    state: 'active',
    role: 'member',
    groups: ['Editors'],
    session: true,
    key: true,
  }
  const suspended = {
    ...asBefore,
    state: 'suspended',
    session: false,
    key: false,
    why: 'single sign-on sent no list of groups (claim "groups") at a sign-in.',
  }

  test.each([
    ['no groups', { groups: undefined }],
    ['null for the groups', { groups: null }],
  ])(
    '%s in token and user information suspends the account, until a good token comes',
    async (_what, claims) => {
      const { userId, state } = await begin()
      expect(await enter({ ...kim, ...claims })).toEqual({
        page: '/sign-in',
        error: 'groups-absent',
        session: null,
      })
      expect(await state()).toEqual(suspended)
      expect((await enter({ ...kim, ...claims })).error).toBe('groups-absent')
      const back = await enter(kim)
      expect(back.session?.actor).toMatchObject({ userId, role: 'member' })
      expect(await state()).toEqual({ ...asBefore, why: null, session: false })
      expect((await actionsOn(userId)).slice(-2)).toEqual(['user.suspend', 'user.lift-suspension'])
      const audited = { objectId: userId, action: 'user.suspend' }
      expect(await db().auditEntry.findFirst({ where: audited })).toMatchObject({
        reason: suspended.why,
        after: { suspended: true, sessionsEnded: 1 },
      })
    },
  )

  test('null in the ID token is looked up in the user information', async () => {
    const { state } = await begin()
    site.provider.tamper = (token) =>
      resign(token, { groups: null, email: kim.email, email_verified: true }, site.provider.key)
    expect((await enter(kim)).error).toBeNull()
    expect(await state()).toEqual({ ...asBefore, why: null })
  })

  test('an admin enables a suspended account, whose keys then work again', async () => {
    const { admin, userId, state } = await begin()
    await enter({ ...kim, groups: undefined })
    await updateUser(admin, { userId, name: 'Kim K.' })
    expect(await state()).toEqual(suspended)
    await updateUser(admin, { userId, disabled: false, reason: 'A mapper was wrong.' })
    expect(await state()).toEqual({ ...asBefore, why: null, session: false })
    expect(
      await db().auditEntry.findFirst({ where: { reason: 'A mapper was wrong.' } }),
    ).toMatchObject({ before: { suspended: true }, after: { disabled: false } })
  })

  test('a suspended account is disabled, too: a refusal of one is a refusal of both', async () => {
    const { userId } = await begin()
    const where = { id: userId }
    await expect(db().user.update({ where, data: { suspendedFor: 'x' } })).rejects.toThrow(
      'users_suspended_is_disabled',
    )
    await enter({ ...kim, groups: undefined })
    await expect(db().user.update({ where, data: { disabledAt: null } })).rejects.toThrow(
      'users_suspended_is_disabled',
    )
  })

  test('an account that is disabled for good stays so, before or after it is suspended', async () => {
    const { admin, userId, state } = await begin()
    await enter({ ...kim, groups: undefined })
    await updateUser(admin, { userId, disabled: true })
    const off = { ...asBefore, state: 'disabled', why: null, session: false, key: false }
    expect(await state()).toEqual(off)
    expect((await enter({ ...kim, groups: undefined })).error).toBe('groups-absent')
    expect(await state()).toEqual(off)
    expect((await enter(kim)).error).toBe('disabled')
    await updateUser(admin, { userId, disabled: false })
    expect(await state()).toMatchObject({ state: 'active', key: false })
  })

  test('a list without our groups takes the rights of a suspended person for good', async () => {
    const { userId, state } = await begin()
    await enter({ ...kim, groups: undefined })
    expect((await enter({ ...kim, groups: [] })).error).toBe('no-role')
    expect(await state()).toMatchObject({ state: 'disabled', why: null, key: false })
    expect((await enter(kim)).error).toBe('disabled')
    await updateUser(systemCtx(), { userId, disabled: false })
    expect(await state()).toMatchObject({ state: 'active', key: false })
  })

  test.each<[string, string, unknown]>([
    ['a list of objects', 'groups-shape', [{ id: 'staff' }]],
    ['an object', 'groups-shape', { staff: true }],
    ['a number', 'groups-shape', 7],
    ['a list without text', 'groups-shape', [7, null, '']],
    ['empty text', 'groups-shape', ' '],
    ['too many groups', 'groups-too-many', ['staff', ...Array(10_000).fill('x')]],
  ])('%s refuses the sign-in and changes nothing else', async (_what, error, groups) => {
    await flushRefusals()
    await db().auditEntry.deleteMany()
    const { userId, state } = await begin()
    const before = await actionsOn(userId)
    expect(await enter({ ...kim, groups })).toEqual({ page: '/sign-in', error, session: null })
    expect(await state()).toEqual({ ...asBefore, why: null })
    expect(await actionsOn(userId)).toEqual(before)
    await flushRefusals()
    const refusal = await db().auditEntry.findFirst({ where: { action: 'sign-in.fail' } })
    expect(refusal?.reason).toBe(`Refused after the identity provider: ${error} (claim groups).`)
  })

  const named = {
    _claim_names: { groups: 'src1' },
    _claim_sources: { src1: { endpoint: 'https://x' } },
  }

  test.each([
    ['alone', { email: kim.email }],
    ['beside an empty list', { email: kim.email, groups: [] }],
  ])(
    'the name of another place %s refuses the sign-in and changes nothing else',
    async (_w, claims) => {
      const { state } = await begin()
      site.provider.tamper = (token) => resign(token, { ...named, ...claims }, site.provider.key)
      expect((await enter({ ...kim, groups: undefined })).error).toBe('groups-elsewhere')
      expect(await state()).toEqual({ ...asBefore, why: null })
      site.provider.tamper = (token) =>
        resign(token, { _claim_names: { other: 'src1' } }, site.provider.key)
      expect((await enter(kim)).error).toBeNull()
    },
  )

  test('another place than the token may be the user information, which counts then', async () => {
    await begin()
    site.provider.tamper = (token) => resign(token, named, site.provider.key)
    expect((await enter({ ...kim, groups: ['ops'] })).session?.actor.role).toBe('admin')
  })

  test('entries of a list that are no text are skipped where others are', async () => {
    const { state } = await begin()
    expect(
      (await enter({ ...kim, groups: ['staff', 7, { a: 1 }, null, 'writers'] })).error,
    ).toBeNull()
    expect(await state()).toEqual({ ...asBefore, why: null })
  })

  test('somebody without an account gets none, whatever came in place of the groups', async () => {
    for (const groups of [undefined, null, [{ id: 'staff' }]])
      expect((await enter({ ...kim, groups })).session).toBeNull()
    expect(await db().user.count()).toBe(0)
  })

  test('never suspend the last admin who can sign in: where passwords are off, one who has only that cannot', async () => {
    await addPerson('admin')
    const { session } = await enter({ ...kim, groups: ['ops'] })
    setEnv({ TOOLGATE_PASSWORD_SIGN_IN: 'off' })
    try {
      expect((await enter({ ...kim, groups: undefined })).error).toBe('groups-absent')
      expect((await enter({ ...kim, groups: [] })).error).toBe('no-role')
    } finally {
      setEnv({ TOOLGATE_PASSWORD_SIGN_IN: 'on' })
    }
    const where = { id: session?.actor.userId ?? '' }
    expect(await db().user.findUnique({ where })).toMatchObject({ disabledAt: null, role: 'admin' })
    expect((await enter({ ...kim, groups: undefined })).error).toBe('groups-absent')
    expect(await db().user.findUnique({ where })).toMatchObject({
      suspendedFor: expect.any(String),
    })
  })

  test('never suspend the last admin, nor both of two at once', async () => {
    const ops = [kim, { ...kim, sub: 'lee-1', email: 'lee@example.org' }].map((person) => ({
      ...person,
      iss: site.provider.issuer,
      groups: ['ops'] as unknown,
    }))
    const origin = {
      ipAddress: null,
      userAgent: null,
      countedAddress: null,
      browserCookie: undefined,
    }
    const settings = oidcSettings()
    if (!settings) throw new Error('There is no provider.')
    const enterAll = (change: object) =>
      Promise.all(ops.map((person) => signInWithOidc({ ...person, ...change }, settings, origin)))
    const [first] = await enterAll({})
    await enterAll({ groups: undefined })
    const active = await db().user.findMany({ where: { disabledAt: null } })
    expect(active).toHaveLength(1)
    await enterAll({ groups: null })
    expect(await db().user.findMany({ where: { disabledAt: null } })).toEqual(active)
    expect(await db().session.count({ where: { revokedAt: null } })).toBe(1)
    expect(await enterAll({})).toEqual(
      Array(2).fill(expect.objectContaining({ type: 'signed-in' })),
    )
    expect(first?.type).toBe('signed-in')
  })
})
