import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { requireServer } from '@/lib/domains/servers/stored'
import { serverVerbs } from '@/lib/domains/servers/verbs'
import { updateUser } from '@/lib/domains/users/verbs'
import type { Ctx } from '@/lib/kernel/context'
import { connectAccount, finishConnecting } from '@/lib/toolset/servers/accounts/connect'
import { accessToken } from '@/lib/toolset/servers/accounts/tokens'
import { accountFor } from '@/lib/toolset/servers/accounts/used-account'
import { disconnectAccounts, listOwnAccounts } from '@/lib/toolset/servers/accounts/verbs'
import { checkServer } from '@/lib/toolset/servers/check'
import { closeServers, withServer } from '@/lib/toolset/servers/server-pool'
import { db } from '@/tests/support/fixture-db'
import { type AccountServer, startAccountServer } from '@/tests/support/mcp/account-server'
import { addPerson } from '@/tests/support/people'

const name = 'notes'
let admin: Ctx
let kim: Ctx
let upstream: AccountServer
let other: AccountServer
let serverId: string

const inBrowser = (ctx: Ctx): Ctx => ({ ...ctx, sessionId: randomUUID() })
const aMinuteAgo = () => new Date(Date.now() - 60_000)
const keyOf = (ctx: Ctx) => ({ serverId, owner: ctx.actor.userId })

afterAll(async () => {
  await closeServers()
  await db().server.deleteMany()
})

beforeEach(async () => {
  await closeServers()
  await db().vaultSecret.deleteMany({ where: { purpose: 'connected-account' } })
  await db().server.deleteMany()
  upstream = await startAccountServer()
  other = await startAccountServer()
  admin = await addPerson('admin')
  kim = await addPerson('member')
  const { id } = await serverVerbs.create(admin, {
    name,
    kind: 'http',
    url: upstream.url,
    privateAddressAllowed: true,
    account: 'person',
  })
  serverId = id
  return async () => {
    await closeServers()
    await Promise.all([upstream.close(), other.close()])
  }
})

async function begun(browser: Ctx, of = upstream, whose: 'me' | 'site' = 'me'): Promise<URL> {
  const { next } = await connectAccount(browser, { server: name, for: whose })
  return of.visit(next?.url ?? '', 'kim')
}

async function connect(ctx: Ctx, of = upstream, whose: 'me' | 'site' = 'me') {
  const browser = inBrowser(ctx)
  return finishConnecting(await begun(browser, of, whose))(browser, {})
}

const leadTo = (url: string) => serverVerbs.update(admin, { id: serverId, url })

/** Returns a promise that a test ends. */
function held() {
  let release = (): void => undefined
  const until = new Promise<void>((resolve) => {
    release = resolve
  })
  return { until, release: () => release() }
}

test('a connection that stays open gets no token of an account that came after it', async () => {
  await connect(kim)
  const opened = await accountFor(await requireServer(db(), serverId), kim.actor.userId)
  await leadTo(other.url)
  await connect(kim, other)
  expect(await accessToken(keyOf(kim))).toMatch(/^at-kim/)
  await expect(opened?.token()).rejects.toMatchObject({ code: 'sign-in' })
})

test('a sign-in that was begun before a server led elsewhere ends nowhere', async () => {
  const browser = inBrowser(kim)
  const wait = held()
  upstream.state.holdMetadata = wait.until
  const beginning = connectAccount(browser, { server: name, for: 'me' }).catch(() => null)
  await expect.poll(() => upstream.state.metadataReads).toBeGreaterThan(0)
  await leadTo(other.url)
  wait.release()
  const found = await beginning
  if (found?.next) {
    const callback = await upstream.visit(found.next.url, 'kim')
    await finishConnecting(callback)(browser, {}).catch(() => null)
  }
  expect(await db().connectedAccount.count()).toBe(0)
})

test('a call gets no token once its person disconnected while it was renewed', async () => {
  await connect(kim)
  await db().connectedAccount.updateMany({ data: { expiresAt: new Date(Date.now() - 1) } })
  const wait = held()
  upstream.state.hold = wait.until
  const renewing = accessToken(keyOf(kim)).then(
    () => 'a token',
    () => 'refused',
  )
  await expect.poll(() => upstream.state.forms.at(-1)?.get('grant_type')).toBe('refresh_token')
  await disconnectAccounts(kim, { server: name })
  wait.release()
  expect(await renewing).toBe('refused')
  // The tokens that came too late are of no use to anybody.
  expect(upstream.state.revoked).toContain('rt-kim-2')
})

