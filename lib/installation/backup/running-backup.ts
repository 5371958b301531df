import pg from 'pg'
import { advisoryLocks } from '@/lib/kernel/locks'
import { BackupError } from './backup-file'

const lockNotAvailable = '55P03'

type Client = Pick<pg.ClientBase, 'query'>

/** Another process writes a backup of this database. */
export class BackupRunningError extends BackupError {}

/**
 * Takes the lock of backups until the connection ends: a draft that is there afterwards is of a backup that was killed. Throws
 * BackupRunningError when another process still has the lock after `waitMs`, at least 1.
 */
export async function takeBackupLock(client: Client, waitMs: number): Promise<void> {
  await client.query(`SET lock_timeout = ${waitMs}`)
  try {
    await client.query('SELECT pg_advisory_lock($1)', [advisoryLocks.backup])
  } catch (cause) {
    if (!(cause instanceof pg.DatabaseError && cause.code === lockNotAvailable)) throw cause
    throw new BackupRunningError(
      'Another backup of this installation is being written. Wait until it is done.',
      { cause },
    )
  }
  await client.query('SET lock_timeout = 0')
}

/** Returns since when a backup of this database is being written, by whichever process; null = none is. */
export async function runningBackupSince(client: Client): Promise<Date | null> {
  const { rows } = await client.query<{ since: Date }>(
    `SELECT a.backend_start AS since FROM pg_locks l JOIN pg_stat_activity a USING (pid)
     WHERE l.locktype = 'advisory' AND l.granted AND l.classid = 0 AND l.objid = $1 AND l.objsubid = 1
       AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    [advisoryLocks.backup],
  )
  return rows[0]?.since ?? null
}
