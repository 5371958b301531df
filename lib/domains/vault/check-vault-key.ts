import type pg from 'pg'
import { openClient } from '@/lib/installation/require-database'
import { type Tx, unaudited } from '@/lib/kernel/db'
import { canaryKey, newCanary, requireDecrypts } from './canary'
import { readVaultState, requireKeys, rotationKey, vaultState } from './rotation'
import { firstKeyVersion, vaultKey } from './vault-key'

/**
 * Refuses a vault key that this database is not used with, and only one of the two keys during a rotation (SPEC O2).
 * The very first boot stores what later boots compare with; otherwise it changes nothing.
 */
export async function checkVaultKey(client: Tx): Promise<void> {
  const found = await readVaultState(client)
  if (found.canary === null) await storeCanary(client)
  requireKeys(found.canary === null ? await readVaultState(client) : found)
}

/** Stores the canary. If two first boots run at once, one stores it and both read that one. */
async function storeCanary(client: Tx): Promise<void> {
  const secret = await client.vaultSecret.findFirst()
  const first = { key: vaultKey(), keyVersion: firstKeyVersion }
  const planted = { key: canaryKey, value: newCanary(secret ? requireDecrypts(secret) : first) }
  const { setting } = unaudited(client, 'the installation itself, at its first start')
  await setting.createMany({ data: [planted], skipDuplicates: true })
}

/**
 * Refuses another vault key than the one this database is used with, before anything is migrated (SPEC O2). Only
 * reads, in any state of the schema. Throws AppError or InstallationError with one sentence.
 */
export async function guardVaultKey(databaseUrl: string): Promise<void> {
  const client = await openClient(databaseUrl)
  try {
    const keys = [canaryKey, rotationKey]
    const sql = 'SELECT key, value FROM settings WHERE key = ANY($1)'
    const state = vaultState(await rowsOf(client, 'settings', sql, [keys]))
    if (state.canary) return requireKeys(state)
    const [secret] = await rowsOf(client, 'vault_secrets', 'SELECT * FROM vault_secrets LIMIT 1')
    if (secret) requireDecrypts(secret)
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
