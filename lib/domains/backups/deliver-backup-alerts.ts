import 'server-only'
import { z } from 'zod'
import type { ChannelMessage } from '@/lib/domains/channels/shared/delivery'
import { type DeliverDue, deliverMessages } from '@/lib/domains/rows/deliver-messages'
import { makeChange } from '@/lib/edge/verb'
import { Prisma } from '@/lib/generated/prisma/client'
import { systemCtx } from '@/lib/kernel/context'
import { db, type Tx } from '@/lib/kernel/db'
import { env } from '@/lib/kernel/env'
import { holdLock } from '@/lib/kernel/locks'
import { readLastBackup } from './last-backup'

const overdue = 'site.miss-back-up'
const newsForHours = 24

const Alert = z.object({
  alertId: z.string(),
  at: z.date(),
  facts: z.union([z.object({ cause: z.string() }), z.object({ days: z.int() })]),
})

function messageOf({ alertId: id, at, facts }: z.output<typeof Alert>): ChannelMessage {
  const url = new URL('/settings/backups', env().TOOLGATE_URL).href
  if ('cause' in facts) {
    const data = { type: 'backup-failed', id, at, cause: facts.cause, url }
    return { title: 'The scheduled backup failed', text: `${facts.cause} ${url}`, data }
  }
  const data = { type: 'backup-overdue', id, at, days: facts.days, url }
  const text = `There was no backup for ${facts.days} days, and the schedule asks for one a day. Check that a server runs at that time and that its folder of backups has room. ${url}`
  return { title: 'The last backup is too old', text, data }
}

const deliver = deliverMessages({
  channels: { budgetAlerts: true },
  table: 'audit_notices',
  keys: [{ column: 'alertId', type: 'uuid' }],
  wanted: Prisma.sql`
    SELECT id AS "alertId", at, after AS facts FROM audit_entries
    WHERE (action = ${overdue} OR action = 'site.fail-back-up' AND after->>'isScheduled' = 'true')
      AND at > now() AT TIME ZONE 'UTC' - make_interval(hours => ${newsForHours})`,
  arose: 'at',
  order: Prisma.sql`w.at`,
  row: Alert,
  messageOf,
})

/**
 * Tells every channel for alerts of each scheduled backup that failed, and once when the last good one is too old. Without a schedule,
 * only the Overview and the doctor say how old it is.
 */
export const deliverBackupAlerts: DeliverDue = async (tx, send) => {
  const { isScheduled, since, overdueDays: days } = await readLastBackup()
  if (isScheduled && since && days > 0 && !(await hasAlert(db(), since)))
    await addAlert(since, days)
  await deliver(tx, send)
}

/**
 * Returns whether there is an alert since then, since a backup was last written to its end, even one that was deleted, and since
 * the installation was restored: an alert of the original is never sent here.
 */
async function hasAlert(tx: Tx, since: Date): Promise<boolean> {
  const renewed = await tx.auditEntry.aggregate({
    where: { action: { in: ['site.back-up', 'site.restore'] }, at: { gt: since, lte: new Date() } },
    _max: { at: true },
  })
  const gt = renewed._max.at ?? since
  return (await tx.auditEntry.count({ where: { action: overdue, at: { gt } } })) > 0
}

async function addAlert(since: Date, days: number): Promise<void> {
  await makeChange(async (tx) => {
    // Several servers look at the same time, and one of them adds the alert.
    await holdLock(tx, 'backupAlerts')
    const alert = { by: systemCtx(), action: overdue, subject: null, after: { days } } as const
    return { output: undefined, changes: (await hasAlert(tx, since)) ? [] : [alert] }
  })
}
