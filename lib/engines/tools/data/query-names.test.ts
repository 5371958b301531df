import { expect, test } from 'vitest'
import { refuseByNames, refuseByPlan } from './query-names'

test.each([
  'SELECT 1',
  '(SELECT a FROM public.t) UNION ALL (SELECT b FROM public.t);',
  "VALUES (1, lower($$A(b$$)), (2, pg_catalog.lower('pg_sleep(1)'))",
  'TABLE public.lines',
  `-- pg_sleep(1)
   /* pg_sleep(1) /* nested( */ */ SELECT count(*) FILTER (WHERE a IN (1, 2)) OVER (PARTITION BY (b)) FROM public.t`,
  'WITH a(x, y) AS (SELECT 1, 2), b (z) AS NOT MATERIALIZED (VALUES (3)) SELECT * FROM a JOIN b ON (x = z)',
  'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE (i < 9)) SELECT max(i) FROM n',
  'SELECT * FROM generate_series(1, 3) AS s(i) CROSS JOIN LATERAL (SELECT i * 2) AS d (e)',
  `SELECT CAST(a AS numeric(10, 2)), b::varchar(3), E'it\\'s', U&'d\\0061t', coalesce(a, 0), EXTRACT(year FROM c) FROM public.t`,
  'SELECT "lower"(a), PG_CATALOG.UPPER(a), "pg_sleep" FROM public.t AS "set_config"(a)',
  'SELECT ARRAY(SELECT a FROM public.t), ROW(1, 2), a = ANY (ARRAY[1]), EXISTS (SELECT 1), NOT (a) FROM public.t',
  'SELECT a FROM public.t GROUP BY GROUPING SETS ((a), ()), ROLLUP (a) ORDER BY (a) LIMIT (1) OFFSET (0)',
  "SELECT now() AT TIME ZONE ('UTC'), a::timestamp(3) with time zone FROM public.t TABLESAMPLE system (10)",
  'SELECT m.top, s.i, t.id FROM generate_series(1, 3) s(i), LATERAL (SELECT max(a) FROM public.t) m (top), (VALUES (1)) t (id)',
  'SELECT pg_size_pretty(sum(octet_length(a))) FROM public.t',
])('%s may be run', (sql) => {
  expect(() => refuseByNames(sql)).not.toThrow()
})

test.each([
  ['SELECT pg_sleep(4)', 'pg_sleep'],
  ['SELECT pg_sleep/**/(4)', 'pg_sleep'],
  ['SELECT pg_sleep /* a /* b */ ( */ -- (\n (4)', 'pg_sleep'],
  ['SELECT PG_Advisory_LOCK(7240101)', 'pg_advisory_lock'],
  ['SELECT "pg_advisory_lock"(7240101)', 'pg_advisory_lock'],
  ['SELECT pg_catalog.pg_advisory_lock(7240101)', 'pg_catalog.pg_advisory_lock'],
  ['SELECT "pg_catalog" . /**/ "set_config"(1)', 'pg_catalog.set_config'],
  ['SELECT db.pg_catalog.lower(1)', 'db.pg_catalog.lower'],
  ['SELECT public.lower(1)', 'public.lower'],
  ['SELECT "select"(1)', 'select'],
  ['SELECT U&"pg!005fsleep" UESCAPE \'!\' (4)', 'U&"…"'],
  ['SELECT u&"pg\\005fsleep"(4)', 'U&"…"'],
  ['WITH a AS (SELECT pg_sleep(4)) SELECT * FROM a', 'pg_sleep'],
  ['WITH a AS (SELECT 1), b AS (SELECT 2) SELECT 1, pg_sleep(4)', 'pg_sleep'],
  ['SELECT 1::timestamp with time zone, pg_sleep(4)', 'pg_sleep'],
  ['SELECT * FROM unnest(ARRAY[1]) with ordinality, pg_sleep(4)', 'pg_sleep'],
  ['SELECT 1 OPERATOR(pg_catalog.+) pg_sleep(4)::int', 'operator'],
  ['SELECT 1 + pg_sleep(4)::text::int', 'pg_sleep'],
  ['SELECT * FROM pg_sleep(4) AS a(b)', 'pg_sleep'],
  ['SELECT * FROM ROWS FROM (pg_sleep(4))', 'pg_sleep'],
  ["SELECT 'a' 'b', pg_sleep(4)", 'pg_sleep'],
  ['SELECT DISTINCT ON (a) pg_sleep(4) FROM public.t', 'pg_sleep'],
  ['SELECT x.pg_sleep FROM generate_series(4, 4) x', 'pg_sleep'],
  ['SELECT (x) . "pg_advisory_lock" FROM generate_series(1, 1) x', 'pg_advisory_lock'],
  ["SELECT x.ts_stat FROM unnest(ARRAY['SELECT 1']) x", 'ts_stat'],
  ["SELECT E'\\'', pg_sleep(4), '", 'not closed'],
  ["SELECT E'a'\n'\\'', pg_sleep(4) --'", 'cannot go on'],
  ["SELECT E'a' -- x\n '\\'', pg_sleep(4) --'", 'cannot go on'],
  ['SELECT $a$ $$ $a$, pg_sleep(4), $$', 'does not end'],
  ['SELECT a$a$, pg_sleep(4), $a$ FROM public.t', 'does not end'],
  ["SELECT '\\', pg_sleep(4), '\\'", 'pg_sleep'],
  ['SELECT 1 AS a, pg_notify(1) AS b', 'pg_notify'],
  ['SELECT query_to_xml($$SELECT 1$$, true, true, $$$$)', 'query_to_xml'],
  ['SELECT ts_stat($$SELECT 1$$)', 'ts_stat'],
  ['SELECT pg_ſleep(4)', 'pg_ſleep'],
  ['DELETE FROM public.t', 'Only one SELECT'],
  ['"select" 1', 'Only one SELECT'],
  ['', 'Only one SELECT'],
  ['SELECT 1 /* ', 'not closed'],
])('%s is refused by name', (sql, name) => {
  expect(() => refuseByNames(sql)).toThrow(name)
})

test('a plan is refused for the locks that a view takes, and for no column, text or word', () => {
  const lines = ['Result', `  Output: lower('pg_sleep(1)'::text), "pg_sleep", lo_total`]
  expect(() => refuseByPlan(lines)).not.toThrow()
  expect(() =>
    refuseByPlan([...lines, "  Filter: (pg_sleep('4'::double precision) IS NULL)"]),
  ).toThrow('pg_sleep, which a view calls')
})

test('a long query is taken apart in time that grows with its length', () => {
  const sql = `SELECT ${'"a'.repeat(2_500)}${'/*'.repeat(2_000)}`
  expect(() => refuseByNames(sql)).toThrow()
  const names = `SELECT ${Array.from({ length: 2_000 }, (_, i) => `a.b.c${i}`).join('.')}(1)`
  expect(() => refuseByNames(names)).toThrow('Not allowed')
})
