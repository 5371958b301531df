import type pg from 'pg'
import { everyNoun } from '@/lib/protocol/nouns'
import { type AuditAuthor, auditInstallation } from './audit-installation'
import type { BackupHeader } from './backup-file'

/** Tables of objects that act by themselves or reach other systems. Each object stays off until an admin switches it on again. */
const paused = everyNoun
  .flatMap(({ table, afterRestore }) => (afterRestore === 'off' ? table : []))
  .toSorted()

/**
 * Leaves a restored installation frozen, because the one that it is a copy of may still work: nothing runs, nothing is sent, sessions
 * and one-time links have ended, API keys are off. The entry of the audit lists what was switched on, and the freeze says from when the backup is.
 */
export async function freezeRestored(
  client: pg.Client,
  author: AuditAuthor,
  { at, product }: BackupHeader,
): Promise<void> {
  const after: Record<string, unknown> = { backupOf: at, product }
  for (const table of paused) {
    const { rows } = await client.query<{ name: string }>(
      `UPDATE ${table} SET enabled = false, "updatedAt" = now() WHERE enabled RETURNING name`,
    )
    if (rows.length > 0) after[table] = rows.map(({ name }) => name).toSorted()
  }
  const sessions = await client.query(
    'UPDATE sessions SET "revokedAt" = now() WHERE "revokedAt" IS NULL AND "expiresAt" > now()',
  )
  const keys = await client.query<{ key: string }>(
    `UPDATE api_keys SET "pausedAt" = now() WHERE "revokedAt" IS NULL AND ("expiresAt" IS NULL OR "expiresAt" > now())
     RETURNING name || ' (' || prefix || ')' AS key`,
  )
  if (keys.rows.length > 0) after.apiKeys = keys.rows.map(({ key }) => key).toSorted()
  const links = await client.query(
    `UPDATE account_links SET "revokedAt" = now()
     WHERE "revokedAt" IS NULL AND "usedAt" IS NULL AND "expiresAt" > now()`,
  )
  // The installation that it is a copy of goes on with the same tokens, and what was disconnected there is back.
  const accounts = await client.query(
    `DELETE FROM vault_secrets WHERE id IN (
      SELECT "secretId" FROM connected_accounts UNION SELECT "secretId" FROM account_requests)`,
  )
  if (accounts.rowCount) after.accountsAtServers = accounts.rowCount
  Object.assign(after, { sessions: sessions.rowCount, oneTimeLinks: links.rowCount })
  const when = `${at.slice(0, 16).replace('T', ' ')} UTC`
  const freeze = {
    reason: `This installation was restored from a backup of ${when}. What was switched off then is in the audit.`,
    by: author.label,
    at: new Date().toISOString(),
  }
  await client.query(
    `INSERT INTO settings (key, value, "updatedAt") VALUES ('freeze', $1, now())
     ON CONFLICT (key) DO UPDATE SET value = excluded.value, "updatedAt" = excluded."updatedAt"`,
    [JSON.stringify(freeze)],
  )
  // Counted, so that runs that were active in the backup end however soon the freeze is lifted.
  await client.query('UPDATE policy_version SET freezes = freezes + 1, "lastFreeze" = $1', [
    JSON.stringify(freeze),
  ])
  await auditInstallation(client, author, { action: 'site.restore', after })
}
