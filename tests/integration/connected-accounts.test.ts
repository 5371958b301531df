import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { renewAccount } from '@/lib/domains/servers/accounts'
import { serverVerbs } from '@/lib/domains/servers/verbs'
import { updateUser } from '@/lib/domains/users/verbs'
import { answerCallback } from '@/lib/doors/server-callback'
import type { Ctx } from '@/lib/kernel/context'
import { unaudited, withTransaction } from '@/lib/kernel/db'
import { foldRun } from '@/lib/protocol/run/fold-run'
import type { Engine } from '@/lib/runs/engine/engine'
import { explainTools } from '@/lib/toolset/policy/explain-tools'
import { connectAccount, finishConnecting } from '@/lib/toolset/servers/accounts/connect'
import { accessToken } from '@/lib/toolset/servers/accounts/tokens'
import {
  depositToken,
  disconnectAccounts,
  listOwnAccounts,
  listServerAccounts,
} from '@/lib/toolset/servers/accounts/verbs'
import { checkServer } from '@/lib/toolset/servers/check'
import { closeServers } from '@/lib/toolset/servers/server-pool'
import { db } from '@/tests/support/fixture-db'
import { type AccountServer, startAccountServer } from '@/tests/support/mcp/account-server'
import { acceptServer } from '@/tests/support/mcp/server-site'
import { turnOfPrompt } from '@/tests/support/model-server/prompt-directives'
import { type ModelServer, startModelServer } from '@/tests/support/model-server/start-model-server'
import { addPerson } from '@/tests/support/people'
import { addRunSite, collect, type RunSite, start } from '@/tests/support/run-site'
import { startTestEngine } from '@/tests/support/test-engine'

let model: ModelServer
let engine: Engine
let site: RunSite
let upstream: AccountServer
let serverId: string
const name = 'notes'

const inBrowser = (ctx: Ctx): Ctx => ({ ...ctx, sessionId: randomUUID() })

beforeAll(async () => {
  model = await startModelServer({ script: turnOfPrompt })
  site = await addRunSite(model.url)
  engine = await startTestEngine()
})
afterAll(async () => {
  await engine.close()
  await model.close()
  await db().server.deleteMany()
  await db().toolOverride.deleteMany({ where: { toolName: { contains: '__' } } })
})

beforeEach(async () => {
  await closeServers()
  await upstream?.close()
  await db().vaultSecret.deleteMany({ where: { purpose: 'connected-account' } })
  await db().server.deleteMany()
  upstream = await startAccountServer()
  const { id } = await serverVerbs.create(site.admin, {
    name,
    kind: 'http',
    url: upstream.url,
    privateAddressAllowed: true,
    account: 'person',
  })
  serverId = id
  return () => upstream.close()
})

/** Begins a sign-in of this browser, and returns the address that the issuer sends it back to. */
async function begun(browser: Ctx, person: string, whose: 'me' | 'site' = 'me'): Promise<URL> {
  const { next } = await connectAccount(browser, { server: name, for: whose })
  return upstream.visit(next?.url ?? '', person)
}

async function connect(ctx: Ctx, person: string, whose: 'me' | 'site' = 'me') {
  const browser = inBrowser(ctx)
  return finishConnecting(await begun(browser, person, whose))(browser, {})
}

async function whoRuns(ctx: Ctx) {
  const { runId } = await start(
    { ...site, admin: ctx },
    '[[call notes__who {}]] [[then]] [[say: Done.]]',
  )
  const { rounds, end } = foldRun(await collect(ctx, runId))
  const [call] = rounds[0]?.calls ?? []
  return { call: call?.state, end, result: JSON.stringify(call?.state) }
}

async function member(): Promise<Ctx> {
  const person = await addPerson('member')
  const { id: configurationId } = await db().configuration.findUniqueOrThrow({
    where: { identifier: site.configuration },
  })
  const members = { create: { userId: person.actor.userId } }
  const { id: groupId } = await db().group.create({
    data: { name: randomUUID(), createdByLabel: 'test', members },
  })
  await db().configurationGroup.create({ data: { configurationId, groupId } })
  return person
}

