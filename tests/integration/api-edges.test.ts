import { encode } from 'next-auth/jwt'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { revokeSession } from '@/lib/auth/open-session'
import { listApiKeys } from '@/lib/domains/api-keys/verbs'
import { verifyApiKey } from '@/lib/domains/api-keys/verify-api-key'
import { updateUser } from '@/lib/domains/users/verbs'
import { route } from '@/lib/doors/http'
import { createApiKey } from '@/lib/joined-verbs'
import { type Ctx, systemCtx } from '@/lib/kernel/context'
import { ConflictError, ForbiddenError, NotFoundError } from '@/lib/kernel/errors'
import type { ApiScope } from '@/lib/protocol/api-scope'
import { revokeKey } from '@/lib/runs/verbs'
import { apiKeyOf } from '@/tests/support/api-client'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'

const url = 'http://localhost:3000/api/v1/things/42?limit=3'
const context = { params: Promise.resolve({ id: '42' }) }
const body = JSON.stringify({ name: 'a' })

const read = route(
  { role: 'member', scope: 'runs:read', query: z.object({ limit: z.coerce.number().max(5) }) },
  async ({ ctx, params, query, body: nothing }) =>
    Response.json({ who: ctx.actor.email, via: ctx.via, params, query, nothing }),
)
const write = route(
  { role: 'admin', scope: 'tools:write', body: z.object({ name: z.string('Enter a name.') }) },
  async ({ body: { name } }) => {
    if (name === 'taken') throw new ConflictError('The name is taken.')
    if (name === 'bug') throw new Error('secret detail /srv/app sk-123')
    return Response.json({ name }, { status: 201 })
  },
)

async function keyOf(ctx: Ctx, ...scopes: ApiScope[]): Promise<{ authorization: string }> {
  return { authorization: `Bearer ${await apiKeyOf(ctx, ...scopes)}` }
}

async function cookieOf(ctx: Ctx): Promise<{ cookie: string; sessionId: string }> {
  const { userId } = ctx.actor
  const expiresAt = new Date(Date.now() + 60_000)
  const { id } = await db().session.create({ data: { userId, expiresAt } })
  const value = await encode({ token: { sid: id }, secret: process.env.NEXTAUTH_SECRET ?? '' })
  return { cookie: `other=1; next-auth.session-token=${value}`, sessionId: id }
}

const get = (headers: Record<string, string>, address = url) =>
  read(new Request(address, { headers }), context)
const post = (headers: Record<string, string>, content: BodyInit = body) => {
  const type = { 'content-type': 'application/json', host: 'localhost:3000' }
  const init = { method: 'POST', headers: { ...type, ...headers }, body: content }
  return write(new Request(url, init), context)
}

let admin: Ctx
let member: Ctx
beforeAll(async () => {
  admin = await addPerson('admin')
  await addPerson('admin')
  member = await addPerson('member')
})

