import 'server-only'
import { z } from 'zod'
import { lastBackupSql } from '@/lib/installation/backup/last-backup'
import { pool } from '@/lib/kernel/db'
import { backupSettingNames, backupSettingsOf } from './backup-settings'

const dayMs = 24 * 60 * 60_000
/** Days without a backup after which people are told: twice the interval of the schedule, or a week without one. */
const mostDays = { scheduled: 2, unscheduled: 7 }

export type LastBackup = {
  /** When its snapshot was taken, which is what a restore returns to; null = there is none. */
  at: Date | null
  isScheduled: boolean
  /** Since when there is none: since the last one, or else since there are accounts, and with a schedule since that was set. */
  since: Date | null
  /** Whole days since then; 0 = too few to tell anybody. */
  overdueDays: number
}

const Read = z.object({
  at: z.date().nullable(),
  first: z.date().nullable(),
  settings: z.array(z.object({ key: z.string(), value: z.unknown(), updatedAt: z.coerce.date() })),
})

/** Returns from when the last whole backup of this installation is, and whether that is too long ago. */
export async function readLastBackup(): Promise<LastBackup> {
  const { rows } = await pool().query(
    `SELECT (${lastBackupSql}) AS at, (SELECT min("createdAt") AT TIME ZONE 'UTC' FROM users) AS first,
       (SELECT coalesce(json_agg(json_build_object('key', key, 'value', value,
          'updatedAt', "updatedAt" AT TIME ZONE 'UTC')), '[]') FROM settings WHERE key = ANY($1)) AS settings`,
    [backupSettingNames],
  )
  const { at, first, settings } = Read.parse(rows[0])
  const { times, setAt } = backupSettingsOf(settings)
  const sinceBackup = at ?? first
  const isScheduled = times !== null
  const since = sinceBackup && setAt && setAt > sinceBackup ? setAt : sinceBackup
  const days = since ? Math.floor((Date.now() - since.getTime()) / dayMs) : 0
  const most = isScheduled ? mostDays.scheduled : mostDays.unscheduled
  return { at, isScheduled, since, overdueDays: days < most ? 0 : days }
}
