import { randomUUID } from 'node:crypto'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { deliverBackupAlerts } from '@/lib/domains/backups/deliver-backup-alerts'
import { deliverAlerts } from '@/lib/domains/budgets/deliver-alerts'
import type { ChannelMessage } from '@/lib/domains/channels/shared/delivery'
import { channelVerbs } from '@/lib/domains/channels/verbs'
import { updateSettings } from '@/lib/domains/settings/verbs'
import type { Ctx } from '@/lib/kernel/context'
import { removeChannels, webhookAt } from '@/tests/support/channels'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'

let admin: Ctx
const sent: ChannelMessage[] = []
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 60 * 60_000)

beforeAll(async () => {
  admin = await addPerson('admin')
})
beforeEach(async () => {
  await db().auditEntry.deleteMany()
  sent.length = 0
})
afterEach(() => removeChannels())

/** Sends what is due, as an engine does. */
async function deliver(): Promise<void> {
  for (const due of [deliverAlerts, deliverBackupAlerts]) {
    await due(db(), (_channel, message) => {
      sent.push(message)
      const fine = { trouble: null, failure: null, status: 200, retryAfterSeconds: null }
      return Promise.resolve({ isAccepted: true, ...fine })
    })
  }
}

/** Adds an alert of a budget and one of the schedule of backups. */
async function addAlerts(at: Date, title: string): Promise<void> {
  const facts = { title, unit: 'tokens', amount: 10, spent: 9 }
  await db().budgetAlert.create({
    data: { budgetId: randomUUID(), windowStart: at, percent: 80, facts, at },
  })
  const entry = { action: 'site.fail-back-up', objectType: 'site', actorLabel: 'system', at }
  await db().auditEntry.create({ data: { ...entry, after: { isScheduled: true, cause: title } } })
}

test('a channel that is switched on after a restore gets the alerts since then alone', async () => {
  await addAlerts(hoursAgo(5), 'Before')
  const restore = { action: 'site.restore', objectType: 'site', actorLabel: 'system' }
  await db().auditEntry.create({ data: { ...restore, at: hoursAgo(9) } })
  await db().auditEntry.create({ data: { ...restore, at: hoursAgo(4) } })
  await channelVerbs.create(admin, webhookAt('http://127.0.0.1:9/hook'))
  await deliver()
  expect(sent).toEqual([])
  await addAlerts(hoursAgo(3), 'After')
  await deliver()
  expect(sent.map(({ title, text }) => `${title} ${text}`)).toEqual([
    expect.stringContaining('After passed 80 %'),
    expect.stringContaining('The scheduled backup failed After'),
  ])
})

test('a restore whose clock was ahead keeps back no alert once the clock is right', async () => {
  const at = new Date(Date.now() + 24 * 60 * 60_000)
  const restore = { action: 'site.restore', objectType: 'site', actorLabel: 'system', at }
  await db().auditEntry.create({ data: restore })
  await channelVerbs.create(admin, webhookAt('http://127.0.0.1:9/hook'))
  await addAlerts(hoursAgo(1), 'Now')
  await deliver()
  expect(sent.map(({ title }) => title)).toContain('The scheduled backup failed')
})

test('channels are told after a restore that the last backup is too old, although the original told it', async () => {
  await updateSettings(admin, { backupHour: '03:00' })
  await db()
    .$executeRaw`UPDATE settings SET "updatedAt" = "updatedAt" - interval '9 days' WHERE key LIKE 'backup%'`
  await db().auditEntry.deleteMany()
  const entry = { objectType: 'site', actorLabel: 'system' }
  const add = (action: string, hours: number, after: object = {}) =>
    db().auditEntry.create({ data: { ...entry, action, at: hoursAgo(hours), after } })
  await add('site.back-up', 100)
  await add('site.miss-back-up', 50, { days: 2 })
  await add('site.restore', 2)
  await channelVerbs.create(admin, webhookAt('http://127.0.0.1:9/hook'))
  for (const _tick of [1, 2]) await deliver()
  expect(sent.map(({ title }) => title)).toEqual(['The last backup is too old'])
  await db().setting.deleteMany({ where: { key: { startsWith: 'backup' } } })
})
