import 'server-only'
import type { Tx } from '@/lib/kernel/db'
import { defaultSettings, SiteSettings } from '../settings/shape'

const names = ['backupHour', 'backupZone', 'backupsKept'] as const

/** When backups are written, as a cron expression in a zone (null = never), how many are kept, and when the times were set. */
export type BackupSettings = {
  times: { cron: string; timeZone: string } | null
  kept: number
  setAt: Date | null
}

/** Returns the settings of the schedule. A stored value that cannot be read counts as the default. */
export async function readBackupSettings(tx: Tx): Promise<BackupSettings> {
  const rows = await tx.setting.findMany({ where: { key: { in: [...names] } } })
  const stored = rows.flatMap(({ key, value }) => {
    const { success, data } = SiteSettings.partial().safeParse({ [key]: value })
    return success ? [data] : []
  })
  const { backupHour, backupZone, backupsKept } = Object.assign({}, defaultSettings, ...stored)
  if (backupHour === 'off') return { times: null, kept: backupsKept, setAt: null }
  const changes = rows.flatMap(({ key, updatedAt }) => (key === 'backupsKept' ? [] : [updatedAt]))
  return {
    times: { cron: `0 ${Number(backupHour.slice(0, 2))} * * *`, timeZone: backupZone },
    kept: backupsKept,
    setAt: new Date(Math.max(...changes.map(Number))),
  }
}
