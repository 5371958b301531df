import pg from 'pg'
import { canaryKey, requireOpens } from './canary'
import { requireKeys, rotationKey, vaultState } from './rotation'

/**
 * Refuses another vault key than the one this database is used with, before anything is migrated (SPEC O2). Only
 * reads, in any state of the schema. Throws AppError with one sentence.
 */
export async function guardVaultKey(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const keys = [canaryKey, rotationKey]
    const sql = 'SELECT key, value FROM settings WHERE key = ANY($1)'
    const state = vaultState(await rowsOf(client, 'settings', sql, [keys]))
    if (state.canary) return requireKeys(state)
    const [secret] = await rowsOf(client, 'vault_secrets', 'SELECT * FROM vault_secrets LIMIT 1')
    if (secret) requireOpens(secret)
  } finally {
    await client.end()
  }
}

/** Returns the rows; none also when the table does not exist yet. */
async function rowsOf(client: pg.Client, table: string, sql: string, values: unknown[] = []) {
  const found = await client.query(`SELECT to_regclass($1) IS NOT NULL AS there`, [table])
  if (!found.rows[0]?.there) return []
  return (await client.query(sql, values)).rows
}
