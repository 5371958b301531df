import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { GET as askReady } from '@/app/api/ready/route'
import { deliverBackupAlerts } from '@/lib/domains/backups/deliver-backup-alerts'
import { readLastBackup } from '@/lib/domains/backups/last-backup'
import type { ChannelMessage } from '@/lib/domains/channels/shared/delivery'
import { channelVerbs } from '@/lib/domains/channels/verbs'
import { updateSettings } from '@/lib/domains/settings/verbs'
import type { Ctx } from '@/lib/kernel/context'
import { apiKeyOf } from '@/tests/support/api-client'
import { removeChannels, webhookAt } from '@/tests/support/channels'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'

let admin: Ctx
const dayMs = 24 * 60 * 60_000

beforeAll(async () => {
  admin = await addPerson('admin')
})
beforeEach(async () => {
  await db().auditEntry.deleteMany()
  await db().setting.deleteMany({ where: { key: { startsWith: 'backup' } } })
})
afterEach(() => removeChannels())

test('channels are told once that the last backup is older than two of its days', async () => {
  await channelVerbs.create(admin, webhookAt('http://127.0.0.1:9/hook'))
  const sent: ChannelMessage[] = []
  const deliver = () =>
    deliverBackupAlerts(db(), (_channel, message) => {
      sent.push(message)
      const fine = { trouble: null, failure: null, status: 200, retryAfterSeconds: null }
      return Promise.resolve({ isAccepted: true, ...fine })
    })
  const entry = { action: 'site.back-up', objectType: 'site', actorLabel: 'system' }
  await db().auditEntry.create({ data: { ...entry, at: new Date(Date.now() - 3 * dayMs) } })
  await deliver()
  // There is no schedule.
  expect(sent).toEqual([])
  await updateSettings(admin, { backupHour: '03:00' })
  await deliver()
  // It had no day yet.
  expect(sent).toEqual([])
  await db()
    .$executeRaw`UPDATE settings SET "updatedAt" = "updatedAt" - interval '4 days' WHERE key LIKE 'backup%'`
  expect(await readLastBackup()).toMatchObject({ isScheduled: true, overdueDays: 3 })
  for (const _tick of [1, 2]) await Promise.all([deliver(), deliver()])
  expect(sent).toMatchObject([
    {
      title: 'The last backup is too old',
      text: expect.stringContaining('no backup for 3 days'),
      data: { type: 'backup-overdue', days: 3 },
    },
  ])
  expect(await db().auditEntry.count({ where: { action: 'site.miss-back-up' } })).toBe(1)
})

test('an alert from before the end of the last backup is not the one about it', async () => {
  await updateSettings(admin, { backupHour: '03:00' })
  await db()
    .$executeRaw`UPDATE settings SET "updatedAt" = "updatedAt" - interval '9 days' WHERE key LIKE 'backup%'`
  await db().auditEntry.deleteMany()
  const daysAgo = (days: number) => new Date(Date.now() - days * dayMs)
  const entry = { objectType: 'site', actorLabel: 'system' }
  const alerts = () => db().auditEntry.count({ where: { action: 'site.miss-back-up' } })
  const deliver = () => deliverBackupAlerts(db(), () => Promise.reject(new Error('No channel.')))
  const missed = { ...entry, action: 'site.miss-back-up', at: daysAgo(4.5), after: { days: 2 } }
  await db().auditEntry.create({ data: missed })
  // It began before that alert, and ended after it.
  const after = { at: daysAgo(5).toISOString() }
  await db().auditEntry.create({
    data: { ...entry, action: 'site.back-up', at: daysAgo(4), after },
  })
  await deliver()
  expect(await alerts()).toBe(2)
  await deliver()
  expect(await alerts()).toBe(2)
})

test('whether a server is ready says how old the last backup is to an admin’s key alone', async () => {
  const detail = async (authorization?: string) => {
    const headers: HeadersInit = authorization === undefined ? {} : { authorization }
    const answer = await askReady(new Request('http://localhost:3000/api/ready', { headers }))
    return (await answer.json()).backup
  }
  const at = new Date(Date.now() - 5 * 60 * 60_000)
  const entry = { action: 'site.back-up', objectType: 'site', actorLabel: 'system', at }
  await db().auditEntry.create({ data: entry })
  expect(await detail()).toBeUndefined()
  const key = await apiKeyOf(admin, 'settings:read')
  expect(await detail(`Bearer ${key}`)).toEqual({
    lastAt: at.toISOString(),
    ageHours: 5,
    isScheduled: false,
    isOverdue: false,
  })
  const other = await apiKeyOf(admin, 'runs:read')
  const refused = { refused: 'The API key lacks the scope settings:read.' }
  expect(await detail(`Bearer ${other}`)).toEqual(refused)
  const ofMember = await apiKeyOf(await addPerson('member'), 'settings:read')
  expect(await detail(`Bearer ${ofMember}`)).toEqual({
    refused: expect.stringContaining('a member.'),
  })
  expect(await detail('Bearer tg_none')).toEqual({ refused: expect.stringContaining('not valid') })
})
