import type pg from 'pg'

/**
 * Selects when the last backup was written, by the audit: each that was written to its end has an entry there. One that a wrong clock
 * put into the future says nothing.
 */
export const lastBackupSql = `SELECT max(at) AT TIME ZONE 'UTC' AS at FROM audit_entries
  WHERE action = 'site.back-up' AND at <= now() AT TIME ZONE 'UTC'`

/** Returns when the last backup was written; null = none was. The database may be of an older version. */
export async function lastBackupAt(client: Pick<pg.ClientBase, 'query'>): Promise<Date | null> {
  const { rows } = await client.query<{ isThere: boolean }>(
    `SELECT to_regclass('audit_entries') IS NOT NULL AS "isThere"`,
  )
  if (!rows[0]?.isThere) return null
  return (await client.query<{ at: Date | null }>(lastBackupSql)).rows[0]?.at ?? null
}
