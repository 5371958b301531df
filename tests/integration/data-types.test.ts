import { createHmac } from 'node:crypto'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { OpenTable } from '@/lib/engines/tools/data/open-table'
import { readRows } from '@/lib/engines/tools/data/read-rows'
import { openTable } from '@/lib/toolset/data-sources/tables'
import { dataSourceVerbs } from '@/lib/toolset/data-sources/verbs'
import { db } from '@/tests/support/fixture-db'
import { createShop } from '@/tests/support/shop-database'
import { callData, openShopSite } from '@/tests/support/shop-source'

let site: Awaited<ReturnType<typeof openShopSite>>

beforeAll(async () => {
  site = await openShopSite('_types')
  await site.shop.ask(`
    CREATE EXTENSION citext SCHEMA public;
    CREATE TYPE size AS ENUM ('small', 'medium', 'large');
    CREATE DOMAIN cents AS numeric(12, 2);
    CREATE DOMAIN price AS cents;
    CREATE TABLE kinds (
      id integer PRIMARY KEY, at timestamptz, local timestamp, day date, tod time, span interval, ip inet, net cidr, mac macaddr,
      j jsonb, raw json, tags text[], mon money, amount price, ratio real, code char(5), mood size, mail citext, bits bit(3),
      spot point, pair int4range, label text);
    INSERT INTO kinds VALUES
      (1, '2026-01-01T10:00:00Z', '2026-01-01 10:00:00', '2026-01-01', '10:00', '90 minutes', '10.0.0.1', '10.0.0.0/8',
       '08:00:2b:01:02:03', '{"a": 1}', '{"a":1}', '{x}', 12.5, 12.5, 0.1, 'ab', 'medium', 'Ada@Example.org', '101', '(1,2)', '[1,5)', 'one'),
      (2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{"password": "hunter2hunter2"}', NULL, NULL, NULL, NULL, NULL, NULL, NULL,
       'AKIAIOSFODNN7EXAMPLE', NULL, NULL, NULL, 'two');
    CREATE TABLE times (at timestamptz PRIMARY KEY, label text);
    CREATE TABLE sizes (kind size PRIMARY KEY);
    CREATE TABLE codes (code char(4) PRIMARY KEY);
    CREATE TABLE badges (code citext PRIMARY KEY, label text);
    INSERT INTO badges VALUES ('AKIAIOSFODNN7EXAMPLE', 'old');
    CREATE TABLE mails (mail citext, part integer, PRIMARY KEY (mail, part));
    CREATE TABLE tokens (id integer PRIMARY KEY, code citext);
    INSERT INTO tokens SELECT n, 'AKIAIOSFODNN7EXAMPLE' FROM generate_series(1, 300) n;
    INSERT INTO tokens VALUES (301, 'akiaiosfodnn7example'), (302, 'akiaiosfodnn7example');
    INSERT INTO sizes VALUES ('large'), ('small'), ('medium');
    INSERT INTO codes VALUES ('b'), ('a'), ('a 1'), ('c');
    INSERT INTO mails VALUES ('b@x', 1), ('A@x', 2), ('a@x', 1), ('C@x', 1), ('a@y', 1);
    INSERT INTO times SELECT '2026-01-01T00:00:00Z'::timestamptz + n * interval '1 minute', 'row ' || n
      FROM generate_series(1, 200000) n;
    ANALYZE times`)
})
afterEach(() => db().dataSource.deleteMany())
afterAll(() => site.shop.close())

const kinds = {
  name: 'kinds',
  columns: [
    'id',
    'at',
    'local',
    'day',
    'tod',
    'span',
    'ip',
    'net',
    'mac',
    'j',
    'raw',
    'tags',
    'mon',
    'amount',
    'ratio',
    'code',
    'mood',
    'mail',
    'bits',
    'spot',
    'pair',
    'label',
  ],
}
const where = async (column: string, value: unknown) => {
  const { rows } = await site.read(site.member, { table: 'kinds', filters: [{ column, value }] })
  return rows.map(({ id }: { id: string }) => id)
}

test.each([
  ['at', '2026-01-01T10:00:00Z'],
  ['at', '2026-01-01 12:00:00+02'],
  ['at', '2026-01-01T10:00'],
  ['local', '2026-01-01T10:00:00'],
  ['local', '2026-01-01T12:00:00+02:00'],
  ['day', '2026-01-01'],
  ['tod', '10:00'],
  ['span', '1 hour 30 minutes'],
  ['span', 'PT90M'],
  ['ip', '10.0.0.1'],
  ['net', '10.0.0.0/8'],
  ['mac', '0800.2b01.0203'],
  ['j', '{"a":1.0}'],
  ['mon', 12.5],
  ['amount', '12.500'],
  ['ratio', 0.1],
  ['code', 'ab'],
  ['mood', 'medium'],
  ['mail', 'ADA@example.org'],
  ['bits', '101'],
  ['pair', '[1,4]'],
])('the column %s has the value %s in its own type', async (column, value) => {
  await site.open(kinds)
  expect(await where(column, value)).toEqual(['1'])
})

