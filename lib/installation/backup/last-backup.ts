import type pg from 'pg'

/**
 * Selects from when the last backup is, by the audit: each that was written to its end has an entry there, with the time of its
 * snapshot. One whose deletion the audit has does not count, nor one that a wrong clock put into the future.
 */
export const lastBackupSql = `SELECT max(coalesce((written.after->>'at')::timestamptz, written.at AT TIME ZONE 'UTC')) AS at
  FROM audit_entries written
  WHERE written.action = 'site.back-up' AND written.at <= now() AT TIME ZONE 'UTC' AND NOT EXISTS (
    SELECT FROM audit_entries deleted WHERE deleted.action = 'backup.delete' AND deleted.at >= written.at
      AND deleted."objectId" = regexp_replace(written.after->>'file', '^.*[/\\\\]', ''))`

/** Returns from when the last backup is; null = there is none. The database may be of an older version. */
export async function lastBackupAt(client: Pick<pg.ClientBase, 'query'>): Promise<Date | null> {
  const { rows } = await client.query<{ isThere: boolean }>(
    `SELECT to_regclass('audit_entries') IS NOT NULL AS "isThere"`,
  )
  if (!rows[0]?.isThere) return null
  return (await client.query<{ at: Date | null }>(lastBackupSql)).rows[0]?.at ?? null
}
