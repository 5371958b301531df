import 'server-only'
import path from 'node:path'
import { keyOfDatabase } from '@/lib/domains/vault/key-of-database'
import { makeChange } from '@/lib/edge/verb'
import type { BackupReport } from '@/lib/installation/backup/back-up'
import { BackupRunningError } from '@/lib/installation/backup/running-backup'
import { explainFailure } from '@/lib/installation/installation-error'
import { auditLabel, authorId, type Ctx } from '@/lib/kernel/context'
import { describeError } from '@/lib/kernel/describe-error'
import { env } from '@/lib/kernel/env'
import { log } from '@/lib/kernel/log'
import { backupFolder, newBackupName, openBackupFolder, sweepBackupFolder } from './folder'

type BackupOrder = {
  /** Null = the vault key is left out. */
  passphrase: string | null
  isScheduled: boolean
  /** Called once no other backup can begin. Returns false to write none after all. */
  begun: () => boolean | Promise<boolean>
}

type BackupOutcome =
  | { type: 'written'; report: BackupReport }
  | { type: 'failed'; cause: string }
  /** Another one is being written, or `begun` did not want it. */
  | { type: 'not-begun' }

class NotWanted extends Error {}

/** Writes a backup into the folder of this server. A failure is in the audit, with its cause in words. */
export async function writeBackupHere(ctx: Ctx, order: BackupOrder): Promise<BackupOutcome> {
  const { passphrase, isScheduled, begun } = order
  const name = newBackupName(new Date(), isScheduled)
  try {
    const file = path.join(await openBackupFolder(), name)
    await sweepBackupFolder()
    const { backUp } = await import('@/lib/installation/backup/back-up')
    const report = await backUp({
      databaseUrl: env().DATABASE_URL,
      file,
      isReplaced: false,
      waitMs: 1,
      author: { id: authorId(ctx), label: auditLabel(ctx) },
      isScheduled,
      begun: async () => {
        if (!(await begun())) throw new NotWanted()
      },
      key: passphrase === null ? null : { passphrase, read: keyOfDatabase },
    })
    return { type: 'written', report }
  } catch (error) {
    if (error instanceof BackupRunningError || error instanceof NotWanted) {
      return { type: 'not-begun' }
    }
    const file = path.join(backupFolder(), name)
    log.error({ source: 'backup', file, err: error }, 'A backup was not written')
    const cause = causeOf(error)
    await recordFailure(ctx, { file, cause, ...(isScheduled && { isScheduled }) })
    return { type: 'failed', cause }
  }
}

async function recordFailure(by: Ctx, after: object): Promise<void> {
  const change = { by, action: 'site.fail-back-up', subject: null, after } as const
  await makeChange(() => Promise.resolve({ output: undefined, changes: [change] })).catch(
    (error: unknown) =>
      log.error({ source: 'backup', err: error }, 'A failed backup is not in the audit'),
  )
}

/** Returns why a backup failed and what to do, in a sentence for people. */
function causeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : ''
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return `The disk of ${backupFolder()} is full: free some space there, or delete backups that are not needed.`
  }
  if (code === 'EEXIST') {
    return `${backupFolder()} is not a folder: move what is there, then back up again.`
  }
  return explainFailure(error) ?? describeError(error, 'backup').message
}
