import 'server-only'
import { constants } from 'node:fs'
import { chmod, lstat, mkdir, open, readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { type BackupHeader, readBackupHeader } from '@/lib/installation/backup/backup-file'
import { runningBackupSince } from '@/lib/installation/backup/running-backup'
import { pool } from '@/lib/kernel/db'
import { env } from '@/lib/kernel/env'

/** Backups of the console and of the schedule. Files with other names are left alone. */
const named = /^\d{4}-\d\d-\d\dT\d{6}\.\d{3}Z(-scheduled)?\.backup$/
const draftNamed = /^\d{4}-\d\d-\d\dT\d{6}\.\d{3}Z(-scheduled)?\.backup\.part$/

const leftAfterMs = 60 * 60_000

export const isBackupName = (name: string): boolean => named.test(name)
const isScheduledName = (name: string): boolean => named.exec(name)?.[1] !== undefined

export function newBackupName(at: Date, isScheduled: boolean): string {
  return `${at.toISOString().replaceAll(':', '')}${isScheduled ? '-scheduled' : ''}.backup`
}

/** Returns the folder of this server's backups, which may be missing. */
export function backupFolder(): string {
  return path.resolve(env().TOOLGATE_DATA_DIR, 'backups')
}

/** Creates the folder if it is missing, closed to other users, and returns it. */
export async function openBackupFolder(): Promise<string> {
  const folder = backupFolder()
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const found = await lstat(folder)
  // The target of a link may serve others, too; back-up.ts refuses folders that tools read.
  if (!found.isSymbolicLink() && (found.mode & 0o077) !== 0) await chmod(folder, 0o700)
  return folder
}

/** A file of the folder. `header` null = it cannot be read. */
export type BackupOnDisk = {
  name: string
  bytes: number
  isScheduled: boolean
  header: Pick<BackupHeader, 'product' | 'at' | 'migrations'> | null
  hasKey: boolean
}

/** Returns the names of the backups in the folder, the newest first. */
export async function backupNames(): Promise<string[]> {
  return (await namesIn(backupFolder())).filter(isBackupName).toSorted().toReversed()
}

/** Returns what the beginning of a backup says. Links are not followed. Throws where there is no such file. */
export async function readBackupOnDisk(name: string): Promise<BackupOnDisk> {
  const file = path.join(backupFolder(), name)
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const { size: bytes } = await handle.stat()
    const header = await readBackupHeader(handle).catch(() => null)
    const isScheduled = isScheduledName(name)
    return { name, bytes, isScheduled, header, hasKey: header !== null && header.key !== null }
  } finally {
    await handle.close()
  }
}

/** Returns the backup that is being written, or was when its process ended: its bytes so far. Null = there is none. */
export async function unfinishedBytes(): Promise<number | null> {
  const folder = backupFolder()
  const newest = (await namesIn(folder))
    .filter((name) => draftNamed.test(name))
    .toSorted()
    .at(-1)
  if (newest === undefined) return null
  return (await lstat(path.join(folder, newest)).catch(() => null))?.size ?? null
}

/**
 * Deletes what backups left whose process was killed, once nobody wrote it for an hour: another installation with this folder holds its
 * lock in another database. One of this database that began before the files were listed still holds the lock, and one that begins later
 * has another name. A folder that cannot be read is left to the next backup, which says so.
 */
export async function sweepBackupFolder(): Promise<void> {
  const folder = backupFolder()
  const names = await namesIn(folder).catch(() => [])
  const drafts = names.filter((name) => draftNamed.test(name))
  if (drafts.length === 0 || (await runningBackupSince(pool())) !== null) return
  for (const name of drafts) {
    const draft = path.join(folder, name)
    const found = await lstat(draft).catch(() => null)
    if (!found?.isFile() || Date.now() - found.mtimeMs < leftAfterMs) continue
    await rm(draft, { force: true })
  }
}

/** Returns the names of the schedule's `own` backups beyond the newest ones, of which `written` is one. */
export async function surplusBackups(
  written: string,
  kept: number,
  own: ReadonlySet<string>,
): Promise<string[]> {
  const others = (await backupNames()).filter(
    (name) => isScheduledName(name) && own.has(name) && name !== path.basename(written),
  )
  return others.slice(kept - 1)
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
}