describe('an API route', () => {
  test('lets a key with the scope in', async () => {
    const answer = await get(await keyOf(member, 'runs:read'))
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(await answer.json()).toEqual({
      who: member.actor.email,
      via: 'api',
      params: { id: '42' },
      query: { limit: 3 },
    })
  })

  test('works at an address without parameters', async () => {
    const request = new Request(url, { headers: await keyOf(member, 'runs:read') })
    expect((await read(request, { params: undefined })).status).toBe(200)
    expect((await read(request, { params: Promise.resolve(undefined) })).status).toBe(200)
  })

  test('answers strangers with problem details', async () => {
    const answer = await get({})
    expect(answer.status).toBe(401)
    expect(answer.headers.get('content-type')).toBe('application/problem+json')
    expect(answer.headers.get('www-authenticate')).toBe('Bearer')
    expect(await answer.json()).toEqual({
      type: 'urn:toolgate:problem:unauthenticated',
      title: 'Not signed in',
      status: 401,
      detail: 'Sign in to continue.',
      instance: '/api/v1/things/42',
    })
  })

  test('refuses a wrong key even with a good cookie, a missing scope, and a low role', async () => {
    const { cookie } = await cookieOf(admin)
    expect((await get({ cookie, authorization: 'Bearer tg_nonsense' })).status).toBe(401)
    expect((await get(await keyOf(member, 'runs:write'))).status).toBe(403)
    expect((await post(await keyOf(member, 'tools:write'))).status).toBe(403)
    expect((await post(await keyOf(admin, 'tools:write'))).status).toBe(201)
  })

  test('takes the session cookie while the session counts', async () => {
    const { cookie, sessionId } = await cookieOf(member)
    expect(await (await get({ cookie })).json()).toMatchObject({ via: 'console' })
    await revokeSession(sessionId)
    expect((await get({ cookie })).status).toBe(401)
    expect((await get({ cookie: 'next-auth.session-token=forged' })).status).toBe(401)
  })

  test('refuses a change that another site could have sent with the cookie', async () => {
    const { cookie } = await cookieOf(admin)
    expect((await post({ cookie })).status).toBe(403)
    expect((await post({ cookie, origin: 'null' })).status).toBe(403)
    expect((await post({ cookie, origin: 'https://evil.example' })).status).toBe(403)
    expect((await post({ cookie, origin: 'http://localhost:3000' })).status).toBe(201)
  })

  test('says what is wrong with the body', async () => {
    const key = await keyOf(admin, 'tools:write')
    const wrong = await post(key, JSON.stringify({ name: 7 }))
    expect(wrong.status).toBe(422)
    expect(await wrong.json()).toMatchObject({ errors: { name: 'Enter a name.' } })
    expect((await post(key, '{"name":')).status).toBe(400)
    expect((await post(key, new Uint8Array([0x22, 0xff, 0x22]))).status).toBe(400)
    expect((await post({ ...key, 'content-type': 'text/plain' })).status).toBe(415)
    expect((await post(key, JSON.stringify({ name: 'taken' }))).status).toBe(409)
    expect((await get(await keyOf(admin, 'runs:read'), url.replace('=3', '=9'))).status).toBe(422)
  })

  test('refuses more than 1 MiB, announced or not', async () => {
    const key = await keyOf(admin, 'tools:write')
    const large = JSON.stringify({ name: 'x'.repeat(1024 * 1024) })
    expect((await post(key, large)).status).toBe(413)
    expect((await post({ ...key, 'content-length': '99999999' })).status).toBe(413)
  })

  test('keeps the detail of a bug to itself and gives an incident id', async () => {
    const answer = await post(await keyOf(admin, 'tools:write'), JSON.stringify({ name: 'bug' }))
    expect(answer.status).toBe(500)
    const text = await answer.text()
    expect(text).not.toMatch(/secret detail|srv|sk-123/)
    const problem = JSON.parse(text) as { incident: string; detail: string }
    expect(problem.detail).toContain(problem.incident)
  })

  test('asks again for streams', async () => {
    const key = await keyOf(member, 'runs:read')
    const answers: unknown[] = []
    const stream = route({ role: 'member', scope: 'runs:read' }, async ({ recheck }) => {
      answers.push((await recheck())?.actor.email)
      await updateUser(systemCtx(), { userId: member.actor.userId, disabled: true })
      answers.push(await recheck())
      return new Response(null, { status: 204 })
    })
    await stream(new Request(url, { headers: key }), context)
    await updateUser(systemCtx(), { userId: member.actor.userId, disabled: false })
    expect(answers).toEqual([member.actor.email, null])
  })
})

