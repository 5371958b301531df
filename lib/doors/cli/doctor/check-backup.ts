import { readLastBackup } from '@/lib/domains/audit/last-backup'
import { db } from '@/lib/kernel/db'
import { type Finding, ok, warn } from './finding'

/** Says how old the last backup is. */
export async function checkBackup(): Promise<Finding> {
  const { at, overdueDays } = await readLastBackup(db())
  const words = at ? `the last one is of ${at.toISOString().slice(0, 10)}` : 'none yet'
  if (overdueDays === 0) return ok('Backup', words)
  return warn('Backup', words, 'Run: toolgate backup FILE (docs/backup.md)')
}
