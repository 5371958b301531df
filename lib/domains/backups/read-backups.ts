import 'server-only'
import path from 'node:path'
import { z } from 'zod'
import { timesWords } from '@/lib/domains/schedules/shared/cron'
import { runningBackupSince } from '@/lib/installation/backup/running-backup'
import { type Ctx, requireRole } from '@/lib/kernel/context'
import { db, pool } from '@/lib/kernel/db'
import { readBackupSettings } from './backup-settings'
import {
  type BackupOnDisk,
  backupFolder,
  backupNames,
  readBackupOnDisk,
  unfinishedBytes,
} from './folder'

/** Older ones are counted. */
const mostShown = 50

/**
 * A backup in the folder. `checkedAt`: when it was read to its end after it was written; null = the audit does not know it. `isDeleted`:
 * the audit has its deletion, which failed or was interrupted.
 */
export type ListedBackup = BackupOnDisk & {
  checkedAt: string | null
  by: string | null
  isDeleted: boolean
}

export type LastAttempt = { at: string; by: string; file: string } & (
  | { type: 'written'; bytes: number; hasKey: boolean; isDeleted: boolean }
  | { type: 'failed'; cause: string }
)

export type BackupsOfServer = {
  folder: string
  /** `bytes`: so far, where this server writes it; null otherwise. */
  running: { since: string; bytes: number | null } | null
  /** True = there is the beginning of one that this installation does not write now: its process ended, or another installation writes it. */
  hasUnfinished: boolean
  last: LastAttempt | null
  /** Null = nothing is scheduled. */
  schedule: { words: string; kept: number } | null
  files: ListedBackup[]
  moreFiles: number
  /** Why the folder cannot be read; null = it can, or there is none yet. */
  unreadable: string | null
}

const Facts = z.object({
  file: z.string(),
  bytes: z.number().optional(),
  hasKey: z.boolean().optional(),
  cause: z.string().optional(),
})

/** Returns the backups in the folder of this server, with what the audit knows of them. Admins only. */
export async function readBackups(ctx: Ctx): Promise<BackupsOfServer> {
  requireRole(ctx, 'admin')
  const folder = backupFolder()
  const [since, entries, deletions, { times, kept }] = await Promise.all([
    runningBackupSince(pool()),
    db().auditEntry.findMany({
      where: { action: { in: ['site.back-up', 'site.fail-back-up'] } },
      orderBy: { at: 'desc' },
      take: 1_000,
      select: { at: true, action: true, actorLabel: true, after: true },
    }),
    db().auditEntry.groupBy({
      by: 'objectId',
      where: { action: 'backup.delete' },
      _max: { at: true },
    }),
    readBackupSettings(db()),
  ])
  const deletedAt = new Map(deletions.map(({ objectId, _max }) => [objectId, _max.at]))
  const isDeletedSince = (name: string, at: Date) => (deletedAt.get(name) ?? at) > at
  const attempts = entries.flatMap(({ at, actorLabel: by, after }): LastAttempt[] => {
    const facts = Facts.safeParse(after).data
    if (!facts) return []
    const { file, bytes = 0, hasKey = false, cause } = facts
    const about = { at: at.toISOString(), by, file }
    return [
      cause === undefined
        ? {
            ...about,
            type: 'written',
            bytes,
            hasKey,
            isDeleted: isDeletedSince(path.basename(file), at),
          }
        : { ...about, type: 'failed', cause },
    ]
  })
  const written = new Map(
    attempts
      .filter((each) => each.type === 'written')
      .toReversed()
      .map((each) => [path.basename(each.file), each]),
  )
  const read = await readFolder()
  const files = read.files.map((file) => {
    const entry = written.get(file.name)
    const isSame = entry?.bytes === file.bytes
    return {
      ...file,
      checkedAt: isSame ? entry.at : null,
      by: entry?.by ?? null,
      isDeleted: entry?.isDeleted ?? deletedAt.has(file.name),
    }
  })
  return {
    ...read,
    files,
    folder,
    running: since && { since: since.toISOString(), bytes: read.unfinished },
    hasUnfinished: since === null && read.unfinished !== null,
    last: attempts[0] ?? null,
    schedule: times && { words: timesWords(times), kept },
  }
}

async function readFolder() {
  try {
    const [names, unfinished] = [await backupNames(), await unfinishedBytes()]
    const found: BackupOnDisk[] = []
    for (const name of names.slice(0, mostShown)) {
      // It may be deleted meanwhile.
      const file = await readBackupOnDisk(name).catch(() => null)
      if (file) found.push(file)
    }
    const moreFiles = Math.max(0, names.length - mostShown)
    return { files: found, moreFiles, unfinished, unreadable: null }
  } catch (error) {
    const unreadable = error instanceof Error ? error.message : String(error)
    return { files: [], moreFiles: 0, unfinished: null, unreadable }
  }
}
