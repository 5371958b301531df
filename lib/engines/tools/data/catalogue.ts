import { z } from 'zod'
import { type Column, notDeleted, quoted } from './columns'
import type { Ask } from './transactions'

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

/** Maximum tables on a page. */
export const mostTables = 500
const mostColumns = 300
/** The types of values that tools can write, beside those of which the values are listed (enumerations). */
const writtenTypes =
  'smallint,integer,bigint,numeric,real,double precision,boolean,uuid,text,character varying,character,date,time without time zone,timestamp without time zone,timestamp with time zone,json,jsonb'

const statement = `
  SELECT n.nspname::text AS schema, c.relname::text AS name, c.relkind IN ('v', 'm') AS "isView",
    (SELECT coalesce(json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod),
        'base', format_type(t.oid, -1), 'kind', CASE WHEN t.typtype IN ('r', 'm') THEN 'range' ELSE 'other' END,
        'labels', (SELECT json_agg(l.enumlabel ORDER BY l.enumsortorder) FROM pg_enum l WHERE l.enumtypid = t.oid),
        'operators', CASE WHEN t.typnamespace = 'pg_catalog'::regnamespace OR t.typtype IN ('e', 'r', 'm') THEN 'pg_catalog'
          ELSE (SELECT p.oprnamespace::regnamespace::text FROM pg_opclass f JOIN pg_am m ON m.oid = f.opcmethod
            JOIN pg_amop o ON o.amopfamily = f.opcfamily AND o.amoplefttype = t.oid AND o.amoprighttype = t.oid AND o.amopstrategy = 3
            JOIN pg_operator p ON p.oid = o.amopopr
            WHERE m.amname = 'btree' AND f.opcdefault AND f.opcintype = t.oid) END) ORDER BY a.attnum), '[]')
      FROM pg_attribute a JOIN pg_type d ON d.oid = a.atttypid
      JOIN pg_type t ON t.oid = CASE WHEN d.typtype <> 'd' THEN d.oid ELSE
        (WITH RECURSIVE made (type, base) AS (SELECT d.oid, d.typbasetype
          UNION ALL SELECT u.oid, u.typbasetype FROM made JOIN pg_type u ON u.oid = made.base)
        SELECT type FROM made WHERE base = 0) END
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
    columns: z.array(
      z.object({
        name: z.string(),
        type: z.string(),
        base: z.string(),
        kind: z.enum(['range', 'other']),
        labels: z.array(z.string()).nullable(),
        operators: z.string().nullable(),
      }),
    ),
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
      schema,
      name,
      isView,
      columns,
      key,
      writable,
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

/** Returns how many of the first rows of a table, at most so many, a mark of deleted rows hides. */
export async function countHidden(
  ask: Ask,
  { schema, name }: Named,
  { mark, most }: { mark: Column; most: number },
): Promise<{ rows: number; of: number }> {
  const first = `SELECT ${quoted(mark.name)} FROM ${quoted(schema)}.${quoted(name)} LIMIT ${most}`
  const [[rows, of] = []] = await ask(
    `SELECT count(*) FILTER (WHERE NOT (${notDeleted(mark)})), count(*) FROM (${first}) AS first`,
  )
  return { rows: Number(rows), of: Number(of) }
}

/** Returns what a table is called with its schema. */
export function nameOf({ schema, name }: Named): string {
  return `${schema}.${name}`
}
