import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { channelVerbs, testChannel } from '@/lib/domains/channels/verbs'
import { groupVerbs } from '@/lib/domains/groups/verbs'
import type { Ctx } from '@/lib/kernel/context'
import {
  keptInClear,
  mailAt,
  removeChannels,
  shownChannel,
  startReceiver,
  webhookAt,
  webhookPath,
  webhookSecret,
} from '@/tests/support/channels'
import { db } from '@/tests/support/fixture-db'
import { startMailServer } from '@/tests/support/mail-server'
import { addPerson } from '@/tests/support/people'

const password = 'pa55word-of-the-mail-server'

let admin: Ctx
let member: Ctx
let receiver: Awaited<ReturnType<typeof startReceiver>>

beforeAll(async () => {
  ;[admin, member] = await Promise.all([addPerson('admin'), addPerson('member')])
  receiver = await startReceiver()
})
afterEach(async () => {
  await removeChannels()
  receiver.requests.length = 0
  Object.assign(receiver.answer, { status: 503, headers: {} })
})
afterAll(() => receiver.close())

const webhook = () => webhookAt(`${receiver.origin}${webhookPath}`)
const add = async (values: Parameters<typeof channelVerbs.create>[1]) =>
  (await channelVerbs.create(admin, values)).id

/** Returns what lists show of a channel. */
const shown = (id: string) => shownChannel(admin, id)

test('keeps its secrets from pages, audit, log and exports, until they are gone', async () => {
  const server = await startMailServer({ AUTH: `535 ${password}` })
  const id = await add(webhook())
  const mailId = await add({ ...mailAt(server.port), user: 'ada', password })
  await channelVerbs.update(admin, {
    id,
    address: `${receiver.origin}${webhookPath}?key=1`,
    budgetAlerts: false,
  })
  const { name } = await channelVerbs.read(admin, { id: mailId })
  for (const each of [id, name]) await testChannel(admin, { id: each })
  expect(await shown(id)).toMatchObject({ leadsTo: `${receiver.origin}/…`, budgetAlerts: false })
  const vault = await db().vaultSecret.findMany()
  expect(vault.map(({ lastFour }) => lastFour)).toEqual(['', '', ''])
  for (const each of [id, mailId]) await channelVerbs.remove(admin, { id: each })
  expect(await db().vaultSecret.count()).toBe(0)
  const kept = await keptInClear(admin)
  expect(kept).toContain(`${receiver.origin}/…`)
  for (const hidden of [webhookPath, webhookSecret, password]) expect(kept).not.toContain(hidden)
  const entries = await db().auditEntry.findMany({ where: { objectId: id } })
  expect(entries.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['channel.create', 'channel.update', 'channel.delete']),
  )
  await server.close()
})

test('is for admins', async () => {
  const id = await add(webhook())
  for (const refused of [
    channelVerbs.create(member, webhook()),
    channelVerbs.update(member, { id, enabled: false }),
    channelVerbs.remove(member, { id }),
    testChannel(member, { id }),
    channelVerbs.list(member, { sort: 'name' }),
    channelVerbs.read(member, { id }),
  ]) {
    await expect(refused).rejects.toMatchObject({ status: 403 })
  }
  expect(receiver.requests).toEqual([])
})

test.each([
  [{ kind: 'webhook', address: 'https://a.example.com' }, { secret: /signs each message/ }],
  [{ kind: 'slack' }, { address: /Enter an address/ }],
  [
    {
      kind: 'slack',
      address: 'https://a.example.com',
      secret: webhookSecret,
      recipients: 'a@example.com',
    },
    { secret: /does not have this field/, recipients: /does not have this field/ },
  ],
  [{ kind: 'smtp' }, { host: /host/, sender: /come from/, recipients: /one recipient/ }],
  [{ ...mailAt(25), user: 'ada' }, { password: /password of this user/ }],
  [{ ...mailAt(25), password }, { user: /user name of this password/ }],
  [{ ...mailAt(25), user: 'ada', password, security: 'none' }, { security: /only sent encrypted/ }],
  [
    { ...mailAt(25), recipients: 'a@example.com\r\nRCPT TO:<b@example.com>' },
    { recipients: /mail addresses/ },
  ],
] as const)('has what its kind needs, and nothing else: %o', async (values, fields) => {
  const words = Object.entries(fields).map(([field, pattern]) => [
    field,
    expect.stringMatching(pattern),
  ])
  const given = { ...values, name: randomUUID() } as Parameters<typeof channelVerbs.create>[1]
  await expect(channelVerbs.create(admin, given)).rejects.toMatchObject({
    status: 422,
    fields: Object.fromEntries(words),
  })
  expect(await db().channel.count()).toBe(0)
})