test('a value matches as the row shows it, whatever its type is', async () => {
  await site.open(kinds)
  const { rows } = await site.read(site.member, {
    table: 'kinds',
    filters: [{ column: 'id', value: 1 }],
  })
  const shown = Object.entries<string>(rows[0]).filter(
    ([name]) => !['raw', 'tags', 'spot'].includes(name),
  )
  for (const [column, value] of shown)
    expect([column, await where(column, value)]).toEqual([column, ['1']])
})

test.each([
  ...[
    'nonsense',
    'now',
    'today',
    'tomorrow',
    'infinity',
    '-infinity',
    'epoch',
    '2026-01-01',
    '2026-02-30T10:00Z',
    '2026-01-01T25:00Z',
  ].map((value) => ['at', value, 'timestamp with time zone']),
  ['local', 'now', 'timestamp without time zone'],
  ['day', '2026-02-30', 'date'],
  ['day', 'today', 'date'],
  ['tod', 'now', 'time without time zone'],
  ['tod', '24:30', 'time without time zone'],
  ['span', 'infinity', 'interval'],
  ['span', '1 foo', 'interval'],
  ['ip', '10.0.0', 'inet'],
  ['ip', '10.0.0.1/99', 'inet'],
  ['net', '10.0.0.1/8', 'cidr'],
  ['mac', 'nonsense', 'macaddr'],
  ['j', '{"a"', 'jsonb'],
  ['mon', 'much', 'money'],
  ['amount', 'much', 'price'],
  ['ratio', '1e99', 'real'],
  ['mood', 'huge', 'small, medium, large'],
  ['bits', '102', 'bit(3)'],
  ['pair', '[now,5)', 'int4range'],
])('%s = %s is refused with the name of its type', async (column, value, words) => {
  await site.open(kinds)
  const conditions = where(String(column), value)
  await expect(conditions).rejects.toMatchObject({ code: 'wrong-value' })
  await expect(conditions).rejects.toThrow(`The value for ${column} does not fit`)
  await expect(conditions).rejects.toThrow(String(words))
})

test.each([
  ['raw', '{"a":1}', 'json'],
  ['tags', '{x}', 'text[]'],
  ['spot', '(1,2)', 'point'],
])('%s cannot be compared, and is refused by its name and type', async (column, value, type) => {
  await site.open(kinds)
  const conditions = where(column, value)
  await expect(conditions).rejects.toMatchObject({ code: 'not-comparable' })
  await expect(conditions).rejects.toThrow(`${column} is of type ${type}`)
  expect(await where(column, null)).toEqual(['2'])
})

test('a hidden value is not found by another spelling that is equal in its type', async () => {
  await site.open(kinds)
  expect(await where('mail', 'akiaiosfodnn7example')).toEqual([])
  await site.more({ name: 'badges', columns: ['code', 'label'], updateColumns: ['label'] })
  const input = { table: 'badges', key: { code: 'akiaiosfodnn7example' } }
  const change = { ...input, set: { label: 'new' }, was: { label: 'old' } }
  const missing = { message: 'Row not found or not permitted.' }
  await expect(callData(site.admin, 'update_record', change)).rejects.toMatchObject(missing)
  const search = { table: 'badges', text: 'akiaiosfodnn7example' }
  expect(Object((await callData(site.admin, 'search_records', search)).content).rows).toEqual([])
})

test('rows behind those with a hidden value are read, and said to be there', async () => {
  await site.open({ name: 'tokens', columns: ['id', 'code'] })
  const filters = [{ column: 'code', value: 'akiaiosfodnn7example' }]
  const first = await site.read(site.member, { table: 'tokens', limit: 1, filters })
  expect(first.rows).toMatchObject([{ id: '301' }])
  const after = first.next
  const { rows, next } = await site.read(site.member, { table: 'tokens', limit: 1, filters, after })
  expect({ rows, next: next ?? null }).toMatchObject({ rows: [{ id: '302' }], next: null })
})

