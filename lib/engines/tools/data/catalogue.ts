import { z } from 'zod'
import type { Column } from './columns'
import type { Ask } from './read-only'

/**
 * A table or view as the database describes it. `key`: what tells its rows apart, in order; empty = nothing does. `writable`: the
 * columns that tools could write, if they were opened for it.
 */
export type CatalogueTable = {
  schema: string
  name: string
  isView: boolean
  columns: Column[]
  key: string[]
  writable: string[]
}

/** How many tables a page lists. */
export const mostTables = 500
const mostColumns = 300
/** The types of values that tools can write, beside those of which the values are listed (enumerations). */
const writtenTypes =
  'smallint,integer,bigint,numeric,real,double precision,boolean,uuid,text,character varying,character,date,time without time zone,timestamp without time zone,timestamp with time zone,json,jsonb'

const statement = `
  SELECT n.nspname::text AS schema, c.relname::text AS name, c.relkind IN ('v', 'm') AS "isView",
    (SELECT coalesce(json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod),
        'base', coalesce(nullif(t.typbasetype, 0), t.oid)::regtype::text) ORDER BY a.attnum), '[]')
      FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
      WHERE a.attrelid = c.oid AND a.attnum BETWEEN 1 AND ${mostColumns} AND NOT a.attisdropped
        AND has_column_privilege(c.oid, a.attnum, 'SELECT')) AS columns,
    coalesce((SELECT json_agg(a.attname ORDER BY k.place)
      FROM (SELECT i.indkey, i.indnkeyatts FROM pg_index i
        WHERE i.indrelid = c.oid AND i.indisunique AND i.indisvalid AND i.indpred IS NULL AND i.indexprs IS NULL
          AND NOT EXISTS (SELECT FROM pg_attribute e WHERE e.attrelid = c.oid AND e.attnum = ANY (i.indkey) AND NOT e.attnotnull)
        ORDER BY i.indisprimary DESC, i.indnkeyatts, i.indexrelid LIMIT 1) i,
        unnest(i.indkey) WITH ORDINALITY AS k(attnum, place)
      JOIN pg_attribute a ON a.attnum = k.attnum AND a.attrelid = c.oid
      WHERE k.place <= i.indnkeyatts), '[]') AS key,
    coalesce((SELECT json_agg(a.attname ORDER BY a.attnum) FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
      WHERE c.relkind IN ('r', 'p') AND a.attrelid = c.oid AND a.attnum BETWEEN 1 AND ${mostColumns} AND NOT a.attisdropped
        AND a.attgenerated = '' AND a.attidentity <> 'a'
        AND (t.typtype = 'e' OR t.oid = ANY ('{${writtenTypes}}'::regtype[]))), '[]') AS writable
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'p', 'v', 'm') AND NOT c.relispartition
    AND n.nspname <> 'information_schema' AND n.nspname NOT LIKE 'pg\\_%'
    AND has_schema_privilege(n.oid, 'USAGE') AND has_any_column_privilege(c.oid, 'SELECT')
    AND ($1::text[] IS NULL OR n.nspname = ANY ($1)) AND ($2::text[] IS NULL OR c.relname = ANY ($2))
  ORDER BY n.nspname, c.relname`

const Tables = z.array(
  z.object({
    schema: z.string(),
    name: z.string(),
    isView: z.boolean(),
    columns: z.array(z.object({ name: z.string(), type: z.string(), base: z.string() })),
    key: z.array(z.string()),
    writable: z.array(z.string()),
  }),
)

type Named = { schema: string; name: string }

/** Returns the tables and views that can be opened, by their names: all of them, or those that are named. System schemas have none. */
export async function readTables(
  ask: Ask,
  named: readonly Named[] | null,
): Promise<CatalogueTable[]> {
  const [schemas, names] = [named?.map(({ schema }) => schema), named?.map(({ name }) => name)]
  const rows = await ask(statement, [schemas ?? null, names ?? null])
  const tables = Tables.parse(
    rows.map(([schema, name, isView, columns, key, writable]) => ({
      ...{ schema, name, isView, columns, key, writable },
    })),
  )
  if (named === null) return tables
  const wanted = new Set(named.map(nameOf))
  return tables.filter((table) => wanted.has(nameOf(table)))
}

/** Returns one table; null = there is none that can be opened. */
export async function readTable(ask: Ask, named: Named): Promise<CatalogueTable | null> {
  return (await readTables(ask, [named]))[0] ?? null
}

/** Returns what a table is called with its schema. */
export function nameOf({ schema, name }: Named): string {
  return `${schema}.${name}`
}
