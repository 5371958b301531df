import pg from 'pg'
import type { Migration } from '../migrate'
import { openClient } from '../require-database'
import type { BackedUpTable } from './backup-file'

type Client = Pick<pg.Client, 'query'>

/**
 * Tables that a backup leaves out. The header has the migrations; the others say which processes run, and what people
 * are in the middle of for some minutes, or looked at for a day. The tables of DBOS are in a schema of their own and left out, too: they say which
 * runs wait and when schedules fire, which a server makes again from the console's tables.
 */
export const leftOut = [
  'applied_migrations',
  '_prisma_migrations',
  'instances',
  'kept_trials',
  'passkey_challenges',
  'pending_sign_ins',
]

/** Opens a connection that waits as long as it takes, and writes and reads texts of values in one form. */
export async function openConnection(databaseUrl: string): Promise<pg.Client> {
  const client = await openClient(databaseUrl)
  await client.query(`
    SET client_encoding = 'UTF8'; SET timezone = 'UTC'; SET datestyle = 'ISO'; SET intervalstyle = 'postgres';
    SET extra_float_digits = 3; SET bytea_output = 'hex'; SET statement_timeout = 0; SET lock_timeout = 0;
    SET idle_in_transaction_session_timeout = 0`)
  return client
}

/**
 * Returns the console's tables that belong into a backup, with their columns, in the order of their names. A schema may also have
 * tables that no migration makes: those of others are neither backed up nor emptied.
 */
export async function readConsoleTables(
  client: Client,
  migrations: readonly Migration[],
): Promise<BackedUpTable[]> {
  const { rows } = await client.query<BackedUpTable>(
    `SELECT c.relname AS table, array_agg(a.attname::text ORDER BY a.attnum) AS columns
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND a.attnum > 0
       AND NOT a.attisdropped AND c.relname = ANY($1) AND c.relname <> ALL($2)
     GROUP BY c.relname ORDER BY c.relname`,
    [tablesMadeBy(migrations), leftOut],
  )
  return rows
}

/** Returns the names of all tables that migrations ever made. */
function tablesMadeBy(migrations: readonly Migration[]): string[] {
  const made = /\b(?:CREATE TABLE(?: IF NOT EXISTS)?|RENAME TO)\s+"?(\w+)/gi
  return migrations.flatMap(({ sql }) => [...sql.matchAll(made)].map(([, name = '']) => name))
}

/** Returns the statement that copies a table of the catalogue out of the database or into it. */
export function copyStatement({ table, columns }: BackedUpTable, way: 'TO STDOUT' | 'FROM STDIN') {
  const names = columns.map((column) => pg.escapeIdentifier(column)).join(', ')
  return `COPY ${pg.escapeIdentifier(table)} (${names}) ${way} (FORMAT text)`
}
