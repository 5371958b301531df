import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { queryRoleOf } from '@/lib/engines/tools/data/query-role'
import { allowQueries, refuseQueries } from '@/lib/toolset/data-sources/queries'
import { closeTable, listSourceTables, openTable } from '@/lib/toolset/data-sources/tables'
import { dataSourceVerbs } from '@/lib/toolset/data-sources/verbs'
import { db } from '@/tests/support/fixture-db'
import { callData, openShopSite } from '@/tests/support/shop-source'

let site: Awaited<ReturnType<typeof openShopSite>>
let id: string
let role: string

beforeAll(async () => {
  site = await openShopSite('_queries')
  await site.shop.ask(`INSERT INTO secret.keys VALUES (1, 'denied-key')`)
  await site.shop.ask(`UPDATE orders SET api_token = 'denied-token', note = 'denied-note'`)
})
beforeEach(async () => {
  id = await site.open({ name: 'lines', columns: ['order_id', 'product'] })
  await site.more({ name: 'open_orders', columns: ['id'] })
  await site.more({ columns: ['id', 'status'] })
  role = queryRoleOf(id)
  await allowQueries(site.admin, { id })
})
afterEach(async () => {
  for (const source of await db().dataSource.findMany()) {
    if (source.querySecretId) await refuseQueries(site.admin, { id: source.id })
  }
  await db().dataSource.deleteMany()
})
afterAll(() => site.shop.close())

const query = async (sql: string, who = site.admin) =>
  Object((await callData(who, 'run_query', { sql })).content)

test('reads the opened columns, in a transaction that sees nothing else', async () => {
  const sql = 'SELECT l.product, count(*) FROM public.lines l GROUP BY 1 ORDER BY 1 LIMIT 2'
  expect(await query(sql)).toEqual({
    source: 'shop',
    columns: ['product', 'count'],
    rows: [
      ['Product 11', '1'],
      ['Product 12', '1'],
    ],
  })
  expect((await query('SELECT id FROM public.open_orders ORDER BY id;')).rows).toEqual([
    ['1'],
    ['2'],
    ['4'],
  ])
  expect(await query(`SELECT 'password=hunter2hunter2' AS a, NULL`)).toMatchObject({
    rows: [['password=[redacted]', null]],
  })
  const { content } = await callData(site.admin, 'get_schema', { table: 'orders' })
  expect(Object(content).tables[0].queries).toContain('not with run_query')
})

