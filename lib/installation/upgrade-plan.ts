import pg from 'pg'
import { pendingMigrations, readMigrationHistory, readMigrations } from './migrate'

/** A table that pending migrations touch. `diskBytes`: at most so much more room until they are done. */
type UpgradedTable = { name: string; rows: number; diskBytes: number }

/** `pending`: the names of the migrations that the next start applies, oldest first. */
export type UpgradePlan = { pending: string[]; tables: UpgradedTable[]; diskBytes: number }

/**
 * Returns what the next start does to a database, and changes nothing. Rows and room are what PostgreSQL estimates. Throws
 * MigrationError when this version cannot use the database.
 */
export async function planUpgrade(databaseUrl: string, folder?: string): Promise<UpgradePlan> {
  const client = new pg.Client({ connectionString: databaseUrl })
  client.on('error', () => undefined)
  await client.connect()
  try {
    const pending = pendingMigrations(
      await readMigrations(folder),
      await readMigrationHistory(client),
    )
    const touched = touchedTables(pending.map(({ sql }) => sql).join(';\n'))
    const { rows: tables } = await client.query<UpgradedTable>(
      `SELECT c.relname AS name, greatest(c.reltuples, 0)::float8 AS rows,
         CASE WHEN c.relname = ANY($2::text[]) THEN pg_total_relation_size(c.oid) ELSE 0 END::float8 AS "diskBytes"
       FROM pg_class c WHERE c.relnamespace = current_schema::regnamespace AND c.relkind = 'r' AND c.relname = ANY($1::text[])
       ORDER BY 3 DESC, 1`,
      [[...touched.keys()], [...touched].flatMap(([name, copies]) => (copies ? [name] : []))],
    )
    const diskBytes = tables.reduce((sum, table) => sum + table.diskBytes, 0)
    return { pending: pending.map(({ name }) => name), tables, diskBytes }
  } finally {
    await client.end()
  }
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
