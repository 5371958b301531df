import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { passkeyToSignIn } from '@/app/(auth)/sign-in/actions'
import { GET } from '@/app/api/audit/export/route'
import { GET as everyAddress } from '@/app/api/v1/[[...path]]/route'
import { changeOwnPassword } from '@/lib/auth/change-own-password'
import type { PasskeyAnswer } from '@/lib/auth/factors/verify-passkey'
import { signInWithPasskey } from '@/lib/auth/finish-sign-in'
import { signIn } from '@/lib/auth/sign-in'
import { AuditFilter } from '@/lib/domains/audit/audit-filter'
import { exportAudit } from '@/lib/domains/audit/export-audit'
import { listAudit } from '@/lib/domains/audit/list-audit'
import { flushRefusals, recordRefusal } from '@/lib/domains/audit/record-refusal'
import type { Refusal } from '@/lib/domains/audit/store-refusal'
import { createUser } from '@/lib/domains/users/verbs'
import { route } from '@/lib/doors/http'
import { createApiKey } from '@/lib/joined-verbs'
import { type Ctx, systemCtx } from '@/lib/kernel/context'
import { revokeKey } from '@/lib/runs/verbs'
import { apiKeyOf, apiRoute, ask } from '@/tests/support/api-client'
import { db } from '@/tests/support/fixture-db'
import { browser } from '@/tests/support/next-request'
import { originAt } from '@/tests/support/origin-at'
import { addPerson } from '@/tests/support/people'
import { setEnv } from '@/tests/support/test-process'

const { GET: listTools } = apiRoute('/tools')

const password = 'lamp river quiet stone'
const address = '198.51.100.9'
let admin: Ctx
let member: Ctx

beforeAll(async () => {
  admin = await addPerson('admin')
  member = await addPerson('member')
})
beforeEach(async () => {
  await flushRefusals()
  await db().auditEntry.deleteMany()
})

async function refusals(wish: object = {}) {
  await flushRefusals()
  return (await listAudit(admin, AuditFilter.parse({ kind: 'refusal', ...wish }))).rows
}

const madeUp: PasskeyAnswer = {
  id: 'x',
  rawId: 'x',
  type: 'public-key',
  response: { clientDataJSON: 'e30', authenticatorData: 'x', signature: 'x' },
}

const forAdmins = route({ role: 'admin', scope: 'tools:write' }, async () => Response.json({}))

describe('a failed sign-in', () => {
  test('is in the audit with whom it meant and from where, never the password, and counted in one row', async () => {
    const email = 'ana@example.org'
    const { userId } = await createUser(systemCtx(), {
      email,
      name: 'Ana',
      role: 'admin',
      password,
    })
    const secret = 'not-the-password-4711'
    for (let n = 0; n < 7; n += 1) {
      await signIn({ email: ` ${email.toUpperCase()}`, password: secret }, originAt(address)).catch(
        () => undefined,
      )
    }
    const rows = await refusals()
    expect(rows).toMatchObject([
      { action: 'sign-in.slow-down', count: 2 },
      { action: 'sign-in.fail', count: 5 },
    ])
    for (const row of rows) {
      expect(row).toMatchObject({
        kind: 'refusal',
        actor: 'ana@example.org (not signed in)',
        actorId: null,
        objectType: 'user',
        objectId: userId,
        ipAddress: address,
      })
      expect(Date.parse(row.lastAt ?? '')).toBeGreaterThanOrEqual(Date.parse(row.at))
    }
    expect(JSON.stringify(await db().auditEntry.findMany())).not.toContain(secret)
    expect(await refusals({ kind: 'change' })).toMatchObject([{ action: 'user.create', count: 1 }])
    expect(await refusals({ actor: 'ana@' })).toHaveLength(2)
  })

  test('keeps nothing of a password that was typed as the e-mail address', async () => {
    const typed = { email: 'hunter2 is my password', password: 'x' }
    await expect(signIn(typed, originAt(address))).rejects.toThrow()
    const rows = await refusals()
    expect(rows).toMatchObject([{ objectId: null, after: { email: 'not an e-mail address' } }])
    expect(JSON.stringify(rows)).not.toContain('hunter2')
  })

  test('of a signed-in person who is asked for their password again names them', async () => {
    const wrong = { current: 'a guess', password: 'another staple altogether' }
    await expect(changeOwnPassword(member, wrong, 'session')).rejects.toThrow()
    expect(await refusals()).toMatchObject([
      { action: 'password.fail', actorId: member.actor.userId, actor: member.actor.email },
    ])
  })
})