test('may not lead to an address that nobody allowed, now or later', async () => {
  const closed = { privateAddressAllowed: false }
  const refused = {
    status: 422,
    fields: { privateAddressAllowed: expect.stringContaining('on this machine') },
  }
  await expect(channelVerbs.create(admin, { ...webhook(), ...closed })).rejects.toMatchObject(
    refused,
  )
  await expect(channelVerbs.create(admin, { ...mailAt(25), ...closed })).rejects.toMatchObject(
    refused,
  )
  const metadata = { ...webhook(), address: 'http://169.254.169.254/' }
  await expect(channelVerbs.create(admin, metadata)).rejects.toMatchObject({
    fields: { address: expect.any(String) },
  })
  const id = await add(webhook())
  await expect(channelVerbs.update(admin, { id, ...closed })).rejects.toMatchObject(refused)
  expect(await shown(id)).toMatchObject({ privateAddressAllowed: true })
})

test('sends its password only to the server that it was given for', async () => {
  const id = await add({ ...mailAt(25), user: 'ada', password })
  const moved = { id, port: 26 }
  await expect(channelVerbs.update(admin, moved)).rejects.toMatchObject({
    fields: { password: expect.stringContaining('for 127.0.0.1 only') },
  })
  await channelVerbs.update(admin, { ...moved, password })
  await channelVerbs.update(admin, { id, user: null, password: null })
  expect(await shown(id)).toMatchObject({ port: 26, user: null })
  expect(await db().vaultSecret.count()).toBe(0)
})

test('lacks secrets only while it is switched off', async () => {
  const { secret, address: _, ...bare } = webhook()
  await expect(add(bare)).rejects.toMatchObject({ status: 422 })
  const id = await add({ ...bare, secret, enabled: false })
  expect(await shown(id)).toMatchObject({ enabled: false, secrets: ['secret'], leadsTo: '' })
  await channelVerbs.update(admin, { id, budgetAlerts: false })
  const on = { id, enabled: true }
  await expect(channelVerbs.update(admin, on)).rejects.toMatchObject({
    fields: { address: 'Enter an address. Messages are posted there.' },
  })
  await channelVerbs.update(admin, { ...on, address: `${receiver.origin}${webhookPath}` })
  expect(await shown(id)).toMatchObject({ enabled: true, secrets: ['address', 'secret'] })
  const off = { id, enabled: false }
  await channelVerbs.update(admin, { ...off, secret: null })
  expect(await shown(id)).toMatchObject({ secrets: ['address'] })
  await expect(channelVerbs.update(admin, on)).rejects.toMatchObject({ status: 422 })
})

test('has a name of its own, groups that exist, and is switched in a word', async () => {
  const { id: groupId } = await groupVerbs.create(admin, { name: randomUUID(), description: '' })
  const id = await add({ ...webhook(), groupIds: [groupId, groupId] })
  expect(await shown(id)).toMatchObject({ groups: [{ id: groupId }] })
  const name = (await shown(id))?.name ?? ''
  await expect(channelVerbs.create(admin, { ...webhook(), name })).rejects.toMatchObject({
    status: 409,
  })
  await expect(channelVerbs.update(admin, { id, groupIds: [randomUUID()] })).rejects.toMatchObject({
    status: 422,
  })
  await channelVerbs.update(admin, { id, groupIds: [] })
  await channelVerbs.update(admin, { id, enabled: false })
  await channelVerbs.update(admin, { id, enabled: false })
  expect(await shown(id)).toMatchObject({ groups: [], enabled: false })
  const entries = await db().auditEntry.findMany({ where: { objectId: id } })
  expect(entries.map(({ action }) => action).sort()).toEqual([
    'channel.create',
    'channel.switch-off',
    'channel.update',
  ])
})