/** Connects the admin, reads the tools, and accepts them. */
async function accepted(): Promise<void> {
  await connect(site.admin, 'ada')
  expect(await checkServer(site.admin, { id: serverId })).toMatchObject({ trouble: null, tools: 1 })
  await acceptServer(site.admin, serverId)
}

async function offerOf(ctx: Ctx) {
  const question = { userId: null, configuration: site.configuration, selected: null }
  const tools = await explainTools(ctx, question)
  return tools.find(({ name: tool }) => tool === 'notes__who')
}

const aMinuteAgo = () => new Date(Date.now() - 60_000)

test('each person acts as their own account, and who has none reads what to do', async () => {
  await accepted()
  const kim = await member()
  expect((await whoRuns(site.admin)).result).toContain('You are ada.')
  const refused = await whoRuns(kim)
  expect(refused.call).toMatchObject({
    verdict: {
      allowed: false,
      gate: 'credentials',
      reason: `${kim.actor.email} has not connected notes. They can do that in their account, under connected accounts.`,
    },
  })
  expect(await offerOf(kim)).toMatchObject({ verdict: { gate: 'credentials' } })
  expect(await connect(kim, 'kim')).toMatchObject({ type: 'connected' })
  upstream.calls.length = 0
  expect((await whoRuns(kim)).result).toContain('You are kim.')
  // The handshake, the list and the call are of one person.
  expect(new Set(upstream.calls.map(({ person }) => person))).toEqual(new Set(['kim']))
  expect(await listOwnAccounts(kim, {})).toMatchObject([
    { server: name, account: { usable: true, issuer: upstream.issuer, scopes: ['notes:read'] } },
  ])
})

test('a callback counts once, for the browser session that began it, for ten minutes', async () => {
  const kim = await member()
  const browser = inBrowser(kim)
  const callback = await begun(browser, 'kim')
  const foreign = { type: 'foreign' }
  const stranger = inBrowser(await member())
  expect(await finishConnecting(callback)(stranger, {})).toEqual(foreign)
  expect(await finishConnecting(callback)(inBrowser(kim), {})).toEqual(foreign)
  expect(await listServerAccounts(site.admin, { id: serverId })).toEqual([])
  expect(await finishConnecting(callback)(browser, {})).toMatchObject({ type: 'connected' })
  expect(await finishConnecting(callback)(browser, {})).toEqual(foreign)
  const late = await begun(browser, 'kim')
  await db().accountRequest.updateMany({ data: { expiresAt: new Date(Date.now() - 1) } })
  expect(await finishConnecting(late)(browser, {})).toEqual(foreign)
  expect(upstream.state.signIns).toBe(1)
})

test('a browser without a session is led to the sign-in, and a key is no browser', async () => {
  const callback = await begun(inBrowser(await member()), 'kim')
  const senders: Record<string, string>[] = [{}, { authorization: 'Bearer tg_nothing' }]
  for (const headers of senders) {
    const answer = await answerCallback(new Request(callback, { headers }))
    expect(answer.status).toBe(303)
    expect(answer.headers.get('location')).toMatch(/^\/sign-in\?next=/)
  }
  expect(await db().connectedAccount.count()).toBe(0)
  expect(await db().accountRequest.count()).toBe(1)
})

test('an answer of another issuer stores nothing', async () => {
  const browser = inBrowser(await member())
  const callback = await begun(browser, 'kim')
  callback.searchParams.set('iss', 'https://attacker.example')
  const failed = { type: 'failed', code: 'issuer' }
  expect(await finishConnecting(callback)(browser, {})).toMatchObject(failed)
  expect(await db().connectedAccount.count()).toBe(0)
  expect(await db().accountRequest.count()).toBe(0)
})

