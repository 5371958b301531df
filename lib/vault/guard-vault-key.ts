import pg from 'pg'
import { canaryKey, requireCanary, requireOpens } from './canary'

/**
 * Refuses another vault key than the one this database was first used with, before anything is migrated (SPEC O2).
 * Only reads, in any state of the schema. Throws AppError with one sentence.
 */
export async function guardVaultKey(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const canary = await firstRow(client, 'settings', `SELECT value FROM settings WHERE key = $1`, [
      canaryKey,
    ])
    if (canary) return requireCanary(canary.value)
    const secret = await firstRow(client, 'vault_secrets', `SELECT * FROM vault_secrets LIMIT 1`)
    if (secret) requireOpens(secret)
  } finally {
    await client.end()
  }
}

/** Null also when the table is not there yet. */
async function firstRow(client: pg.Client, table: string, sql: string, values: string[] = []) {
  const found = await client.query(`SELECT to_regclass($1) IS NOT NULL AS there`, [table])
  if (!found.rows[0]?.there) return null
  return (await client.query(sql, values)).rows[0] ?? null
}