test.each([
  'SELECT * FROM public.orders',
  'SELECT id FROM public.orders',
  'SELECT line FROM public.lines',
  'SELECT lines FROM public.lines',
  'SELECT to_jsonb(l) FROM public.lines l',
  'SELECT * FROM public.lines',
  'SELECT ctid FROM public.lines',
  'SELECT customer FROM public.open_orders',
  'SELECT value FROM secret.keys',
  'TABLE secret.keys',
  'RESET ROLE',
  'SET ROLE postgres',
  'SET SESSION AUTHORIZATION DEFAULT',
  'RESET SESSION AUTHORIZATION',
  `SELECT set_config('role', 'postgres', false)`,
  `SELECT "set_config"('role', 'postgres', false), query_to_xml('SELECT * FROM secret.keys', true, true, '')`,
  `SELECT pg_catalog.query_to_xml('RESET ROLE', true, true, '')`,
  `SELECT pg_catalog.query_to_xml('SET SESSION AUTHORIZATION DEFAULT', true, true, '')`,
  `SELECT query_to_xml('SELECT note FROM public.orders', true, true, '')`,
  `SELECT table_to_xml('secret.keys', true, true, '')`,
  `SELECT database_to_xml(true, true, '')`,
  'SELECT 1; SELECT value FROM secret.keys',
  'SELECT 1; COMMIT; UPDATE public.orders SET status = $$x$$',
  '/* SELECT */ DELETE FROM public.orders',
  '-- x\nUPDATE public.lines SET product = $$x$$',
  'WITH gone AS (DELETE FROM public.lines RETURNING product) SELECT * FROM gone',
  'WITH new AS (INSERT INTO public.lines VALUES (9, 9, $$x$$) RETURNING product) SELECT * FROM new',
  'SELECT product INTO public.copy FROM public.lines',
  'CREATE TEMP TABLE t AS SELECT 1',
  'SELECT order_id FROM public.lines FOR UPDATE',
  `SELECT pg_read_file('/etc/passwd')`,
  `SELECT pg_read_binary_file('PG_VERSION')`,
  `SELECT pg_ls_dir('.')`,
  `SELECT lo_import('/etc/passwd')`,
  `SELECT "lo_from_bytea"(0, 'x')`,
  `COPY public.lines TO PROGRAM 'id'`,
  `COPY (SELECT 1) TO '/tmp/x'`,
  'DECLARE c CURSOR WITH HOLD FOR SELECT 1',
  'FETCH ALL FROM toolgate_rows',
  'SELECT rolpassword FROM pg_catalog.pg_authid',
  'SELECT passwd FROM pg_catalog.pg_shadow',
  'SELECT most_common_vals FROM pg_catalog.pg_statistic',
  `SELECT most_common_vals FROM pg_catalog.pg_stats WHERE schemaname = 'secret'`,
  `SELECT column_name FROM information_schema.columns WHERE table_schema = 'secret'`,
  'DO $$ BEGIN PERFORM 1; END $$',
  'CALL x()',
  'LISTEN x',
  `SELECT pg_notify('a', 'b')`,
  'EXPLAIN ANALYZE SELECT 1',
  'PREPARE p AS SELECT 1',
  `SELECT "nextval"('public.goods_id_seq')`,
  `SELECT dblink('host=localhost', 'SELECT 1')`,
  'SELECT pg_advis\u006fry_lock(1)',
  `SELECT pg_catalog.lo_get(1)`,
  'SELECT pg_reload_conf()',
  'SELECT v.a FROM generate_series(9::bigint, 9) x, LATERAL (VALUES (x.pg_try_advisory_lock), (true)) v(a)',
  `SELECT x.ts_stat FROM unnest(ARRAY['SELECT to_tsvector(pg_try_advisory_lock(9)::text)']) x`,
])('%s: nothing that is denied comes out, and nothing is written', async (sql) => {
  const before = await state()
  const said = await query(sql).then(
    (result) => {
      expect(sql).toMatch(/_to_xml|information_schema|pg_stats/)
      expect(JSON.stringify(result)).not.toMatch(/denied-/)
      return ''
    },
    ({ name, message }) => `${name} ${message}`,
  )
  expect(said).toMatch(/^$|^ToolError [A-Z][^\n]*\.$/)
  expect(said).not.toMatch(/denied-|postgres|relation|permission denied/)
  expect(await state()).toEqual(before)
})

async function state() {
  const { rows } = await site.shop.ask(
    `SELECT (SELECT md5(string_agg(o::text, ',' ORDER BY id)) FROM orders o), (SELECT count(*) FROM lines), (SELECT last_value FROM goods_id_seq),
      (SELECT count(*) FROM pg_class), (SELECT count(*) FROM pg_largeobject_metadata), (SELECT count(*) FROM pg_roles WHERE rolsuper)`,
  )
  return rows
}

test('a statement that burns or answers without end is cut', async () => {
  const endless = { sql: 'SELECT generate_series(1, 1000000000)' }
  const { leftOut } = await callData(site.admin, 'run_query', endless)
  expect(leftOut).toEqual([
    { what: 'rows after the first 200', why: expect.stringContaining('are the limit') },
  ])
  expect(
    (await query(`SELECT repeat('word ', 100), generate_series(1, 200)`)).rows[0][0],
  ).toHaveLength(307)
  const burning = 'SELECT count(*) FROM (SELECT generate_series(1, 100000000000)) s'
  await expect(query(burning)).rejects.toMatchObject({ code: 'sql-57' })
  const large = query('SELECT count(*) FROM generate_series(1, 100000000000)')
  await expect(large).rejects.toMatchObject({ code: expect.stringMatching(/^sql-5[37]$/) })
  await expect(query(`SELECT repeat('a', 50000000)`)).rejects.toMatchObject({ code: 'too-much' })
})