describe('a refused request', () => {
  test('is in the audit with what was asked for, ids left out, and once for many', async () => {
    const key = await apiKeyOf(member, 'tools:write')
    for (const id of [
      '019a0000-0000-7000-8000-0000000000aa',
      '019a0000-0000-7000-8000-0000000000bb',
    ]) {
      const answer = await ask(forAdmins, 'PUT', `/api/v1/things/${id}?secret=1`, { key })
      expect(answer.status).toBe(403)
    }
    expect(await refusals()).toMatchObject([
      {
        action: 'access.refuse',
        actorId: member.actor.userId,
        objectType: 'route',
        objectId: 'PUT /api/v1/things/[id]',
        reason: 'The scope tools:write is for admins, and the owner of this API key is a member.',
        count: 2,
      },
    ])
  })

  test('with a key that was revoked, has expired, or never was is told apart, and keeps no key', async () => {
    const make = () => createApiKey(admin, { name: 'ci', scopes: ['tools:read'], expiresInDays: 1 })
    const [revoked, expired] = [await make(), await make()]
    await revokeKey(admin, { keyId: revoked.id })
    await db().apiKey.update({ where: { id: expired.id }, data: { expiresAt: new Date(0) } })
    const unknown = `tg_${'x'.repeat(43)}`
    for (const key of [revoked.token, revoked.token, expired.token, unknown]) {
      expect((await ask(listTools, 'GET', '/api/v1/tools', { key })).status).toBe(401)
    }
    const rows = await refusals({ action: 'api-key.refuse' })
    const byId = new Map(rows.map((row) => [row.objectId, row]))
    expect(byId.get(revoked.id)).toMatchObject({ count: 2, reason: 'The API key was revoked.' })
    expect(byId.get(revoked.id)?.actor).toContain(
      `${admin.actor.email} (API key ${revoked.prefix}…)`,
    )
    expect(byId.get(expired.id)).toMatchObject({ count: 1, reason: 'The API key has expired.' })
    expect(byId.get(null)).toMatchObject({ reason: 'There is no such API key.' })
    const stored = JSON.stringify(await db().auditEntry.findMany())
    for (const key of [revoked.token, expired.token, unknown]) expect(stored).not.toContain(key)
  })

  test('is answered although the audit cannot be written, and written when it can', async () => {
    const key = await apiKeyOf(member, 'tools:write')
    await db().$executeRaw`ALTER TABLE audit_entries RENAME TO gone`
    expect((await ask(forAdmins, 'PUT', '/api/v1/things', { key })).status).toBe(403)
    await flushRefusals()
    await db().$executeRaw`ALTER TABLE gone RENAME TO audit_entries`
    expect(await refusals()).toMatchObject([{ objectId: 'PUT /api/v1/things', count: 1 }])
  })
})

