import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { sealChannelAddress } from '@/lib/domains/channels/seal-address'
import { channelVerbs } from '@/lib/domains/channels/verbs'
import { storeSecret } from '@/lib/domains/vault/secrets'
import type { Ctx } from '@/lib/kernel/context'
import {
  deliver,
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

let admin: Ctx
let receiver: Awaited<ReturnType<typeof startReceiver>>

beforeAll(async () => {
  admin = await addPerson('admin')
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

async function addAlert(): Promise<string> {
  const facts = { title: 'Daily site budget', unit: 'requests', amount: 4, spent: 4 }
  const window = { budgetId: randomUUID(), windowStart: new Date() }
  const { id } = await db().budgetAlert.create({ data: { ...window, percent: 80, facts } })
  return id
}

/** Lets seconds pass. The database's clock decides when an attempt is due, so this moves the stored times back. */
async function passSeconds(seconds: number): Promise<void> {
  await db().$executeRaw`UPDATE budget_alerts SET at = at - make_interval(secs => ${seconds})`
  await db().$executeRaw`
    UPDATE alert_deliveries SET "nextAttemptAt" = "nextAttemptAt" - make_interval(secs => ${seconds})`
}

async function pauseOf(alertId: string): Promise<number | undefined> {
  const [row] = await db().$queryRaw<{ pause: number }[]>`
    SELECT extract(epoch FROM "nextAttemptAt" - now() AT TIME ZONE 'UTC')::float8 AS pause
    FROM alert_deliveries WHERE "alertId" = ${alertId}::uuid`
  return row?.pause
}

describe('alerts of budgets', () => {
  test('go to each channel for alerts, whatever happens at another', async () => {
    const mails = await startMailServer()
    const [down, mailId] = [
      await add(webhook()),
      await add({ ...mailAt(mails.port), security: 'none', budgetAlerts: true }),
    ]
    await add({ ...webhookAt(`${receiver.origin}/no-alerts`), budgetAlerts: false })
    await add({ ...webhookAt(`${receiver.origin}/off`), enabled: false })
    await addAlert()
    await Promise.all([deliver(), deliver()])
    await deliver()
    expect(receiver.requests).toEqual([webhookPath])
    expect(mails.mails).toHaveLength(1)
    expect(mails.mails[0]).toMatch(/^4 requests of 4 requests spent since \d{4}-\d\d-\d\d \(UTC\)/m)
    expect(await shown(down)).toMatchObject({
      lastAlert: { deliveredAt: null, trouble: expect.stringMatching(/answered 503/) },
    })
    expect(await shown(mailId)).toMatchObject({
      lastAlert: { attempts: 1, deliveredAt: expect.any(String), trouble: '' },
    })
    await mails.close()
  })

  test('are tried ten times, later and later, and then given up', async () => {
    const channelId = await add(webhook())
    const id = await addAlert()
    const { at } = await db().budgetAlert.findUniqueOrThrow({ where: { id } })
    for (let attempt = 1; attempt <= 10; attempt++) {
      await deliver()
      // Not due yet.
      await deliver()
      expect(receiver.requests).toHaveLength(attempt)
      const pause = 30 * 2 ** (attempt - 1)
      const waits = await pauseOf(id)
      expect(waits).toBeGreaterThan(pause - 20)
      expect(waits).toBeLessThanOrEqual(pause)
      expect((await shown(channelId))?.lastAlert?.attempts).toBe(attempt)
      await passSeconds(pause)
    }
    await deliver()
    expect(receiver.requests).toHaveLength(10)
    expect(await shown(channelId)).toMatchObject({
      lastAlert: {
        deliveredAt: null,
        trouble: 'The webhook answered 503. Check the log of that server.',
      },
    })
    // All ten fit into the day for which it is news.
    const last = await db().budgetAlert.findUniqueOrThrow({ where: { id } })
    expect(at.getTime() - last.at.getTime()).toBeLessThan(24 * 3_600_000)
  })

  test('wait as long as a receiver asks, and then arrive', async () => {
    receiver.answer.status = 429
    receiver.answer.headers = { 'retry-after': '3600' }
    const channelId = await add({ ...webhook(), kind: 'slack', secret: null })
    const id = await addAlert()
    await deliver()
    expect(await pauseOf(id)).toBeGreaterThan(3_500)
    receiver.answer.status = 200
    await passSeconds(3_600)
    await deliver()
    await deliver()
    expect(receiver.requests).toEqual([webhookPath, webhookPath])
    expect((await channelVerbs.read(admin, { id: channelId })).alerts).toMatchObject([
      { title: 'Daily site budget', percent: 80, attempts: 2, trouble: '' },
    ])
    expect((await shown(channelId))?.lastAlert?.deliveredAt).toEqual(expect.any(String))
  })

  test('are no news after a day', async () => {
    const channelId = await add(webhook())
    await addAlert()
    await deliver()
    expect(receiver.requests).toEqual([webhookPath])
    receiver.requests.length = 0
    await passSeconds(25 * 3_600)
    await deliver()
    expect(receiver.requests).toEqual([])
    expect((await shown(channelId))?.lastAlert).toMatchObject({ attempts: 1, deliveredAt: null })
  })

  test('say of a channel without its secret what to do', async () => {
    const channelId = await add(webhook())
    await db().vaultSecret.deleteMany({ where: { purpose: 'channel-secret' } })
    await addAlert()
    await deliver()
    expect(receiver.requests).toEqual([])
    expect(await shown(channelId)).toMatchObject({
      lastAlert: {
        trouble: 'A secret of this channel is missing. Enter its address and its secret again.',
      },
    })
  })
})

test('an address that was stored in clear is sealed once, and used as before', async () => {
  const { id: secretId } = await storeSecret(db(), {
    purpose: 'alert-webhook-secret',
    plaintext: webhookSecret,
  })
  const value = { url: `${receiver.origin}${webhookPath}`, secretId, privateAddressAllowed: true }
  await db().setting.create({ data: { key: 'alert-webhook', value } })
  const columns = { privateAddressAllowed: true, budgetAlerts: true, createdByLabel: 'Toolgate' }
  await db().channel.create({
    data: { ...columns, name: 'Budget alerts', kind: 'webhook', secretId },
  })
  await Promise.all([sealChannelAddress(), sealChannelAddress()])
  await sealChannelAddress()
  expect(await keptInClear(admin)).not.toContain(webhookPath)
  expect(await db().vaultSecret.count()).toBe(2)
  expect(await db().auditEntry.count({ where: { action: 'channel.seal-address' } })).toBe(1)
  await addAlert()
  await deliver()
  expect(receiver.requests).toEqual([webhookPath])
})