test('an error says its place in the query, and nothing of what the database says', async () => {
  const wrong = query('SELECT none FROM public.lines')
  await expect(wrong).rejects.toMatchObject({
    code: 'sql-42',
    message: expect.stringMatching(/Look at character 8\.$/),
  })
  await expect(query(`SELECT 'denied-text'::integer`)).rejects.toThrow(
    /^A value in the query does not fit/,
  )
})

test.each([
  [
    'CREATE FUNCTION public.leak() RETURNS text LANGUAGE sql SECURITY DEFINER AS $$ SELECT value FROM secret.keys $$',
    'DROP FUNCTION public.leak()',
    'public.leak',
  ],
  ['GRANT pg_read_all_data TO ROLE', 'REVOKE pg_read_all_data FROM ROLE', 'member of another role'],
  ['ALTER ROLE ROLE CREATEROLE', 'ALTER ROLE ROLE NOCREATEROLE', 'more rights'],
  ['ALTER ROLE ROLE SUPERUSER', 'ALTER ROLE ROLE NOSUPERUSER', 'more rights'],
  [
    'GRANT USAGE ON SCHEMA secret TO PUBLIC; GRANT SELECT ON secret.keys TO PUBLIC',
    'REVOKE ALL ON SCHEMA secret FROM PUBLIC; REVOKE ALL ON secret.keys FROM PUBLIC',
    '"secret"."keys"',
  ],
  [
    `SELECT lo_from_bytea(4242, 'denied'); GRANT SELECT ON LARGE OBJECT 4242 TO PUBLIC`,
    'SELECT lo_unlink(4242)',
    'large objects',
  ],
])('after %s nothing runs', async (open, close, words) => {
  await site.shop.ask(
    open.replaceAll('ROLE ROLE', `ROLE ${role}`).replace(/(TO|FROM) ROLE$/, `$1 ${role}`),
  )
  const refused = expect(query('SELECT 1')).rejects.toMatchObject({
    code: 'unsafe',
    message: expect.stringContaining(words),
  })
  await refused.finally(() =>
    site.shop.ask(
      close.replaceAll('ROLE ROLE', `ROLE ${role}`).replace(/(TO|FROM) ROLE$/, `$1 ${role}`),
    ),
  )
  expect(await query('SELECT 1')).toMatchObject({ rows: [['1']] })
})

test.each([
  'SELECT pg_advisory_lock(7240101)',
  'SELECT pg_advisory_lock/**/(7240101)',
  'SELECT "pg_advisory_lock"(7240101)',
  'SELECT U&"pg!005fadvisory!005flock" UESCAPE \'!\' (7240101)',
  'SELECT pg_catalog.pg_advisory_lock(7240101)',
  'WITH held AS (SELECT pg_advisory_lock(7240101)) SELECT * FROM held',
  "SELECT 'a' OPERATOR(pg_catalog.||) pg_advisory_lock(7240101)::text",
  `SELECT E'a'\n'\\'', pg_advisory_lock(7240101) --'`,
  'SELECT held FROM public.locking',
  'SELECT l.product FROM public.lines l JOIN public.deeper d ON true',
])('%s holds no lock', async (sql) => {
  await site.shop.ask(
    'CREATE VIEW locking AS SELECT pg_advisory_lock(7240101)::text AS held; CREATE VIEW deeper AS SELECT held || held AS held FROM locking',
  )
  await site.more({ name: 'locking', columns: ['held'] })
  await site.more({ name: 'deeper', columns: ['held'] })
  const refused = expect(query(sql)).rejects.toMatchObject({
    code: expect.stringMatching(/^not-(?:allowed|a-query)$/),
  })
  await refused.finally(() => site.shop.ask('DROP VIEW locking CASCADE'))
})

