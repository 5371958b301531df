import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openTable } from '@/lib/toolset/data-sources/tables'
import { db } from '@/tests/support/fixture-db'
import { refusedFields } from '@/tests/support/refused-fields'
import { callData, openShopSite } from '@/tests/support/shop-source'

let site: Awaited<ReturnType<typeof openShopSite>>

beforeAll(async () => {
  site = await openShopSite('_deleted')
})
afterEach(async () => {
  await db().dataSource.deleteMany()
  await site.shop.ask('DROP TABLE IF EXISTS marked')
})
afterAll(() => site.shop.close())

const marked = { schema: 'public', name: 'marked', columns: ['id'] }
const idsOf = () => site.idsOf(site.member, { table: 'marked' })

/** Creates a table with a mark of deleted rows, and a row with each of the values. */
async function createMarked(definition: string, values: (string | null)[]) {
  await site.shop.ask(`CREATE TABLE marked (id integer PRIMARY KEY, ${definition})`)
  const name = definition.split(' ', 1)
  for (const [at, value] of values.entries()) {
    await site.shop.ask(`INSERT INTO marked (id, ${name}) VALUES ($1, $2)`, [at + 1, value])
  }
  await site.open({ name: 'lines', columns: ['order_id'] })
}

test.each([
  [`deleted char(1) DEFAULT 'N'`, ['N', 'n', 'Y', null], ['1', '2', '4']],
  ['is_deleted numeric DEFAULT 0', ['0', '0.0', '1'], ['1', '2']],
  ['deleted double precision DEFAULT 0', ['0', '1'], ['1']],
  [
    `deleted text DEFAULT 'false'`,
    ['false', 'FALSE', ' no ', '', 'true', 'whatever'],
    ['1', '2', '3', '4'],
  ],
  [
    `"deletedAt" timestamptz DEFAULT 'epoch'`,
    ['epoch', '0001-01-01', null, '2026-01-01'],
    ['1', '2', '3'],
  ],
  [`deleted_on date DEFAULT '1970-01-01'`, ['1970-01-01', '2026-01-01'], ['1']],
  ['deleted bit(1)', ['0', '1'], ['1']],
])(
  'the mark %s is known, and its opening counts what it hides',
  async (definition, values, shown) => {
    await createMarked(definition, values)
    const { hidden } = await openTable(site.admin, { id: 'shop', ...marked })
    expect(hidden).toEqual({ rows: values.length - shown.length, of: values.length })
    expect(await idsOf()).toEqual(shown)
  },
)

test.each([
  [`deleted_at date DEFAULT '9999-12-31'`, ['9999-12-31', '9999-12-31', '2026-01-01']],
  [`deleted text DEFAULT 'active'`, ['active', 'active', 'gone']],
])('a mark that hides every row is asked about: %s', async (definition, values) => {
  await createMarked(definition, values)
  const name = definition.split(' ', 1)[0] ?? ''
  const { deletedColumn } = await refusedFields(site.more(marked))
  expect(deletedColumn).toContain(`${name} would hide all of 3 rows`)
  expect((await site.more({ ...marked, deletedColumn: null })).hidden).toBeNull()
  expect(await idsOf()).toEqual(['1', '2', '3'])
  expect((await site.more({ ...marked, deletedColumn: name })).hidden).toEqual({ rows: 3, of: 3 })
  expect(await idsOf()).toEqual([])
})

test('an empty table opens with its mark, and a table without one hides nothing', async () => {
  await createMarked('deleted_at timestamptz', [])
  expect((await site.more(marked)).hidden).toEqual({ rows: 0, of: 0 })
  expect((await site.more({ name: 'lines', columns: ['order_id'] })).hidden).toBeNull()
})

test('a mark that cannot be counted is asked about', async () => {
  await site.shop.ask(`
    CREATE TABLE marked (id integer);
    INSERT INTO marked VALUES (1);
    CREATE VIEW broken_marked AS SELECT id, 1 / (id - 1) AS deleted FROM marked`)
  await site.open({ name: 'lines', columns: ['order_id'] })
  const { deletedColumn } = await refusedFields(site.more({ ...marked, name: 'broken_marked' }))
  expect(deletedColumn).toContain('could not be counted')
  await site.shop.ask('DROP VIEW broken_marked')
})

test('a search reads on behind rows that have the text in hidden parts alone', async () => {
  await createMarked('deleted boolean, note text', [])
  await site.shop.ask(`
    INSERT INTO marked SELECT n, false, 'password=zebra12zebra12' FROM generate_series(1, 3000) n;
    INSERT INTO marked VALUES (3001, false, 'a zebra')`)
  await site.more({ ...marked, columns: ['id', 'note'] })
  const { content } = await callData(site.member, 'search_records', {
    table: 'marked',
    text: 'zebra',
  })
  expect(Object(content).rows).toEqual([{ id: '3001', note: 'a zebra' }])
})

test('a search of a large table says where it stops, whether or not it came to that', async () => {
  await createMarked('deleted boolean, note text', [])
  await site.shop.ask(`
    INSERT INTO marked VALUES (-1, false, 'a zebra'), (0, false, 'a camel');
    INSERT INTO marked SELECT n, false, 'password=zebra12zebra12' FROM generate_series(1, 21000) n`)
  await site.more({ ...marked, columns: ['id', 'note'] })
  const search = (text: string) =>
    callData(site.member, 'search_records', { table: 'marked', text })
  const [stopped, whole] = [await search('zebra'), await search('camel')]
  expect(Object(stopped.content).rows).toEqual([{ id: '-1', note: 'a zebra' }])
  expect(Object(whole.content).rows).toEqual([{ id: '0', note: 'a camel' }])
  expect(stopped.leftOut).toEqual(whole.leftOut)
  expect(stopped.leftOut).toContainEqual({
    what: expect.stringContaining('rows behind the first 20,000 that have this text in hidden'),
    why: expect.any(String),
  })
})
