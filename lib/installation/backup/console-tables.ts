import pg from 'pg'
import { readMigrations } from '../migrate'
import type { BackedUpTable } from './backup-file'

type Client = Pick<pg.Client, 'query'>

/**
 * Tables that a backup leaves out. The header has the migrations; the others say which processes run, and what people
 * are in the middle of for some minutes. The tables of DBOS are in a schema of their own and left out, too: they say which
 * runs wait and when schedules fire, which a server makes again from the console's tables.
 */
const leftOut = [
  'applied_migrations',
  '_prisma_migrations',
  'instances',
  'passkey_challenges',
  'pending_sign_ins',
]

/** Opens a connection that waits as long as it takes, and writes and reads texts of values in one form. */
export async function openConnection(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl })
  // A broken connection fails its next statement. Without a listener, it would end the process.
  client.on('error', () => undefined)
  await client.connect()
  await client.query(`
    SET client_encoding = 'UTF8'; SET timezone = 'UTC'; SET datestyle = 'ISO'; SET intervalstyle = 'postgres';
    SET extra_float_digits = 3; SET bytea_output = 'hex'; SET statement_timeout = 0; SET lock_timeout = 0;
    SET idle_in_transaction_session_timeout = 0`)
  return client
}

/**
 * Returns the console's tables that belong into a backup, with their columns, in the order of their names. Tables that no migration
 * makes belong to somebody else who uses the same database.
 */
export async function readConsoleTables(client: Client): Promise<BackedUpTable[]> {
  const migrations = await readMigrations()
  const made = migrations.flatMap(({ sql }) => [...sql.matchAll(/CREATE TABLE "(\w+)"/g)])
  const own = new Set(made.map(([, table]) => table))
  return (await readTables(client)).filter(({ table }) => own.has(table))
}

/** Returns every table of the console's schema, as `readConsoleTables` does. */
export async function readTables(client: Client): Promise<BackedUpTable[]> {
  const { rows } = await client.query<BackedUpTable>(
    `SELECT c.relname AS table, array_agg(a.attname::text ORDER BY a.attnum) AS columns
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND a.attnum > 0
       AND NOT a.attisdropped AND c.relname <> ALL($1)
       AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
     GROUP BY c.relname ORDER BY c.relname`,
    [leftOut],
  )
  return rows
}

/** Returns the statement that copies a table of the catalogue out of the database or into it. */
export function copyStatement({ table, columns }: BackedUpTable, way: 'TO STDOUT' | 'FROM STDIN') {
  const names = columns.map((column) => pg.escapeIdentifier(column)).join(', ')
  return `COPY ${pg.escapeIdentifier(table)} (${names}) ${way} (FORMAT text)`
}
