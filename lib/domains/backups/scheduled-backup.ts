import 'server-only'
import path from 'node:path'
import { lastTime } from '@/lib/domains/schedules/shared/cron'
import { systemCtx } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { log } from '@/lib/kernel/log'
import { latestTime, readBackupSettings } from './backup-settings'
import { surplusBackups, sweepBackupFolder } from './folder'
import { deleteBackup } from './verbs'
import { writeBackupHere } from './write-backup'

/**
 * Writes the backup of the schedule once its time has come, without the vault key, and deletes the schedule's own ones beyond the
 * number to keep unless the site is frozen. Of several processes one writes it. A time that failed is not tried again.
 */
export async function backUpOnSchedule(isFrozen: () => Promise<boolean>): Promise<void> {
  if (!(await isDue())) return sweepBackupFolder()
  const order = { passphrase: null, isScheduled: true, begun: isDue }
  const outcome = await writeBackupHere(systemCtx(), order)
  // A restored installation is frozen, and what is old in its folder may be that of the original.
  if (outcome.type !== 'written' || (await isFrozen())) return
  const { kept } = await readBackupSettings(db())
  const own = await ownNames()
  for (const name of await surplusBackups(outcome.report.file, kept, own)) {
    await deleteBackup(systemCtx(), { name, reason: `The schedule keeps ${kept}.` }).catch(
      (error: unknown) =>
        log.error({ source: 'backup', name, err: error }, 'An old backup was not deleted'),
    )
  }
}

/** Returns the names of the backups that this schedule wrote, by the audit: another installation may have the same folder. */
async function ownNames(): Promise<Set<string>> {
  const rows = await db().$queryRaw<{ file: string }[]>`
    SELECT after->>'file' AS file FROM audit_entries
    WHERE action = 'site.back-up' AND after->>'isScheduled' = 'true' AND after->>'file' IS NOT NULL`
  return new Set(rows.map(({ file }) => path.basename(file)))
}

/** Returns whether a time of the schedule passed since it was set and since it was last tried. */
async function isDue(): Promise<boolean> {
  const { times, setAt } = await readBackupSettings(db())
  const at = times && lastTime(times, new Date())
  if (!at || (setAt && at <= setAt)) return false
  const last = await db().auditEntry.findFirst({
    where: {
      action: { in: ['site.back-up', 'site.fail-back-up'] },
      after: { path: ['isScheduled'], equals: true },
      at: { lt: latestTime() },
    },
    orderBy: { at: 'desc' },
    select: { at: true },
  })
  return !last || at > last.at
}