describe('a stranger who repeats what fails', () => {
  const lines: string[] = []
  const many = 200

  beforeEach(() => {
    lines.length = 0
    const write = vi.spyOn(process.stdout, 'write').mockImplementation((line) => {
      lines.push(String(line))
      return true
    })
    return () => write.mockRestore()
  })

  const request = (place: string) =>
    new Headers({
      origin: 'http://localhost:3000',
      host: 'localhost:3000',
      'x-forwarded-for': place,
    })

  test('gets 30 challenges for a passkey a minute; more are refused and counted in one row', async () => {
    setEnv({ TOOLGATE_TRUSTED_PROXIES: '1' })
    browser.headers = request('203.0.113.7')
    const answers = []
    for (let n = 0; n < many; n += 1) answers.push(await passkeyToSignIn())
    expect(answers.filter(({ ok }) => ok)).toHaveLength(30)
    expect(answers.at(-1)).toMatchObject({ error: { code: 'rate-limited' } })
    expect(await db().passkeyChallenge.count()).toBe(30)
    expect(await refusals()).toMatchObject([
      { action: 'sign-in.slow-down', actor: 'someone not signed in', count: many - 30 },
    ])
    expect(lines.length).toBeLessThan(5)
    browser.headers = request('203.0.114.7')
    expect(await passkeyToSignIn()).toMatchObject({ ok: true })
  })

  test.each<[what: string, rows: object[], send: () => Promise<unknown>]>([
    [
      'a passkey that no account has',
      [{ action: 'sign-in.fail', actor: 'someone not signed in', count: many }],
      () => signInWithPasskey(madeUp, originAt(address)).catch(() => undefined),
    ],
    [
      'a made-up API key',
      [{ action: 'api-key.refuse', count: many }],
      () => ask(listTools, 'GET', '/api/v1/tools', { key: `tg_${'x'.repeat(43)}` }),
    ],
    ['an address that nobody serves', [], () => ask(everyAddress, 'GET', '/api/v1/nowhere', {})],
  ])('with %s leaves one row and a few lines of log', async (_what, rows, send) => {
    for (let n = 0; n < many; n += 1) await send()
    expect(await refusals()).toMatchObject(rows)
    expect(lines.length).toBeLessThan(8)
  })
})

describe('refusals', () => {
  const refusal = (
    n: number,
    place: string,
    type: 'person' | 'stranger' = 'stranger',
  ): Refusal => ({
    action: 'sign-in.fail',
    who: `guess-${n}@example.org`,
    actorId: null,
    objectType: 'user',
    objectId: null,
    reason: 'The e-mail address or the password is wrong.',
    ipAddress: null,
    source: { type, place },
  })
  const now = new Date()

  test('of two processes at once add up, and those of the next hour begin a new row', async () => {
    for (let n = 0; n < 40; n += 1) recordRefusal(refusal(1, 'here'), now)
    const mine = flushRefusals()
    for (let n = 0; n < 2; n += 1) recordRefusal(refusal(1, 'here'), now)
    await Promise.all([mine, flushRefusals()])
    expect(await refusals()).toMatchObject([{ count: 42 }])
    recordRefusal(refusal(1, 'here'), new Date(now.getTime() + 3_600_000))
    expect(await refusals()).toMatchObject([{ count: 1 }, { count: 42 }])
  })

  test('make at most thirty rows a place and 300 for all strangers; the rest is counted', async () => {
    for (let n = 0; n < 50; n += 1) recordRefusal(refusal(n, 'one place'), now)
    for (let n = 0; n < 7; n += 1) recordRefusal(refusal(n, 'one place'), now)
    const rows = await refusals({ limit: 500 })
    expect(rows).toHaveLength(31)
    const more = rows.find(({ objectType }) => objectType === 'refusals')
    expect(more).toMatchObject({
      count: 20,
      reason: 'Further refusals of this hour, counted together.',
    })
    for (let place = 0; place < 320; place += 1)
      recordRefusal(refusal(place, `place ${place}`), now)
    const all = await refusals({ limit: 500 })
    expect(all).toHaveLength(301)
    expect(all.reduce((sum, { count }) => sum + count, 0)).toBe(57 + 320)
    recordRefusal(refusal(1, 'a person', 'person'), now)
    expect(await refusals({ limit: 500 })).toHaveLength(302)
  })

  test('are exported with their number, and hidden where only changes are wanted', async () => {
    for (let n = 0; n < 3; n += 1) recordRefusal(refusal(1, 'here'), now)
    await flushRefusals()
    const textOf = async (pieces: AsyncGenerator<string>) => {
      let text = ''
      for await (const piece of pieces) text += piece
      return text
    }
    const lines = await textOf(await exportAudit(admin, { format: 'ndjson', kind: 'refusal' }))
    expect(JSON.parse(lines)).toMatchObject({
      kind: 'refusal',
      count: 3,
      lastAt: now.toISOString(),
    })
    const csv = await textOf(await exportAudit(admin, { format: 'csv', kind: 'change' }))
    expect(csv).toContain('kind,count,lastAt')
    expect(csv).not.toContain('guess-1')
    const denied = await ask(GET, 'GET', '/api/audit/export?format=csv&kind=refusal')
    expect(denied.status).toBe(401)
  })
})