describe('API keys', () => {
  test('are shown once, stored as a hash, listed by prefix, and audited', async () => {
    const { id, token, prefix } = await createApiKey(member, { name: 'ci', scopes: ['runs:read'] })
    expect(token).toMatch(/^tg_[\w-]{43}$/)
    expect(token.startsWith(prefix)).toBe(true)
    expect(JSON.stringify(await db().apiKey.findMany())).not.toContain(token)
    const listed = await listApiKeys(member)
    expect(listed.find((key) => key.id === id)).toMatchObject({ name: 'ci', prefix })
    const entries = await db().auditEntry.findMany({ where: { objectId: id } })
    expect(entries).toMatchObject([{ action: 'api-key.create', actorId: member.actor.userId }])
    expect(JSON.stringify(entries)).not.toContain(token)
  })

  test('end when revoked, when expired, and with their owner', async () => {
    const input = { name: 'short', scopes: ['runs:read' as const], expiresInDays: 1 }
    const { token } = await createApiKey(member, input)
    expect((await verifyApiKey(token))?.actor).toEqual(member.actor)
    expect(await verifyApiKey(token, new Date(Date.now() + 2 * 86_400_000))).toBeNull()
    await updateUser(systemCtx(), { userId: member.actor.userId, disabled: true })
    expect(await verifyApiKey(token)).toBeNull()
    await updateUser(systemCtx(), { userId: member.actor.userId, disabled: false })
    expect(await verifyApiKey(token)).toBeNull()
    const { id, token: another } = await createApiKey(member, input)
    expect((await verifyApiKey(another))?.keyId).toBe(id)
    await revokeKey(member, { keyId: id })
    await revokeKey(member, { keyId: id })
    expect(await verifyApiKey(another)).toBeNull()
    const where = { objectId: id, action: 'api-key.revoke' }
    expect(await db().auditEntry.count({ where })).toBe(1)
  })

  test('have the scopes of their owner’s role: when they are made, at each use, and after it changed', async () => {
    const owner = await addPerson('member')
    const forAdmins = { name: 'k', scopes: ['runs:read' as const, 'tools:write' as const] }
    const refusal = /Only API keys of admins can have the scopes tools:write, and .* is a member/
    await expect(createApiKey(owner, forAdmins)).rejects.toThrow(refusal)
    const { userId } = owner.actor
    await expect(createApiKey(admin, { ...forAdmins, userId })).rejects.toThrow(refusal)
    const promoted = { role: 'admin' as const }
    await updateUser(systemCtx(), { userId, ...promoted })
    const { id, token } = await createApiKey(admin, { ...forAdmins, userId })
    const only = await createApiKey(admin, { name: 'only', scopes: ['tools:write'], userId })
    const post = () => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      return write(new Request(url, { method: 'POST', headers, body }), context)
    }
    expect((await post()).status).toBe(201)
    await updateUser(systemCtx(), { userId, role: 'member' })
    const refused = await post()
    expect(refused.status).toBe(403)
    expect((await refused.json()).detail).toBe(
      'The scope tools:write is for admins, and the owner of this API key is a member.',
    )
    await updateUser(systemCtx(), { userId, ...promoted })
    expect((await post()).status).toBe(403)
    expect([...((await verifyApiKey(token))?.scopes ?? [])]).toEqual(['runs:read'])
    expect(await verifyApiKey(only.token)).toBeNull()
    const where = { objectId: id, action: 'api-key.remove-scopes' }
    const [entry, ...more] = await db().auditEntry.findMany({ where })
    expect(entry).toMatchObject({ reason: 'The role of its owner changed from admin to member.' })
    expect(entry?.after).toMatchObject({ scopes: ['runs:read'] })
    expect(more).toEqual([])
  })

  test('stored with scopes beyond their owner’s role act without them, also after a promotion', async () => {
    const owner = await addPerson('member')
    const { id, token } = await createApiKey(owner, { name: 'old', scopes: ['runs:read'] })
    await db().apiKey.update({
      where: { id },
      data: { scopes: ['runs:read', 'tools:write', 'settings:read'] },
    })
    const scopes = async () => [...((await verifyApiKey(token))?.scopes ?? [])]
    expect(await scopes()).toEqual(['runs:read'])
    await updateUser(systemCtx(), { userId: owner.actor.userId, role: 'admin' })
    expect(await scopes()).toEqual(['runs:read'])
  })

  test('of others are not there for a member', async () => {
    const { id } = await createApiKey(admin, { name: 'mine', scopes: ['tools:write'] })
    await expect(revokeKey(member, { keyId: id })).rejects.toThrow(NotFoundError)
    await expect(revokeKey(member, { keyId: 'x' })).rejects.toThrow(NotFoundError)
    expect((await listApiKeys(member)).map((key) => key.id)).not.toContain(id)
    const forAdmin = { name: 'x', scopes: ['runs:read' as const], userId: admin.actor.userId }
    await expect(createApiKey(member, forAdmin)).rejects.toThrow(ForbiddenError)
    await revokeKey(admin, { keyId: id, reason: ' Leaked ' })
    const where = { objectId: id, action: 'api-key.revoke' }
    expect((await db().auditEntry.findFirstOrThrow({ where })).reason).toBe('Leaked')
  })
})