test('grants follow what is open, at the change and at use', async () => {
  await site.more({ name: 'lines', columns: ['order_id'] })
  await expect(query('SELECT product FROM public.lines')).rejects.toMatchObject({ code: 'sql-42' })
  await site.shop.ask(`GRANT SELECT ON orders TO ${role}`)
  await expect(query('SELECT note FROM public.orders')).rejects.toMatchObject({
    code: 'deleted-rows',
    message: expect.stringContaining('the deleted rows would show'),
  })
  await expect(query('SELECT o.orders FROM public.lines o')).rejects.toMatchObject({
    code: 'sql-42',
  })
  await site.shop.ask(`REVOKE ALL ON lines FROM ${role}`)
  expect((await query('SELECT order_id FROM public.lines')).rows).toHaveLength(6)
  const { tables } = await dataSourceVerbs.read(site.admin, { id })
  await closeTable(site.admin, {
    id,
    tableId: tables.find(({ name }) => name === 'lines')?.id ?? '',
  })
  await expect(query('SELECT order_id FROM public.lines')).rejects.toMatchObject({ code: 'sql-42' })
})

test('it is for admins, and for sources that allow it; what was made is audited and taken back', async () => {
  await expect(allowQueries(site.admin, { id })).rejects.toMatchObject({ status: 409 })
  await expect(allowQueries(site.member, { id })).rejects.toMatchObject({ status: 403 })
  await expect(query('SELECT 1', site.member)).rejects.toMatchObject({ code: 'not-found' })
  await expect(dataSourceVerbs.remove(site.admin, { id })).rejects.toMatchObject({ status: 409 })
  expect(await refuseQueries(site.admin, { id })).toEqual({ trouble: null })
  await expect(query('SELECT 1')).rejects.toMatchObject({ code: 'not-found' })
  const { rows } = await site.shop.ask('SELECT FROM pg_roles WHERE rolname = $1', [role])
  expect(rows).toEqual([])
  const actions = await db().auditEntry.findMany({
    where: { objectId: id, action: { contains: 'queries' } },
  })
  expect(actions.map(({ action }) => action).sort()).toEqual([
    'data-source.allow-queries',
    'data-source.refuse-queries',
  ])
})

test('a user who may not create roles cannot allow queries, and the page says why', async () => {
  const poor = `poor_${process.pid}`
  await site.shop.ask(`CREATE ROLE ${poor} LOGIN PASSWORD 'poor'; GRANT SELECT ON lines TO ${poor}`)
  const address = new URL(site.shop.address)
  address.username = poor
  address.password = 'poor'
  const other = await dataSourceVerbs.create(site.admin, {
    name: 'poor',
    kind: 'postgresql',
    address: address.href,
    privateAddressAllowed: true,
  })
  expect((await listSourceTables(site.admin, { id: 'poor' })).queries).toContain('CREATEROLE')
  await expect(allowQueries(site.admin, { id: other.id })).rejects.toThrow('CREATEROLE')
  await site.shop.ask(`DROP OWNED BY ${poor}; DROP ROLE ${poor}`)
})

test("the console's own database can be asked, without what is denied", async () => {
  await refuseQueries(site.admin, { id })
  const own = await dataSourceVerbs.create(site.admin, { name: 'console', kind: 'console' })
  await openTable(site.admin, {
    id: own.id,
    schema: 'public',
    name: 'groups',
    columns: ['id', 'name'],
  })
  await openTable(site.admin, {
    id: own.id,
    schema: 'public',
    name: 'users',
    columns: ['id', 'email'],
  })
  await allowQueries(site.admin, { id: own.id })
  expect((await query('SELECT name FROM public.groups')).rows).toEqual([['Support']])
  // Its locks are those of the console.
  const lock = 'FUNCTION pg_catalog.pg_advisory_lock(bigint)'
  await db().$executeRawUnsafe(`GRANT EXECUTE ON ${lock} TO PUBLIC`)
  const unsafe = expect(query('SELECT name FROM public.groups')).rejects.toMatchObject({
    code: 'unsafe',
    message: expect.stringContaining('pg_advisory_lock'),
  })
  await unsafe.finally(() => db().$executeRawUnsafe(`REVOKE EXECUTE ON ${lock} FROM PUBLIC`))
  for (const sql of [
    'SELECT limits FROM public.groups',
    'SELECT email FROM public.users',
    'SELECT "passwordHash" FROM public.users',
    'SELECT id FROM public.vault_secrets',
  ]) {
    const code = sql.includes('public.users') ? 'deleted-rows' : 'sql-42'
    await expect(query(sql), sql).rejects.toMatchObject({ code })
  }
})
