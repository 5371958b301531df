import { randomUUID } from 'node:crypto'
import { encode } from 'next-auth/jwt'
import { beforeEach, describe, expect, test } from 'vitest'
import { acceptLink, createFirstAdmin } from '@/app/(auth)/link-actions'
import {
  addConnection,
  addFurtherKey,
  changeConnection,
  changeHeaders,
  removeKey,
  replaceKey,
} from '@/app/(console)/(admin)/connections/actions'
import { createObject, removeObject, updateObject } from '@/app/(console)/(admin)/resource-actions'
import { saveSettings } from '@/app/(console)/(admin)/settings/actions'
import { setGroup, setTool } from '@/app/(console)/(admin)/tools/actions'
import {
  changeUser,
  endUserSession,
  endUserSessions,
  invite,
  removeUser,
  resetFactors,
  resetSignIn,
} from '@/app/(console)/(admin)/users/actions'
import { makeKey } from '@/app/(console)/account/actions'
import { beginApp, renewCodes } from '@/app/(console)/account/second-factor/actions'
import { sessionCookieName } from '@/lib/auth/session-cookie'
import { channelVerbs } from '@/lib/domains/channels/verbs'
import { systemCtx } from '@/lib/kernel/context'
import { env } from '@/lib/kernel/env'
import type { ActionError, ActionResult } from '@/lib/next/action'
import { readListings } from '@/lib/toolset/tools/tool-verbs'
import { addKeyedConnection, nextKey } from '@/tests/support/add-keyed-connection'
import { apiKeyOf, apiRoute } from '@/tests/support/api-client'
import { db } from '@/tests/support/fixture-db'
import { browser } from '@/tests/support/next-request'
import { addSignedInPerson, type Local } from '@/tests/support/second-factor'

const { PATCH: settingsRoute } = apiRoute('/settings')

let admin: Local
let other: Local
let connectionId: string
let channelId: string

/** Opens the console for an admin who last proved who they are this many minutes ago. */
async function openConsole(minutes: number): Promise<void> {
  const authenticatedAt = new Date(Date.now() - minutes * 60_000)
  await db().session.update({ where: { id: admin.sessionId }, data: { authenticatedAt } })
  const secret = env().NEXTAUTH_SECRET
  browser.cookie = await encode({ token: { sid: admin.sessionId }, secret })
  browser.headers = new Headers({
    origin: 'http://localhost:3000',
    host: 'localhost:3000',
    cookie: `${sessionCookieName()}=${browser.cookie}`,
  })
}

beforeEach(async () => {
  admin = await addSignedInPerson('admin')
  other = await addSignedInPerson()
  connectionId = await addKeyedConnection(systemCtx(), `http://${host}/v1`)
  await db().setting.deleteMany()
  channelId = (await channelVerbs.create(systemCtx(), channel())).id
  await db().auditEntry.deleteMany({ where: { objectId: channelId } })
})

function errorOf(result: ActionResult<unknown>): ActionError {
  if (result.ok) throw new Error('It was not refused.')
  return result.error
}

const reason = 'Asked for by Kim'
const host = '127.0.0.1:1'
const channel = () => ({
  name: `New ${randomUUID()}`,
  kind: 'webhook' as const,
  privateAddressAllowed: true,
  address: `http://${host}/alerts`,
  secret: 'a secret of the receiver',
})
const acts = {
  'inviting somebody': () =>
    invite({ email: `new-${other.email}`, name: 'New', role: 'admin', groupIds: [] }),
  'making somebody an admin': () => changeUser({ userId: other.userId, role: 'admin', reason }),
  'disabling somebody': () => changeUser({ userId: other.userId, disabled: true, reason }),
  'resetting a password': () => resetSignIn({ userId: other.userId, reason }),
  'resetting a second factor': () => resetFactors({ userId: other.userId, reason }),
  'no longer asking for a second factor': () => saveSettings({ secondFactorFor: 'none', reason }),
  'beginning to add an authenticator app': () => beginApp({}),
  'new recovery codes': () => renewCodes({}),
  'a provider’s key': () => replaceKey({ id: connectionId, apiKey: nextKey, test: false }),
  'a further key of a provider': () =>
    addFurtherKey({ id: connectionId, label: 'b', apiKey: nextKey, test: false }),
  'taking a provider’s key away': () => removeKey({ id: connectionId, reason }),
  'a secret header': () => changeHeaders({ id: connectionId, headers: { 'x-a': 'b' } }),
  'a key with another address': () => changeConnection({ id: connectionId, apiKey: nextKey }),
  'a connection with a key': () =>
    addConnection({
      name: `New ${randomUUID()}`,
      wire: 'openai-compatible',
      baseUrl: `http://${host}/v1`,
      trustZone: 'private',
      privateAddressAllowed: true,
      apiKey: nextKey,
    }),
  'where messages are sent': () => createObject('channel', channel()),
  'sending messages elsewhere': () =>
    updateObject('channel', { id: channelId, budgetAlerts: true, reason }),
  'sending messages nowhere': () => removeObject('channel', { id: channelId, reason }),
  'ending a session of somebody else': () => endUserSession({ sessionId: other.sessionId }),
  'ending all sessions of somebody else': () => endUserSessions({ userId: other.userId, reason }),
  'deleting somebody': () => removeUser({ userId: other.userId, reason }),
  'switching on a tool that shows raw data': () =>
    setTool({ name: 'get_env_raw', enabled: true, reason }),
  'longer sessions': () => saveSettings({ sessionIdleMs: 86_400_000, reason }),
}

