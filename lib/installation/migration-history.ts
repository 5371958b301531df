import type pg from 'pg'

/** One row of `_prisma_migrations` that was not rolled back; `checksum` is the SHA-256 of its SQL in hex. */
export type AppliedMigration = { name: string; finished: boolean; checksum: string }

/** What the database says was done to it, oldest first; empty for a new one. */
export async function readMigrationHistory(
  client: Pick<pg.ClientBase, 'query'>,
): Promise<AppliedMigration[]> {
  const table = await client.query(`SELECT to_regclass('_prisma_migrations') IS NOT NULL AS there`)
  if (!table.rows[0]?.there) return []
  const { rows } = await client.query<AppliedMigration>(
    `SELECT migration_name AS name, finished_at IS NOT NULL AS finished, checksum
     FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY started_at`,
  )
  return rows
}
