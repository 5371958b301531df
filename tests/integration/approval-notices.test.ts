import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { deliverNotices } from '@/lib/domains/approvals/deliver-notices'
import { sendToChannel } from '@/lib/domains/channels/send/send-to-channel'
import { channelVerbs } from '@/lib/domains/channels/verbs'
import type { ApprovalNotice } from '@/lib/generated/prisma/client'
import { findApproval } from '@/lib/runs/approvals/list-approvals'
import { append, approvalSiteOfFile, decide, finish, startOne } from '@/tests/support/approval-site'
import {
  mailAt,
  removeChannels,
  shownChannel,
  startReceiver,
  webhookAt,
} from '@/tests/support/channels'
import { db } from '@/tests/support/fixture-db'
import { startMailServer } from '@/tests/support/mail-server'

const site = approvalSiteOfFile({ isWaiting: true })
let mails: Awaited<ReturnType<typeof startMailServer>>

beforeAll(async () => {
  mails = await startMailServer()
  await site.addRule()
})
afterEach(async () => {
  await removeChannels()
  mails.mails.length = 0
})
afterAll(() => mails.close())

/** Sends what is due, as an engine does. */
const deliver = () => deliverNotices(db(), (id, message) => sendToChannel(db(), id, message))

const byMail = () => ({ ...mailAt(mails.port), security: 'none' as const, approvalAlerts: true })

/** Moves the times of a call: it began to wait and expires so many minutes from now. */
async function moveTimes(id: string, requested: number, expires: number): Promise<void> {
  const at = (minutes: number) => new Date(Date.now() + minutes * 60_000)
  await db().approval.update({
    where: { id },
    data: { requestedAt: at(requested), expiresAt: at(expires) },
  })
}

test('an engine tells once about a call that waits, with a link and without its arguments', async () => {
  await channelVerbs.create(site.admin, byMail())
  await channelVerbs.create(site.admin, { ...byMail(), name: 'Off', enabled: false })
  await channelVerbs.create(site.admin, { ...byMail(), name: 'Others', approvalAlerts: false })
  await site.startEngine()
  const row = await startOne(site, append('a-secret-line'))
  await expect.poll(() => mails.mails.length).toBe(1)
  await Promise.all([deliver(), deliver()])
  await deliver()
  expect(mails.mails).toHaveLength(1)
  const [mail = ''] = mails.mails
  expect(mail).toMatch(/^Subject: A call of append_line waits for approval$/m)
  // Mail breaks long lines.
  const text = mail.replace(/=\r?\n/g, '').replaceAll('=3D', '=')
  expect(text).toContain(`of ${site.admin.actor.email} waits until ${row.expiresAt}`)
  expect(text).toContain(`/runs/${row.runId}`)
  expect(text).not.toContain('a-secret-line')
  await decide(site.admin, row, { type: 'deny', message: '' })
  await finish(site.admin, row.runId)
})

test('a call is announced once more before it expires, and not after it was decided', async () => {
  const row = await startOne(site, append('x'))
  await channelVerbs.create(site.admin, byMail())
  await moveTimes(row.approvalId, -100, 20)
  await deliver()
  await deliver()
  // The engine may have begun to send it before.
  await expect.poll(() => mails.mails.length).toBe(1)
  await moveTimes(row.approvalId, -100, 11)
  await Promise.all([deliver(), deliver()])
  await deliver()
  await expect.poll(() => mails.mails.length).toBe(2)
  expect(mails.mails[1]).toMatch(/^Subject: A call of append_line expires soon$/m)
  await decide(site.admin, row, { type: 'approve', message: '' })
  await finish(site.admin, row.runId)
  await channelVerbs.create(site.admin, { ...byMail(), name: 'Later' })
  await deliver()
  expect(mails.mails).toHaveLength(2)
})

