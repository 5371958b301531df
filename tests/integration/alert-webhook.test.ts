import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exportAudit } from '@/lib/domains/audit/export-audit'
import {
  readAlertWebhook,
  removeAlertWebhook,
  sealAlertAddress,
  setAlertWebhook,
} from '@/lib/domains/budgets/alert-webhook-verbs'
import { deliverAlerts } from '@/lib/domains/budgets/deliver-alerts'
import { storeSecret } from '@/lib/domains/vault/secrets'
import type { Ctx } from '@/lib/kernel/context'
import { db } from '../support/fixture-db'
import { addPerson } from '../support/people'

const secret = 'a-secret-of-the-webhook'
const path = `/hooks/T024-${randomUUID()}`

let admin: Ctx
/** A receiver that is down for now: it counts who asks and answers 503. */
let asked: string[] = []
const receiver = createServer((request, response) => {
  asked.push(request.url ?? '')
  response.writeHead(503).end()
})
let origin: string

beforeAll(async () => {
  admin = await addPerson('admin')
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
})
afterAll(() => new Promise((resolve) => receiver.close(resolve)))

/** Returns everything about webhooks that is stored unencrypted. */
async function keptInClear(): Promise<string> {
  const pieces: string[] = []
  for await (const piece of await exportAudit(admin, { format: 'ndjson' })) pieces.push(piece)
  const audit = await db().auditEntry.findMany()
  return JSON.stringify([audit, pieces, await db().setting.findMany()])
}

test('what follows the host of an address is a secret, from being set to being removed', async () => {
  await expect(setAlertWebhook(admin, { secret })).rejects.toMatchObject({ status: 422 })
  const url = `https://hooks.example.com${path}?key=1`
  await setAlertWebhook(admin, { url, secret })
  await setAlertWebhook(admin, { url: `${origin}${path}`, privateAddressAllowed: true })
  expect(await readAlertWebhook(admin)).toMatchObject({
    address: `${origin}/…`,
    privateAddressAllowed: true,
  })
  expect(JSON.stringify(await readAlertWebhook(admin))).not.toContain(path)
  const vault = await db().vaultSecret.findMany({ where: { purpose: { startsWith: 'alert-' } } })
  expect(vault.map(({ lastFour }) => lastFour)).toEqual(['', ''])
  await removeAlertWebhook(admin, {})
  expect(await db().vaultSecret.count()).toBe(0)
  const kept = await keptInClear()
  expect(kept).toContain('https://hooks.example.com/…')
  expect(kept).not.toContain(path)
  expect(kept).not.toContain(secret)
})

test('an address that was stored in clear is sealed, and used as before', async () => {
  const { id: secretId } = await storeSecret(db(), {
    purpose: 'alert-webhook-secret',
    plaintext: secret,
  })
  const value = { url: `${origin}${path}`, secretId, privateAddressAllowed: true }
  await db().setting.create({ data: { key: 'alert-webhook', value } })
  await Promise.all([sealAlertAddress(), sealAlertAddress()])
  await sealAlertAddress()
  expect(await keptInClear()).not.toContain(path)
  expect(await db().vaultSecret.count()).toBe(2)
  await addAlert()
  await deliverAlerts(db())
  expect(asked).toEqual([path])
  await db().budgetAlert.deleteMany()
  await removeAlertWebhook(admin, {})
})

test('what does not arrive is tried ten times, later and later, and then given up', async () => {
  await setAlertWebhook(admin, { url: `${origin}${path}`, secret, privateAddressAllowed: true })
  const id = await addAlert()
  const { at } = await db().budgetAlert.findUniqueOrThrow({ where: { id } })
  asked = []
  for (let attempt = 1; attempt <= 10; attempt++) {
    await deliverAlerts(db())
    // Not due yet.
    await deliverAlerts(db())
    expect(asked).toHaveLength(attempt)
    const [alert] = await db().$queryRaw<{ attempts: number; pause: number }[]>`
      SELECT attempts, extract(epoch FROM "nextAttemptAt" - now() AT TIME ZONE 'UTC')::float8 AS pause
      FROM budget_alerts`
    const pause = 30 * 2 ** (attempt - 1)
    expect(alert?.attempts).toBe(attempt)
    expect(alert?.pause).toBeGreaterThan(pause - 20)
    expect(alert?.pause).toBeLessThanOrEqual(pause)
    expect((await readAlertWebhook(admin))?.waiting).toBe(attempt < 10 ? 1 : 0)
    await passSeconds(pause)
  }
  await deliverAlerts(db())
  expect(asked).toHaveLength(10)
  expect(await readAlertWebhook(admin)).toMatchObject({
    lastError: 'The webhook answered 503. Check the log of that server.',
    lastDeliveredAt: null,
  })
  // All ten fit into the day for which it is news.
  const last = await db().budgetAlert.findUniqueOrThrow({ where: { id } })
  expect(at.getTime() - last.at.getTime()).toBeLessThan(24 * 3_600_000)
})

test('what is older than a day is no news, and does not wait', async () => {
  const id = await addAlert()
  await deliverAlerts(db())
  expect((await readAlertWebhook(admin))?.waiting).toBe(1)
  asked = []
  await passSeconds(25 * 3_600)
  await deliverAlerts(db())
  expect(asked).toEqual([])
  expect((await readAlertWebhook(admin))?.waiting).toBe(0)
  expect(await db().budgetAlert.findUnique({ where: { id } })).toMatchObject({ deliveredAt: null })
})

async function addAlert(): Promise<string> {
  const facts = { title: 'Daily site budget', unit: 'requests', amount: 4, spent: 4 }
  const window = { budgetId: randomUUID(), windowStart: new Date() }
  const { id } = await db().budgetAlert.create({ data: { ...window, percent: 80, facts } })
  return id
}

/** Lets seconds pass. The database's clock decides when an attempt is due, so this moves the stored times back. */
async function passSeconds(seconds: number): Promise<void> {
  await db().$executeRaw`
    UPDATE budget_alerts SET at = at - make_interval(secs => ${seconds}),
      "nextAttemptAt" = "nextAttemptAt" - make_interval(secs => ${seconds})`
}

test('an address that may not be reached is refused when it is given, and when that is taken back', async () => {
  await removeAlertWebhook(admin, {})
  const refused = {
    status: 422,
    fields: { privateAddressAllowed: expect.stringContaining('on this machine') },
  }
  await expect(setAlertWebhook(admin, { url: origin, secret })).rejects.toMatchObject(refused)
  await expect(
    setAlertWebhook(admin, { url: 'http://169.254.169.254/', secret, privateAddressAllowed: true }),
  ).rejects.toMatchObject({ status: 422, fields: { url: expect.any(String) } })
  expect(await readAlertWebhook(admin)).toBeNull()
  await setAlertWebhook(admin, { url: origin, secret, privateAddressAllowed: true })
  await expect(setAlertWebhook(admin, {})).rejects.toMatchObject(refused)
  expect(await readAlertWebhook(admin)).toMatchObject({ privateAddressAllowed: true })
  await removeAlertWebhook(admin, {})
})