test('a token that ended is renewed once for a hundred calls, and a run goes on with it', async () => {
  await accepted()
  await db().connectedAccount.updateMany({ data: { expiresAt: new Date(Date.now() - 1) } })
  const key = { serverId, owner: site.admin.actor.userId }
  const tokens = await Promise.all(Array.from({ length: 100 }, () => accessToken(key)))
  expect(new Set(tokens).size).toBe(1)
  expect(upstream.state).toMatchObject({ refreshes: 1, signIns: 1 })
  expect((await whoRuns(site.admin)).result).toContain('You are ada.')
})

test('a token that the server ended before its time is renewed in the middle of a run', async () => {
  await accepted()
  await db().connectedAccount.updateMany({ data: { connectedAt: aMinuteAgo() } })
  upstream.expireAll()
  expect((await whoRuns(site.admin)).result).toContain('You are ada.')
  expect(upstream.state.refreshes).toBe(1)
})

test('an account that its service ended says who has to sign in again, and nothing else stops', async () => {
  await accepted()
  const kim = await member()
  await connect(kim, 'kim')
  upstream.revoke('kim')
  await db().connectedAccount.updateMany({ data: { connectedAt: aMinuteAgo() } })
  const { call } = await whoRuns(kim)
  expect(call).toMatchObject({ outcome: { type: 'failed', code: 'server-sign-in' } })
  const reason = expect.stringContaining('They have to sign in there again')
  expect(await offerOf(kim)).toMatchObject({ verdict: { gate: 'credentials', reason } })
  expect((await whoRuns(site.admin)).result).toContain('You are ada.')
  const server = await serverVerbs.read(site.admin, { id: serverId })
  expect(server.downSince).toBeNull()
  await connect(kim, 'kim')
  expect((await whoRuns(kim)).result).toContain('You are kim.')
})

test('an issuer that never answers holds up its own account alone', async () => {
  await accepted()
  const kim = await member()
  await connect(kim, 'kim')
  const owner = kim.actor.userId
  const expiresAt = new Date(Date.now() + 30_000)
  await db().connectedAccount.updateMany({ where: { owner }, data: { expiresAt } })
  let answer = (): void => undefined
  upstream.state.hold = new Promise<void>((resolve) => {
    answer = resolve
  })
  const renewing = accessToken({ serverId, owner })
  await expect.poll(() => upstream.state.forms.at(-1)?.get('grant_type')).toBe('refresh_token')
  expect((await whoRuns(site.admin)).result).toContain('You are ada.')
  // A token that has not ended is used while another process renews it.
  expect(await accessToken({ serverId, owner })).toMatch(/^at-kim-/)
  answer()
  expect(await renewing).toMatch(/^at-kim-/)
})

test('an answer that comes after the account was connected again is dropped', async () => {
  await connect(site.admin, 'ada')
  const before = await db().connectedAccount.findFirstOrThrow()
  await connect(site.admin, 'ada')
  const tokens = { accessToken: 'late', refreshToken: null, scope: null, expiresAt: null }
  const secret = { tokens: { ...tokens, tokenType: 'Bearer' as const }, identity: null }
  const isStored = await withTransaction((tx) =>
    renewAccount(unaudited(tx, 'test'), before, secret),
  )
  expect(isStored).toBe(false)
  expect(await accessToken({ serverId, owner: site.admin.actor.userId })).not.toBe('late')
})

test('a call that needs more rights says so, and the next sign-in asks for them', async () => {
  await accepted()
  upstream.state.needs = 'notes:write'
  const { call } = await whoRuns(site.admin)
  expect(call).toMatchObject({ outcome: { type: 'failed', code: 'server-scope' } })
  const wantedScopes = ['notes:write']
  expect(await listOwnAccounts(site.admin, {})).toMatchObject([{ account: { wantedScopes } }])
  const browser = inBrowser(site.admin)
  const { next } = await connectAccount(browser, { server: name, for: 'me' })
  expect(next?.scopes).toEqual(['notes:read', 'notes:write'])
  await finishConnecting(await upstream.visit(next?.url ?? '', 'ada'))(browser, {})
  expect((await whoRuns(site.admin)).result).toContain('You are ada.')
})