test('a message that no channel took is shown at its channel, and at the call until one takes it', async () => {
  const receiver = await startReceiver()
  const alerts = { budgetAlerts: false, approvalAlerts: true }
  const { id } = await channelVerbs.create(site.admin, { ...webhookAt(receiver.origin), ...alerts })
  const row = await startOne(site, append('x'))
  const answer = async () =>
    (await findApproval(site.admin, { approvalId: row.approvalId }))?.nobodyTold
  await expect.poll(answer).toBe(true)
  const shown = await channelVerbs.read(site.admin, { id })
  expect(shown.notices).toEqual([
    {
      approvalId: row.approvalId,
      runId: row.runId,
      toolName: 'append_line',
      kind: 'waiting',
      at: row.requestedAt,
      attempts: 1,
      deliveredAt: null,
      attemptedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      trouble: 'The webhook answered 503. Check the log of that server.',
    },
  ])
  expect(await shownChannel(site.admin, id)).toMatchObject({ lastNotice: shown.notices[0] })

  receiver.answer.status = 204
  const past = new Date(Date.now() - 1_000)
  await db().approvalNotice.updateMany({ data: { nextAttemptAt: past, attemptedAt: past } })
  await deliver()
  await expect.poll(answer).toBe(false)
  const [notice] = (await channelVerbs.read(site.admin, { id })).notices
  expect(notice).toMatchObject({ attempts: 2, deliveredAt: expect.any(String), trouble: '' })
  expect(Date.parse(notice?.attemptedAt ?? '')).toBeGreaterThan(past.getTime())

  // One channel that takes it is enough.
  receiver.answer.status = 503
  await channelVerbs.create(site.admin, byMail())
  const other = await startOne(site, append('y'))
  const tried = () => db().approvalNotice.findMany({ where: { approvalId: other.approvalId } })
  const isOver = (each: ApprovalNotice) => each.deliveredAt !== null || each.lastError !== ''
  await expect.poll(async () => (await tried()).filter(isOver).length).toBe(2)
  expect((await findApproval(site.admin, { approvalId: other.approvalId }))?.nobodyTold).toBe(false)
  for (const each of [row, other]) {
    await decide(site.admin, each, { type: 'deny', message: '' })
    await finish(site.admin, each.runId)
  }
  expect((await findApproval(site.admin, { approvalId: row.approvalId }))?.nobodyTold).toBe(false)
  await receiver.close()
})

test('a receiver that fails is asked again later, and keeps neither run nor other channel waiting', async () => {
  const receiver = await startReceiver()
  await channelVerbs.create(site.admin, {
    ...webhookAt(receiver.origin),
    budgetAlerts: false,
    approvalAlerts: true,
  })
  await channelVerbs.create(site.admin, byMail())
  const row = await startOne(site, append('x'))
  await expect.poll(() => mails.mails.length).toBe(1)
  await expect.poll(() => receiver.requests.length).toBe(1)
  await deliver()
  expect(receiver.requests).toHaveLength(1)
  receiver.answer.status = 204
  const past = new Date(Date.now() - 1_000)
  await db().approvalNotice.updateMany({ data: { nextAttemptAt: past } })
  await deliver()
  await expect.poll(() => receiver.requests.length).toBe(2)
  await deliver()
  expect([receiver.requests.length, mails.mails.length]).toEqual([2, 1])
  await decide(site.admin, row, { type: 'approve', message: '' })
  expect((await finish(site.admin, row.runId)).end?.reason).toBe('completed')
  await receiver.close()
})

test('a call that waited before a restore is announced no more, because its run ends', async () => {
  const row = await startOne(site, append('x'))
  const restore = { action: 'site.restore', objectType: 'site', actorLabel: 'system' }
  const { id } = await db().auditEntry.create({ data: restore })
  await channelVerbs.create(site.admin, byMail())
  await deliver()
  expect(await db().approvalNotice.count({ where: { approvalId: row.approvalId } })).toBe(0)
  await db().auditEntry.delete({ where: { id } })
  await deliver()
  await expect.poll(() => mails.mails.length).toBe(1)
  await decide(site.admin, row, { type: 'deny', message: '' })
  await finish(site.admin, row.runId)
})