describe('SPEC A6: an open session alone is not enough for', () => {
  test.each(Object.entries(acts))('%s', async (_what, act) => {
    await openConsole(16)
    expect(await act()).toMatchObject({ ok: false, error: { code: 'confirm-identity' } })
    const audited = { actorId: admin.userId, action: { not: 'session.open' } }
    expect(await db().auditEntry.count({ where: audited })).toBe(0)
    await openConsole(14)
    // These accounts have no second factor.
    const needsFactor = [acts['resetting a second factor'], acts['new recovery codes']]
    const after = await act()
    expect(after.ok || after.error.code).toBe(
      needsFactor.some((each) => each === act) ? 'conflict' : true,
    )
  })

  test('settings of sign-in over HTTP, which no key may change', async () => {
    const change = (headers: HeadersInit, body: object) =>
      settingsRoute(
        new Request('http://localhost:3000/api/v1/settings', {
          method: 'PATCH',
          headers: {
            ...Object.fromEntries(new Headers(headers)),
            'content-type': 'application/json',
          },
          body: JSON.stringify({ ...body, reason }),
        }),
        { params: Promise.resolve({}) },
      )
    await openConsole(16)
    const refused = await change(browser.headers, { secondFactorFor: 'none' })
    expect([refused.status, (await refused.json()).type]).toEqual([
      403,
      'urn:toolgate:problem:confirm-identity',
    ])
    expect((await change(browser.headers, { approvalLifetimeMs: 600_000 })).status).toBe(200)
    const authorization = `Bearer ${await apiKeyOf(admin.ctx, 'settings:write')}`
    for (const rule of [
      { secondFactorFor: 'none' },
      { sessionIdleMs: 86_400_000, approvalLifetimeMs: 600_000 },
    ]) {
      const byKey = await change({ authorization }, rule)
      expect(byKey.status).toBe(403)
      expect((await byKey.json()).detail).toContain('API keys cannot change how people sign in.')
    }
    expect((await change({ authorization }, { approvalLifetimeMs: 700_000 })).status).toBe(200)
    expect(await db().setting.findMany({ select: { key: true, value: true } })).toEqual([
      { key: 'approvalLifetimeMs', value: 700_000 },
    ])
    await openConsole(14)
    expect((await change(browser.headers, { secondFactorFor: 'none' })).status).toBe(200)
  })

  test('a whole group with such a tool, which its own switch alone does not open', async () => {
    const change = (enabled: boolean) => setGroup({ name: group, enabled, reason })
    await openConsole(14)
    const group = (await readListings()).find(({ name }) => name === 'get_env_raw')?.group ?? ''
    expect(await setTool({ name: 'get_env_raw', enabled: true, reason })).toMatchObject({
      ok: true,
    })
    await openConsole(16)
    expect(await change(false)).toMatchObject({ ok: true })
    expect(await change(true)).toMatchObject({ error: { code: 'confirm-identity' } })
    expect(await setTool({ name: 'get_env_raw', enabled: false, reason })).toMatchObject({
      ok: true,
    })
    expect(await change(true)).toMatchObject({ ok: true })
  })

  test('changes that open no way in ask for no newer proof', async () => {
    await openConsole(16)
    const { userId } = other
    expect(await changeUser({ userId, reason, name: 'Kim B' })).toMatchObject({ ok: true })
    expect(await saveSettings({ approvalLifetimeMs: 600_000, reason })).toMatchObject({ ok: true })
    expect(await endUserSession({ sessionId: admin.sessionId })).toMatchObject({ ok: true })
  })
})

test('only setting one up is open to whoever must have a second factor and has none', async () => {
  await openConsole(1)
  expect(await saveSettings({ secondFactorFor: 'admins', reason })).toMatchObject({ ok: true })
  expect(await renewCodes({})).toMatchObject({ error: { code: 'second-factor-missing' } })
  expect(await beginApp({})).toMatchObject({ ok: true })
})

test('forms for people who are not signed in work from this site alone, and name each wrong field', async () => {
  const person = { email: 'ana', name: '', password: 'short' }
  browser.headers = new Headers({ origin: 'https://evil.example', host: 'localhost:3000' })
  for (const form of [createFirstAdmin, acceptLink]) {
    expect(errorOf(await form('token', person)).message).toContain('came from another site')
  }
  browser.headers = new Headers({ origin: 'http://localhost:3000', host: 'localhost:3000' })
  const { fields } = errorOf(await createFirstAdmin('token', person))
  expect(Object.keys(fields ?? {}).sort()).toEqual(['email', 'name', 'password'])
  const unknown = errorOf(await acceptLink('token', { password: 'lamp river quiet stone' }))
  expect(unknown.message).toContain('no longer works')
})

test('in the console, nobody makes an API key for somebody else', async () => {
  await openConsole(1)
  const input = { name: 'Nightly', scopes: ['runs:read' as const], userId: other.userId }
  expect(await makeKey(input)).toMatchObject({
    ok: false,
    error: { fields: { userId: 'Unknown field: userId.' } },
  })
  expect(await db().apiKey.count({ where: { userId: other.userId } })).toBe(0)
})