test('a token that ended before its time is renewed also where no connection is open', async () => {
  await connect(kim)
  await db().connectedAccount.updateMany({ data: { connectedAt: aMinuteAgo() } })
  upstream.expireAll()
  const userId = kim.actor.userId
  await withServer(serverId, userId, async () => undefined)
  expect(await db().connectedAccount.findFirst()).toMatchObject({ usable: true })
})

test('the secret of a client goes to no issuer that the server names later', async () => {
  const client = { account: 'client', clientId: 'toolgate', clientSecret: 'marked-9731' } as const
  await serverVerbs.update(admin, { id: serverId, ...client })
  await connectAccount(admin, { server: name, for: 'site' })
  upstream.state.resource = { authorization_servers: [other.issuer] }
  await db().connectedAccount.updateMany({ data: { expiresAt: new Date(Date.now() - 1) } })
  await expect(accessToken({ serverId, owner: 'site' })).rejects.toMatchObject({ code: 'sign-in' })
  await expect(connectAccount(admin, { server: name, for: 'site' })).rejects.toThrow('secret')
  expect(other.state.forms).toEqual([])
  // An admin who enters the client again means the issuer that is there now.
  await serverVerbs.update(admin, { id: serverId, clientSecret: 'another' })
  await connectAccount(admin, { server: name, for: 'site' })
  expect(other.state.forms).toHaveLength(1)
})

test('a person who signs in leads the secret of a client to no other issuer either', async () => {
  await serverVerbs.update(admin, { id: serverId, clientId: 'toolgate', clientSecret: 'marked' })
  await connect(kim)
  upstream.state.resource = { authorization_servers: [other.issuer] }
  await expect(begun(inBrowser(kim), other)).rejects.toThrow('secret')
  expect(other.state.forms).toEqual([])
})

test('scopes of an issuer that no database takes are left out', async () => {
  upstream.state.answer = { scope: `ok a\u0000b "x" ${'y'.repeat(3_000)} line\nbreak` }
  expect(await connect(kim)).toMatchObject({ type: 'connected' })
  expect(await db().connectedAccount.findFirst()).toMatchObject({ scopes: ['ok'] })
})

test('who is no admin any more does not end the sign-in of the site', async () => {
  await serverVerbs.update(admin, { id: serverId, account: 'site' })
  const second = await addPerson('admin')
  const browser = inBrowser(second)
  const callback = await begun(browser, upstream, 'site')
  await updateUser(admin, { userId: second.actor.userId, role: 'member' })
  const demoted = { ...browser, actor: { ...browser.actor, role: 'member' as const } }
  await expect(finishConnecting(callback)(demoted, {})).rejects.toThrow()
  expect(await db().connectedAccount.count()).toBe(0)
})

test('a member learns neither which servers there are nor what stands in an address', async () => {
  await serverVerbs.update(admin, { id: serverId, url: `${upstream.url}?key=marked-7781` })
  expect(JSON.stringify(await listOwnAccounts(kim, {}))).not.toContain('marked-7781')
  await serverVerbs.update(admin, { id: serverId, account: 'none' })
  const words = (server: string) =>
    disconnectAccounts(kim, { server }).then(
      () => 'done',
      (error: unknown) => String(error),
    )
  expect(await words(name)).toBe(await words('nowhere'))
})

test('an admin without an account says nothing about the server when they check it', async () => {
  const outcome = await checkServer(admin, { id: serverId })
  expect(outcome.trouble).toContain('Connect your own account')
  expect((await serverVerbs.read(admin, { id: serverId })).downSince).toBeNull()
})

test('a header of the site is no account of a person', async () => {
  await connect(kim)
  upstream.access.set('of-the-site', { person: 'robot', scope: '', endsAt: Date.now() + 60_000 })
  await serverVerbs.update(admin, { id: serverId, headers: 'Authorization: Bearer of-the-site' })
  upstream.calls.length = 0
  await withServer(serverId, kim.actor.userId, async () => undefined)
  expect([...new Set(upstream.calls.map(({ person }) => person))]).toEqual(['kim'])
})
