import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { groupVerbs } from '@/lib/domains/groups/verbs'
import type { Ctx } from '@/lib/kernel/context'
import { applySite } from '@/lib/site-file/apply-site'
import { exportSite } from '@/lib/site-file/export-site'
import { parseSiteFile } from '@/lib/site-file/parse-site-file'
import { planSite } from '@/lib/site-file/plan-site'
import { openTable } from '@/lib/toolset/data-sources/tables'
import { dataSourceVerbs } from '@/lib/toolset/data-sources/verbs'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'
import { createShop } from '@/tests/support/shop-database'

let admin: Ctx
let shop: Awaited<ReturnType<typeof createShop>>

beforeAll(async () => {
  admin = await addPerson('admin')
  shop = await createShop('_site_file')
})
afterEach(async () => {
  await db().dataSource.deleteMany()
  await db().group.deleteMany()
})
afterAll(() => shop.close())

const addShop = () =>
  dataSourceVerbs.create(admin, {
    name: 'shop',
    kind: 'postgresql',
    address: shop.address,
    privateAddressAllowed: true,
  })
const file = (...dataSources: object[]) => parseSiteFile(stringify({ toolgate: 2, dataSources }))
const plan = (...dataSources: object[]) => planSite(admin, file(...dataSources))
const apply = (...dataSources: object[]) =>
  applySite(admin, file(...dataSources), { reason: 'a release' })
const tablesOf = async (id: string) => (await dataSourceVerbs.read(admin, { id })).tables
const unchanged = { steps: [], problems: [], notices: [] }
const lines = { schema: 'public', name: 'lines', columns: ['order_id', 'product'] }

/** Opens orders for a group, with their history in another table. */
async function openOrders() {
  const { id: groupId } = await groupVerbs.create(admin, { name: 'Support' })
  await openTable(admin, { ...lines, id: 'shop' })
  await openTable(admin, {
    id: 'shop',
    schema: 'public',
    name: 'orders',
    columns: ['id', 'customer', 'note'],
    ownerColumn: 'customer',
    ownerHolds: 'email',
    updateColumns: ['note'],
    historyTable: 'public.lines',
    historyKey: 'order_id',
    historyAt: 'product',
    groupIds: [groupId],
  })
}

test('an export has the opened tables, and nothing of where the database is', async () => {
  await addShop()
  await openOrders()
  const text = await exportSite(admin)
  const none = { insertColumns: [], ownerColumn: null, ownerHolds: null, historyTable: null }
  const usual = { ...none, historyKey: null, historyAt: null, historyWho: null, historyKind: null }
  expect(parse(text).dataSources[0].tables).toEqual([
    { ...usual, ...lines, deletedColumn: null, updateColumns: [], groups: null },
    {
      ...usual,
      schema: 'public',
      name: 'orders',
      columns: ['id', 'customer', 'note'],
      deletedColumn: 'deleted_at',
      ownerColumn: 'customer',
      ownerHolds: 'email',
      updateColumns: ['note'],
      groups: ['Support'],
      historyTable: 'public.lines',
      historyKey: 'order_id',
      historyAt: 'product',
    },
  ])
  expect(text).not.toContain(new URL(shop.address).host)
  expect(text).not.toContain(new URL(shop.address).pathname.slice(1))
  expect(await planSite(admin, parseSiteFile(text))).toMatchObject(unchanged)
})

test('on another site, tables are opened once the connection string is there', async () => {
  await addShop()
  await openOrders()
  const before = await tablesOf('shop')
  const exported = parseSiteFile(await exportSite(admin))
  await dataSourceVerbs.remove(admin, { id: 'shop' })
  const { notices } = await applySite(admin, exported, { reason: 'a release' })
  expect(notices).toEqual([
    'The data source shop is added switched off, because a site file has no secrets: enter its connection string, then switch it on. ' +
      'The tables of the data source shop are not opened before its connection string is here: enter it, then apply the file again.',
  ])
  const added = await dataSourceVerbs.read(admin, { id: 'shop' })
  expect(added).toMatchObject({ enabled: false, secrets: [], tables: [] })
  await dataSourceVerbs.update(admin, { id: 'shop', address: shop.address })
  await applySite(admin, exported, { reason: 'a release' })
  const withoutId = ({ id: _, ...table }: (typeof before)[number]) => table
  expect((await tablesOf('shop')).map(withoutId)).toEqual(before.map(withoutId))
  expect(await planSite(admin, exported)).toMatchObject(unchanged)
  const audited = await db().auditEntry.findMany({
    where: { objectId: added.id, action: 'data-source.open-table' },
  })
  expect(audited.map(({ reason }) => reason)).toEqual(['a release', 'a release'])
})

test('a file closes what it leaves out of the list, and what it leaves out of a table stays', async () => {
  await addShop()
  await openOrders()
  expect(await plan({ name: 'shop' })).toMatchObject(unchanged)
  const orders = { name: 'orders', columns: ['id', 'customer'], updateColumns: [] }
  const given = { name: 'shop', tables: [orders] }
  const fewer = { ...given, tables: [{ ...orders, historyTable: null }] }
  const { problems } = await plan({
    ...given,
    tables: [{ ...orders, historyTable: 'public.lines' }],
  })
  expect(problems).toEqual([
    'The data source shop, public.orders needs the table public.lines to be open, too.',
  ])
  await apply(fewer)
  expect(await tablesOf('shop')).toMatchObject([
    {
      name: 'orders',
      columns: ['id', 'customer'],
      updateColumns: [],
      historyTable: null,
      groupsOnly: true,
      groups: [{ name: 'Support' }],
      ownerColumn: 'customer',
    },
  ])
  expect(await plan(fewer)).toMatchObject(unchanged)
  await apply({ name: 'shop', tables: [{ ...orders, groups: [] }] })
  expect(await tablesOf('shop')).toMatchObject([{ groupsOnly: true, groups: [] }])
  await apply({ name: 'shop', tables: [{ ...orders, groups: null }] })
  expect(await tablesOf('shop')).toMatchObject([{ groupsOnly: false, groups: [] }])
  await apply({ name: 'shop', tables: [] })
  expect(await tablesOf('shop')).toEqual([])
})

test('a table that cannot be opened is a problem of the plan, or stops applying it with words', async () => {
  const own = { name: 'own', kind: 'console' }
  const users = { name: 'users', columns: ['id', 'passwordHash'] }
  const closed = await plan({ ...own, tables: [users, { name: 'sessions', columns: ['id'] }] })
  expect(closed.problems).toEqual([
    'The data source own, public.users cannot open: passwordHash.',
    'The data source own, public.sessions cannot open: id.',
  ])
  const grouped = await plan({ ...own, tables: [{ ...users, columns: ['id'], groups: ['None'] }] })
  expect(grouped.problems[0]).toContain('The data source own needs the group None')
  await apply({ ...own, tables: [{ ...users, columns: ['id', 'email'] }] })
  expect(await tablesOf('own')).toMatchObject([{ name: 'users', deletedColumn: 'deletedAt' }])
  const missing = apply({
    name: 'own',
    tables: [{ ...users, columns: ['id'], ownerColumn: 'none' }],
  })
  await expect(missing).rejects.toThrow(/Stopped at the data source own/)
  expect(() => file({ ...own, tables: [users, { ...users, columns: ['id'] }] })).toThrow(
    'Name each table once.',
  )
  expect(() => file({ ...own, tables: [{ name: 'users' }] })).toThrow('columns')
})
