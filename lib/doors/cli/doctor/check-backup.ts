import { readLastBackup } from '@/lib/domains/backups/last-backup'
import { type Finding, ok, warn } from './finding'

/** Says how old the last backup is, and whether there is a schedule. */
export async function checkBackup(): Promise<Finding> {
  const { at, isScheduled, overdueDays } = await readLastBackup()
  const last = at ? `the last one is of ${at.toISOString().slice(0, 10)}` : 'there is none'
  const words = `${last}, ${isScheduled ? 'one is written every day' : 'none is scheduled'}`
  if (overdueDays === 0) return ok('Backup', words)
  return warn(
    'Backup',
    words,
    isScheduled
      ? 'Look for its failure: toolgate audit list --action site.fail-back-up (docs/backup.md)'
      : 'Run: toolgate backup FILE, or toolgate setting set backup-hour 03:00 (docs/backup.md)',
  )
}