test('one account for the site, and a client without a person, are for admins to connect', async () => {
  await serverVerbs.update(site.admin, { id: serverId, account: 'site' })
  const kim = await member()
  const asked = (whose: 'me' | 'site') =>
    connectAccount(inBrowser(kim), { server: name, for: whose })
  await expect(asked('site')).rejects.toThrow('role')
  await expect(asked('me')).rejects.toThrow('The server')
  await connect(site.admin, 'robot', 'site')
  await checkServer(site.admin, { id: serverId })
  await acceptServer(site.admin, serverId, { requiresAdmin: false })
  expect((await whoRuns(kim)).result).toContain('You are robot.')

  const client = {
    account: 'client',
    clientId: 'toolgate',
    clientSecret: 'a secret of it',
  } as const
  await serverVerbs.update(site.admin, { id: serverId, ...client })
  expect((await whoRuns(kim)).call).toMatchObject({ verdict: { gate: 'credentials' } })
  await connectAccount(site.admin, { server: name, for: 'site' })
  expect((await whoRuns(kim)).result).toContain('You are client.')
  expect(upstream.state.forms.at(-1)?.get('resource')).toBe(upstream.url)
})

test('another address, account or client ends all accounts, and so does the end of a person', async () => {
  const kim = await member()
  const secrets = () => db().vaultSecret.count({ where: { purpose: 'connected-account' } })
  const ended = async (change: () => Promise<unknown>) => {
    await connect(kim, 'kim')
    await begun(inBrowser(kim), 'kim')
    expect(await secrets()).toBe(1)
    await change()
    expect([await secrets(), await db().accountRequest.count()]).toEqual([0, 0])
  }
  await ended(() => serverVerbs.update(site.admin, { id: serverId, url: `${upstream.url}?x=1` }))
  await serverVerbs.update(site.admin, { id: serverId, url: upstream.url })
  await ended(() => serverVerbs.update(site.admin, { id: serverId, clientId: 'another' }))
  await serverVerbs.update(site.admin, { id: serverId, clientId: null })
  await ended(() => serverVerbs.update(site.admin, { id: serverId, account: 'none' }))
  await serverVerbs.update(site.admin, { id: serverId, account: 'person' })
  await ended(() => updateUser(site.admin, { userId: kim.actor.userId, disabled: true }))
})

test('disconnecting deletes the tokens here and revokes them there', async () => {
  const [kim, lee] = [await member(), await member()]
  await connect(kim, 'kim')
  await connect(lee, 'lee')
  await expect(disconnectAccounts(kim, { server: name, of: 'everybody' })).rejects.toThrow('role')
  expect(await disconnectAccounts(kim, { server: name })).toEqual({ ended: 1, revoked: 1 })
  expect(upstream.state.revoked).toContain('rt-kim-1')
  expect(await listServerAccounts(site.admin, { id: serverId })).toMatchObject([
    { person: { email: lee.actor.email } },
  ])
  expect(await disconnectAccounts(site.admin, { server: name, of: 'everybody' })).toMatchObject({
    ended: 1,
  })
  expect(await db().vaultSecret.count({ where: { purpose: 'connected-account' } })).toBe(0)
})

test('a token got elsewhere is used as it is, and nothing renews it', async () => {
  await accepted()
  const kim = await member()
  const token = [...upstream.access.keys()][0] ?? ''
  const past = new Date(Date.now() - 1_000).toISOString()
  const deposit = { server: name, accessToken: token }
  await expect(depositToken(kim, { ...deposit, expiresAt: past })).rejects.toThrow('ended')
  expect(await depositToken(kim, deposit)).toMatchObject({ usable: true, issuer: null })
  expect((await whoRuns(kim)).result).toContain('You are ada.')
  await db().connectedAccount.updateMany({
    where: { owner: kim.actor.userId },
    data: { expiresAt: new Date(Date.now() - 1) },
  })
  expect((await whoRuns(kim)).call).toMatchObject({ outcome: { code: 'server-sign-in' } })
})
