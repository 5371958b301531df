import type pg from 'pg'
import { advisoryLocks } from '../../kernel/locks'
import { BackupError } from './backup-file'

type Client = Pick<pg.ClientBase, 'query'>

/** Another process writes a backup of this database. */
export class BackupRunningError extends BackupError {}

/** Takes the lock of backups for as long as the connection is open. Throws BackupRunningError while another one has it. */
export async function takeBackupLock(client: Client): Promise<void> {
  const { rows } = await client.query<{ isTaken: boolean }>(
    'SELECT pg_try_advisory_lock($1) AS "isTaken"',
    [advisoryLocks.backup],
  )
  if (rows[0]?.isTaken) return
  throw new BackupRunningError(
    'Another backup of this installation is being written. Wait until it is done.',
  )
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
