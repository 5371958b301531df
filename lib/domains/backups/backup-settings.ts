import 'server-only'
import { defaultSettings, SiteSettings } from '@/lib/domains/settings/shape'
import type { Tx } from '@/lib/kernel/db'

export const backupSettingNames = ['backupHour', 'backupZone', 'backupsKept'] as const

/** When backups are written, as a cron expression in a zone (null = never), how many are kept, and when the times were set. */
export type BackupSettings = {
  times: { cron: string; timeZone: string } | null
  kept: number
  setAt: Date | null
}

/** Returns the settings of the schedule. */
export async function readBackupSettings(tx: Tx): Promise<BackupSettings> {
  return backupSettingsOf(
    await tx.setting.findMany({ where: { key: { in: [...backupSettingNames] } } }),
  )
}

/** Returns the latest time that is believed: a later one was stored by a clock that was wrong, more than those of servers differ. */
export const latestTime = (): Date => new Date(Date.now() + 24 * 60 * 60_000)

type StoredSetting = { key: string; value: unknown; updatedAt: Date }

/** Returns what stored settings say of the schedule. A value that cannot be read counts as the default. */
export function backupSettingsOf(rows: readonly StoredSetting[]): BackupSettings {
  const stored = rows.flatMap(({ key, value }) => {
    const { success, data } = SiteSettings.partial().safeParse({ [key]: value })
    return success ? [data] : []
  })
  const { backupHour, backupZone, backupsKept } = Object.assign({}, defaultSettings, ...stored)
  if (backupHour === 'off') return { times: null, kept: backupsKept, setAt: null }
  const changes = rows.flatMap(({ key, updatedAt }) => (key === 'backupsKept' ? [] : [updatedAt]))
  const setAt = new Date(Math.max(...changes.map(Number)))
  return {
    times: { cron: `0 ${Number(backupHour.slice(0, 2))} * * *`, timeZone: backupZone },
    kept: backupsKept,
    setAt: setAt < latestTime() ? setAt : null,
  }
}
