import pg from 'pg'
import { createTestDatabase } from './test-database'

const tables = `
  CREATE TABLE orders (
    id integer PRIMARY KEY, customer text NOT NULL, owner uuid, status text NOT NULL, total numeric(10, 2), paid boolean,
    note text, picture bytea, placed_at timestamptz, api_token text, deleted_at timestamptz);
  CREATE TABLE lines (order_id integer, line smallint, product text, PRIMARY KEY (order_id, line));
  CREATE TABLE gone (id bigint PRIMARY KEY, name text, is_deleted boolean NOT NULL DEFAULT false);
  CREATE TABLE "odd ""name" ("a "" column" text, "select" integer);
  CREATE VIEW open_orders AS SELECT id, customer FROM orders WHERE status = 'open';
  CREATE SCHEMA secret;
  CREATE TABLE secret.keys (id integer PRIMARY KEY, value text);
  CREATE FUNCTION slow(integer) RETURNS integer LANGUAGE sql AS 'SELECT $1 FROM pg_sleep(30)';
  CREATE VIEW slow_orders AS SELECT slow(id) AS id FROM orders;`

/** Creates the database of a shop, without Toolgate's tables. */
export async function createShop(suffix = '_shop') {
  const { url, drop } = await createTestDatabase(suffix, { migrated: false })
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  await client.query(tables)
  return {
    address: `${url}?sslmode=disable`,
    ask: (sql: string, values?: unknown[]) => client.query(sql, values),
    close: async () => {
      await client.end()
      await drop()
    },
  }
}