test('an answer names the types in which it compared and ordered', async () => {
  await site.open(kinds)
  const { ordered, compared } = await site.read(site.member, {
    table: 'kinds',
    limit: 1,
    filters: [{ column: 'local', value: '2026-01-01T10:00' }],
  })
  expect(ordered).toEqual({ id: 'integer' })
  expect(compared).toEqual({ local: 'timestamp without time zone, in UTC' })
})

test.each([
  ['sizes', ['kind'], ['small', 'medium', 'large']],
  ['codes', ['code'], ['a', 'a 1', 'b', 'c']],
  ['mails', ['mail', 'part'], ['a@x', 'A@x', 'a@y', 'b@x', 'C@x']],
])('rows of %s come in the order of the type, page by page', async (name, columns, expected) => {
  await site.open({ name, columns })
  const all: string[] = []
  let after: string | undefined
  do {
    const page = await site.read(site.member, { table: name, limit: 2, ...(after && { after }) })
    all.push(...page.rows.map((row: Record<string, string>) => row[columns[0] ?? '']))
    after = page.next
  } while (after)
  expect(all).toEqual(expected)
})

test('a key of time pages through its index, and so does a filter by it', async () => {
  const client = new pg.Client({ connectionString: site.shop.address.replace(/\?.*/, '') })
  await client.connect()
  const plans: string[] = []
  const ask = async (text: string, values: readonly unknown[] = []) => {
    const input = { values: [...values], rowMode: 'array' as const }
    if (text.includes('"times"')) {
      const { rows } = await client.query({ ...input, text: `EXPLAIN ${text}` })
      plans.push(rows.join('\n'))
    }
    return (await client.query({ ...input, text })).rows
  }
  const opened: OpenTable = {
    schema: 'public',
    name: 'times',
    columns: ['at', 'label'],
    key: ['at'],
    deletedColumn: null,
    insertColumns: [],
    updateColumns: [],
    owner: null,
  }
  const sign = (words: string) => createHmac('sha256', 'key').update(words).digest()
  const query = { filters: [], columns: null, limit: 20, after: null, sign }
  try {
    await client.query(`SET search_path = ''; SET TimeZone = 'UTC'`)
    const first = await readRows(ask, opened, query)
    const second = await readRows(ask, opened, { ...query, after: first.next })
    expect(second.rows[0]?.[1]).toBe('row 21')
    const filter = { column: 'at', value: '2026-01-01T01:00Z' }
    const third = await readRows(ask, opened, { ...query, filters: [filter] })
    expect(third.rows).toEqual([['2026-01-01 01:00:00+00', 'row 60']])
  } finally {
    await client.end()
  }
  expect(plans).toHaveLength(3)
  for (const plan of plans) {
    expect(plan).toContain('Index Scan using times_pkey')
    expect(plan).not.toMatch(/Seq Scan|Sort/)
  }
})

test('a place of another order of the rows is refused', async () => {
  await site.open({ name: 'codes', columns: ['code'] })
  const { next } = await site.read(site.member, { table: 'codes', limit: 1 })
  await site.shop.ask('ALTER TABLE codes ALTER code TYPE varchar(4)')
  const request = site.read(site.member, { table: 'codes', after: next })
  await expect(request).rejects.toMatchObject({ code: 'wrong-cursor' })
  await site.shop.ask('ALTER TABLE codes ALTER code TYPE char(4)')
})

test('a search is in any letter case, also where the database knows none beyond ASCII', async () => {
  const plain = await createShop('_plain', { locale: 'C' })
  try {
    await plain.ask(`CREATE TABLE words (id integer PRIMARY KEY, word text)`)
    await plain.ask(
      `INSERT INTO words VALUES (1, 'Größe ÄÖÜ'), (2, 'ПРИВЕТ, мир'), (3, 'ΟΔΟΣ οδός'), (4, 'a.b|c(d)*[e]^$\\')`,
    )
    await dataSourceVerbs.create(site.admin, {
      name: 'plain',
      kind: 'postgresql',
      address: plain.address,
      privateAddressAllowed: true,
    })
    await openTable(site.admin, {
      id: 'plain',
      schema: 'public',
      name: 'words',
      columns: ['id', 'word'],
    })
    const find = async (text: string) => {
      const { content } = await callData(site.admin, 'search_records', { table: 'words', text })
      return Object(content).rows.map(({ id }: { id: string }) => id)
    }
    expect(await find('größe äöü')).toEqual(['1'])
    expect(await find('привет, МИР')).toEqual(['2'])
    expect(await find('οδοσ')).toEqual(['3'])
    expect(await find('A.B|C(D)*[E]^$\\')).toEqual(['4'])
    expect(await find('a.c')).toEqual([])
  } finally {
    await db().dataSource.deleteMany()
    await plain.close()
  }
})
