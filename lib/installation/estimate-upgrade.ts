import type pg from 'pg'
import { formatBytes } from '@/lib/words/format'
import { lastBackupAt } from './backup/last-backup'
import { InstallationError } from './installation-error'

type Client = Pick<pg.ClientBase, 'query'>

/** A table that pending migrations touch. `diskBytes`: at most so much more room until they are done. */
type UpgradedTable = { name: string; rows: number; diskBytes: number }

/** `lastBackup`: from when the last backup is, ISO text in UTC; null = there is none. */
export type UpgradeEstimate = {
  tables: UpgradedTable[]
  diskBytes: number
  lastBackup: string | null
}

/** Returns what migrations touch, as PostgreSQL estimates it, and when the database was last backed up. */
export async function estimateUpgrade(
  client: Client,
  pending: readonly { sql: string }[],
): Promise<UpgradeEstimate> {
  const touched = touchedTables(pending.map(({ sql }) => sql).join(';\n'))
  const { rows: tables } = await client.query<UpgradedTable>(
    `SELECT c.relname AS name, greatest(c.reltuples, 0)::float8 AS rows,
       CASE WHEN c.relname = ANY($2::text[]) THEN pg_total_relation_size(c.oid) ELSE 0 END::float8 AS "diskBytes"
     FROM pg_class c WHERE c.relnamespace = current_schema::regnamespace AND c.relkind = 'r' AND c.relname = ANY($1::text[])
     ORDER BY 3 DESC, 1`,
    [[...touched.keys()], [...touched].flatMap(([name, copies]) => (copies ? [name] : []))],
  )
  const diskBytes = tables.reduce((sum, table) => sum + table.diskBytes, 0)
  const lastBackup = await lastBackupAt(client)
  return { tables, diskBytes, lastBackup: lastBackup?.toISOString() ?? null }
}

const largestBytes = 1024 ** 3
const recentMs = 24 * 60 * 60_000

/** Throws InstallationError for an upgrade that writes more than 1 GiB anew, unless there is a backup of the last 24 hours. */
export function requireBackup({ diskBytes, lastBackup }: UpgradeEstimate, now = Date.now()): void {
  if (diskBytes <= largestBytes) return
  if (lastBackup !== null && now - Date.parse(lastBackup) < recentMs) return
  throw new InstallationError(
    `This version writes up to ${formatBytes(diskBytes)} of the database anew, and ${lastBackup === null ? 'there is no backup' : `the last backup is of ${lastBackup.slice(0, 16).replace('T', ' ')} UTC`}. Run \`bin/toolgate backup FILE\`, then start again. Nothing was changed.`,
  )
}

const touching =
  /\b(ALTER TABLE(?: IF EXISTS)?(?: ONLY)?|UPDATE|DELETE FROM|INSERT INTO|INDEX\b[^;(]*? ON|DROP TABLE(?: IF EXISTS)?|TRUNCATE(?: TABLE)?) +"?(\w+)"?([^;]*)/gi

/** Returns the tables that statements change, each with whether they may write its rows or an index of it anew. */
function touchedTables(sql: string): Map<string, boolean> {
  const code = sql.replace(/--.*$/gm, '').replace(/\bAS \$(\w*)\$[\s\S]*?\$\1\$/gi, '')
  const touched = new Map<string, boolean>()
  for (const [, act = '', name = '', rest = ''] of code.matchAll(touching)) {
    const copies = /^(UPDATE|INDEX)/i.test(act) || /\b(TYPE|PRIMARY KEY|UNIQUE)\b/i.test(rest)
    touched.set(name, touched.get(name) || copies)
  }
  return touched
}
