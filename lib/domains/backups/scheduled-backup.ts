import 'server-only'
import { lastTime } from '@/lib/domains/schedules/shared/cron'
import { systemCtx } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { log } from '@/lib/kernel/log'
import { readBackupSettings } from './backup-settings'
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
  for (const name of await surplusBackups(outcome.report.file, kept)) {
    await deleteBackup(systemCtx(), { name, reason: `The schedule keeps ${kept}.` }).catch(
      (error: unknown) =>
        log.error({ source: 'backup', name, err: error }, 'An old backup was not deleted'),
    )
  }
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
    },
    orderBy: { at: 'desc' },
    select: { at: true },
  })
  return !last || at > last.at
}
