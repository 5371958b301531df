import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { db } from '@/tests/support/fixture-db'
import { callData, openShopSite, orderColumns } from '@/tests/support/shop-source'

let site: Awaited<ReturnType<typeof openShopSite>>

beforeAll(async () => {
  site = await openShopSite('_records')
})
afterEach(() => db().dataSource.deleteMany())
afterAll(() => site.shop.close())

test('only what is open is described and site.read, in the order of the key', async () => {
  await site.open()
  expect((await callData(site.member, 'get_schema', {})).content).toEqual({
    tables: [
      {
        source: 'shop',
        table: 'public.orders',
        key: ['id'],
        columns: [
          { name: 'id', type: 'integer' },
          { name: 'customer', type: 'text' },
          { name: 'status', type: 'text' },
          { name: 'total', type: 'numeric(10,2)' },
          { name: 'paid', type: 'boolean' },
          { name: 'note', type: 'text' },
        ],
      },
    ],
  })
  const { content, leftOut } = await callData(site.member, 'read_records', { table: 'orders' })
  const { rows } = Object(content)
  expect(rows[0]).toEqual({
    id: '1',
    customer: 'ada@example.org',
    status: 'open',
    total: '10.50',
    paid: 'true',
    note: '100% blue_shoes',
  })
  expect(leftOut).toEqual([
    { what: 'parts of 1 value', why: 'they look like secrets' },
    { what: 'rows that are marked as deleted', why: 'they are never read' },
  ])
  const closed = site.read(site.member, { columns: ['owner'] })
  await expect(closed).rejects.toMatchObject({ code: 'unknown-column' })
  await expect(
    site.read(site.member, { filters: [{ column: 'owner', value: 'x' }] }),
  ).rejects.toMatchObject({ code: 'column-hidden' })
})

test('a new column of the table stays closed, and a dropped one is left out', async () => {
  await site.open({ name: 'gone', columns: ['id', 'name'], deletedColumn: null })
  await site.shop.ask('ALTER TABLE gone ADD added text')
  const rows = async () =>
    Object((await callData(site.admin, 'read_records', { table: 'gone' })).content).rows
  expect(Object.keys((await rows())[0])).toEqual(['id', 'name'])
  await site.shop.ask('ALTER TABLE gone DROP added')
  await site.shop.ask('ALTER TABLE gone RENAME name TO title')
  expect(Object.keys((await rows())[0])).toEqual(['id'])
  await site.shop.ask('ALTER TABLE gone RENAME title TO name')
})

test('deleted rows never surface, and without the column that marks them nothing is read', async () => {
  await site.open()
  expect(await site.idsOf(site.admin)).toEqual(['1', '2', '3'])
  expect(await site.idsOf(site.admin, { filters: [{ column: 'id', value: 4 }] })).toEqual([])
  expect(
    Object(
      (await callData(site.admin, 'search_records', { table: 'orders', text: 'deleted' })).content,
    ).rows,
  ).toEqual([])
  await site.more({ name: 'gone', columns: ['id'] })
  expect(
    Object((await callData(site.admin, 'read_records', { table: 'gone' })).content).rows,
  ).toEqual([{ id: '1' }])
  await site.shop.ask('ALTER TABLE gone RENAME is_deleted TO hidden')
  const without = callData(site.admin, 'read_records', { table: 'gone' })
  await expect(without).rejects.toMatchObject({ code: 'changed' })
  const schema = await callData(site.admin, 'get_schema', {})
  expect(Object(schema.content).tables).toContainEqual({ source: 'shop', table: 'public.gone' })
  expect(schema.leftOut).toEqual([
    {
      what: 'the columns of 1 table without "columns"',
      why: expect.stringMatching(/changed|no longer/),
    },
  ])
  await site.shop.ask('ALTER TABLE gone RENAME hidden TO is_deleted')
})

test.each([
  [{ column: 'id', value: '1 OR 1=1' }, 'wrong-value'],
  [{ column: 'id', value: "1'; DROP TABLE orders; --" }, 'wrong-value'],
  [{ column: 'id', value: '99999999999' }, 'wrong-value'],
  [{ column: 'paid', value: 'maybe' }, 'wrong-value'],
  [{ column: 'total', value: 'NaN' }, 'wrong-value'],
  [{ column: 'status', value: 'a\0b' }, 'wrong-value'],
  [{ column: 'id"; --', value: '1' }, 'column-hidden'],
  [{ column: 'constructor', value: '1' }, 'column-hidden'],
])('the filter %j is refused as %s', async (filter, code) => {
  await site.open()
  await expect(site.read(site.admin, { filters: [filter] })).rejects.toMatchObject({ code })
})

test('a filter matches exactly what is shown, and emptiness', async () => {
  await site.open()
  const where = (column: string, value: unknown) =>
    site.idsOf(site.admin, { filters: [{ column, value }] })
  expect(await where('status', 'open')).toEqual(['1', '2'])
  expect(await where('status', "open' OR '1'='1")).toEqual([])
  expect(await where('total', '10.5')).toEqual(['1'])
  expect(await where('total', -3)).toEqual(['3'])
  expect(await where('paid', true)).toEqual(['1'])
  expect(await where('paid', null)).toEqual(['3'])
  const both = [
    { column: 'status', value: 'open' },
    { column: 'paid', value: false },
  ]
  expect(await site.idsOf(site.admin, { filters: both })).toEqual(['2'])
})

test('one goes on after the last row, also by a key of several columns', async () => {
  await site.open()
  await site.more({ name: 'lines', columns: ['order_id', 'line', 'product'] })
  const all: string[] = []
  let next: string | undefined
  do {
    const args = { table: 'lines', limit: 4, ...(next && { after: next }) }
    const { rows, ...place } = Object((await callData(site.admin, 'read_records', args)).content)
    all.push(...rows.map(({ product }: { product: string }) => product))
    next = place.next
  } while (next)
  expect(all).toEqual([11, 12, 21, 22, 31, 32].map((each) => `Product ${each}`))
  await site.more({ name: 'lines', columns: ['product'] })
  const hidden = await callData(site.admin, 'read_records', { table: 'lines', limit: 2 })
  expect(hidden.content).not.toHaveProperty('next')
  expect(hidden.leftOut).toEqual([
    { what: 'rows after the first 2', why: expect.stringContaining('use filters') },
  ])
  const request = callData(site.admin, 'read_records', { table: 'lines', after: 'next' })
  await expect(request).rejects.toMatchObject({ code: 'no-key' })
})

test('rows of others are left out for members, and the answer says so', async () => {
  await site.open({ ownerColumn: 'owner', ownerHolds: 'userId', deletedColumn: null })
  const { content, leftOut } = await callData(site.member, 'read_records', { table: 'orders' })
  expect(Object(content).rows).toHaveLength(3)
  const others = { what: 'rows of other people', why: 'only your own are open to you' }
  expect(leftOut).toContainEqual(others)
  const ofAdmin = await callData(site.admin, 'read_records', { table: 'orders', columns: ['id'] })
  expect(ofAdmin.leftOut).toEqual([])
})

test('bytes are left out by their number, and a search says when it reads the beginning of a value alone', async () => {
  await site.open({ name: 'orders', columns: ['id', 'picture', 'note'], deletedColumn: null })
  const read = { table: 'orders', filters: [{ column: 'id', value: 1 }] }
  expect((await callData(site.admin, 'read_records', read)).leftOut).toEqual([
    { what: 'the bytes of 1 value', why: 'only their number is shown' },
  ])
  const search = { table: 'orders', text: 'blue_shoes' }
  const beginning = expect.objectContaining({ why: 'only the beginning of a value is searched' })
  const before = await callData(site.admin, 'search_records', search)
  expect(before.leftOut).not.toContainEqual(beginning)
  await site.shop.ask(`UPDATE orders SET note = repeat('ö ', 5001) WHERE id = 4`)
  expect((await callData(site.admin, 'search_records', search)).leftOut).toContainEqual(beginning)
  await site.shop.ask(`UPDATE orders SET note = 'deleted' WHERE id = 4`)
})

test('names of every kind are names, never parts of a statement', async () => {
  await site.open({ name: 'odd "name', columns: ['a " column', 'select'] })
  const { rows } = await site.read(site.admin, {
    table: 'odd "name',
    filters: [{ column: 'a " column', value: 'value' }],
  })
  expect(rows).toEqual([{ 'a " column': 'value', select: '7' }])
})

test('a search finds text as it is written, and the whole key, but nothing that is hidden', async () => {
  await site.open({ columns: [...orderColumns, 'picture'] })
  const find = async (text: string) => {
    const { content } = await callData(site.admin, 'search_records', { table: 'orders', text })
    return Object(content).rows.map(({ id }: { id: string }) => id)
  }
  expect(await find('BLUE')).toEqual(['1', '2'])
  expect(await find('0% blue_')).toEqual(['1'])
  expect(await find('hunter2')).toEqual([])
  expect(await find('password=')).toEqual(['3'])
  const { rows } = await site.read(site.admin, { filters: [{ column: 'id', value: 3 }] })
  expect(rows[0].note).toBe('password=[redacted]')
  const { rows: first } = await site.read(site.admin, { filters: [{ column: 'id', value: 1 }] })
  expect(first[0].picture).toBe('[2 bytes]')
})

test('long values are cut and say so, and people get the same as a table', async () => {
  await site.open({ name: 'gone', columns: ['id', 'name'] })
  await site.shop.ask('UPDATE gone SET name = $1 WHERE id = 1', [`${'word '.repeat(200)}needle`])
  const read = await callData(site.admin, 'read_records', { table: 'gone' })
  const { content, artifacts, leftOut } = read
  const [{ name }] = Object(content).rows
  expect(name).toHaveLength(307)
  expect(artifacts).toEqual([
    { type: 'table', title: 'public.gone of shop', columns: ['id', 'name'], rows: [['1', name]] },
  ])
  const cut = { what: 'all but 300 characters of 1 value', why: 'the limit of a value' }
  expect(leftOut).toContainEqual(cut)
  const found = await callData(site.admin, 'search_records', { table: 'gone', text: 'needle' })
  expect(found.leftOut).toContainEqual(cut)
  expect(Object(found.content).rows[0].name).toMatch(/^\[cut\] ….*needle$/)
})
