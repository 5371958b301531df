import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { exportAudit } from '@/lib/domains/audit/export-audit'
import type { Ctx } from '@/lib/kernel/context'
import { env } from '@/lib/kernel/env'
import { exportSite } from '@/lib/site-file/export-site'
import { closeTable, listSourceTables, openTable } from '@/lib/toolset/data-sources/tables'
import { dataSourceVerbs } from '@/lib/toolset/data-sources/verbs'
import { readPresentNeeds } from '@/lib/toolset/policy/tool-needs'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'
import { refusedFields } from '@/tests/support/refused-fields'
import { createShop } from '@/tests/support/shop-database'
import { toolgate } from '@/tests/support/toolgate-process'

let admin: Ctx
let member: Ctx
let shop: Awaited<ReturnType<typeof createShop>>

beforeAll(async () => {
  ;[admin, member] = await Promise.all([addPerson('admin'), addPerson('member')])
  shop = await createShop()
})
afterEach(async () => {
  await db().dataSource.deleteMany()
  await db().vaultSecret.deleteMany()
})
afterAll(() => shop.close())

type Values = Parameters<typeof dataSourceVerbs.create>[1]
const add = async (values: Values) => (await dataSourceVerbs.create(admin, values)).id
const ofShop = (more: Partial<Values> = {}): Values => ({
  name: 'shop',
  kind: 'postgresql',
  address: shop.address,
  privateAddressAllowed: true,
  ...more,
})
const password = 'pa55word-of-the-shop'

test('a connection string is kept in the vault alone, and its end is never shown', async () => {
  const address = `postgresql://reader:${password}@db.shop.example:5433/shop?sslmode=require`
  const id = await add({ name: 'far', kind: 'postgresql', address, enabled: false })
  const read = await dataSourceVerbs.read(admin, { id: 'far' })
  expect(read).toMatchObject({
    id,
    secrets: ['address'],
    leadsTo: 'postgresql://reader@db.shop.example:5433/shop?sslmode=require',
    openTables: 0,
    tables: [],
  })
  const pieces: string[] = []
  for await (const piece of await exportAudit(admin, { format: 'ndjson' })) pieces.push(piece)
  const kept = JSON.stringify([
    pieces,
    read,
    await db().dataSource.findMany(),
    await db().logEntry.findMany(),
    await exportSite(admin),
    await dataSourceVerbs.list(admin, { sort: 'name' }),
  ])
  expect(kept).toContain('db.shop.example')
  expect(kept).not.toContain(password)
  await dataSourceVerbs.remove(admin, { id })
  expect(await db().vaultSecret.count()).toBe(0)
})

test.each([
  [{ address: 'postgresql://a:b@127.0.0.1/c' }, 'privateAddressAllowed'],
  [{ address: 'postgresql://a:b@169.254.169.254/c', privateAddressAllowed: true }, 'address'],
  [{ address: 'postgresql://a:b@[fd00:ec2::254]/c', privateAddressAllowed: true }, 'address'],
  [{ address: 'https://a:b@db.example/c' }, 'address'],
  [{ address: 'postgresql:///c' }, 'address'],
  [{ address: 'postgresql://a:b@db.example' }, 'address'],
  [{ address: 'postgresql://db.example/c' }, 'address'],
  [{ address: 'postgresql://a:b@db.example/c?host=127.0.0.1' }, 'address'],
  [{ address: 'postgresql://a:b@db.example/c?sslmode=require&sslrootcert=/etc/passwd' }, 'address'],
  [{ address: 'postgresql://a:b@db.example/c?sslmode=prefer' }, 'address'],
  [{ address: 'postgresql://a:b@one.example,two.example/c' }, 'address'],
  [{ address: 'postgresql://a:b@%2Frun%2Fpostgresql/c' }, 'address'],
  [{}, 'address'],
] as const)('%j is refused beside %s', async (values, field) => {
  const given = { name: 'far', kind: 'postgresql' as const, ...values }
  expect(Object.keys(await refusedFields(add(given)))).toEqual([field])
})

test("the console's own database is a kind of its own, of which there is one", async () => {
  const own = new URL(env().DATABASE_URL)
  own.searchParams.set('sslmode', 'disable')
  const byAddress = ofShop({ address: own.href })
  expect(await refusedFields(add(byAddress))).toHaveProperty('address')
  await add({ name: 'console', kind: 'console' })
  expect(await refusedFields(add({ name: 'again', kind: 'console' }))).toHaveProperty('kind')
})

test('a source that becomes the own database by its name is not read', async () => {
  const id = await add(ofShop())
  const own = new URL(env().DATABASE_URL)
  own.searchParams.set('sslmode', 'disable')
  const { addressSecretId } = await db().dataSource.findUniqueOrThrow({ where: { id } })
  const { replaceSecret } = await import('@/lib/domains/vault/secrets')
  await replaceSecret(db(), addressSecretId ?? '', own.href)
  expect(await listSourceTables(admin, { id })).toMatchObject({
    trouble: expect.stringContaining("console's own database"),
    tables: [],
  })
})

test('says in its own words why a database does not answer', async () => {
  const problemOf = async (change: (url: URL) => void) => {
    const url = new URL(shop.address)
    change(url)
    const id = await add(ofShop({ name: 'broken', address: url.href }))
    const { trouble } = await listSourceTables(admin, { id })
    await dataSourceVerbs.remove(admin, { id })
    return trouble
  }
  expect(await problemOf((url) => (url.port = '1'))).toBe('Nothing listens at this host and port.')
  expect(await problemOf((url) => (url.pathname = '/none'))).toContain('no database of this name')
  const plain = await problemOf((url) => url.searchParams.set('sslmode', 'verify-full'))
  expect(plain).toContain('does not use TLS')
})

test('lists what can be opened, and marks what looks secret', async () => {
  await add(ofShop())
  const { trouble, tables } = await listSourceTables(admin, { id: 'shop' })
  expect(trouble).toBeNull()
  const named = tables.map(({ schema, name }) => `${schema}.${name}`)
  expect(named).toEqual(
    expect.arrayContaining(['public.orders', 'secret.keys', 'public.open_orders']),
  )
  expect(named.filter((name) => /^(?:pg_|information_schema)/.test(name))).toEqual([])
  const orders = tables.find(({ name }) => name === 'orders')
  expect(orders).toMatchObject({ key: ['id'], deletedColumn: 'deleted_at', opened: null })
  const secret = orders?.columns.filter(({ looksSecret }) => looksSecret)
  expect(secret).toEqual([{ name: 'api_token', type: 'text', looksSecret: true }])
  expect(tables.find(({ name }) => name === 'lines')?.key).toEqual(['order_id', 'line'])
})

test('opening a table is audited, may be changed, and is undone by closing it', async () => {
  const id = await add(ofShop())
  const named = { schema: 'public', name: 'orders' }
  const opened = await openTable(admin, { id: 'shop', ...named, columns: ['id', 'total'] })
  const again = await openTable(admin, {
    id,
    ...named,
    columns: ['id'],
    ownerColumn: 'owner',
    ownerHolds: 'userId',
    reason: 'only ids',
  })
  expect(again).toEqual(opened)
  const { tables } = await dataSourceVerbs.read(admin, { id })
  expect(tables).toMatchObject([
    { columns: ['id'], key: ['id'], deletedColumn: 'deleted_at', ownerHolds: 'userId' },
  ])
  await closeTable(admin, { id, tableId: opened.id })
  expect((await dataSourceVerbs.read(admin, { id })).tables).toEqual([])
  const rows = await db().auditEntry.findMany({
    where: { objectId: id, action: { contains: 'table' } },
    orderBy: { id: 'asc' },
  })
  expect(rows.map(({ action, reason }) => [action, reason])).toEqual([
    ['data-source.open-table', ''],
    ['data-source.open-table', 'only ids'],
    ['data-source.close-table', ''],
  ])
  expect(rows[0]).toMatchObject({ before: null, after: { orderedBy: ['id'] } })
  expect(rows[1]).toMatchObject({
    before: { table: 'public.orders', columns: ['id', 'total'] },
    after: { name: 'shop', columns: ['id'], ownerColumn: 'owner' },
  })
})

const opening = (more: Partial<Parameters<typeof openTable>[1]>) => ({
  schema: 'public',
  name: 'orders',
  columns: ['id'],
  ...more,
})

test.each([
  [opening({ columns: ['id', 'none'] }), 'columns'],
  [opening({ columns: [] }), 'columns'],
  [opening({ name: 'none' }), 'name'],
  [opening({ schema: 'pg_catalog', name: 'pg_authid', columns: ['rolname'] }), 'name'],
  [opening({ schema: 'information_schema', name: 'tables', columns: ['table_name'] }), 'name'],
  [opening({ deletedColumn: 'none' }), 'deletedColumn'],
  [opening({ ownerColumn: 'none', ownerHolds: 'email' }), 'ownerColumn'],
  [opening({ ownerColumn: 'owner' }), 'ownerHolds'],
  [opening({ groupIds: ['0198a000-0000-7000-8000-00000000aaaa'] }), 'groupIds'],
])('opening %j is refused beside %s', async (values, field) => {
  const id = await add(ofShop())
  expect(Object.keys(await refusedFields(openTable(admin, { ...values, id })))).toEqual([field])
})

test("of the console's own database nothing can be opened that is denied", async () => {
  const id = await add({ name: 'console', kind: 'console' })
  const { trouble, tables } = await listSourceTables(admin, { id })
  expect(trouble).toBeNull()
  expect(new Set(tables.map(({ schema }) => schema))).toEqual(new Set(['public']))
  const named = new Map(tables.map((table) => [table.name, table.columns.map(({ name }) => name)]))
  for (const name of [
    'sessions',
    'vault_secrets',
    'recovery_codes',
    'run_events',
    'applied_migrations',
  ])
    expect(named.has(name), name).toBe(false)
  expect(named.get('users')).not.toContain('passwordHash')
  const users = { id, schema: 'public', name: 'users' }
  for (const column of ['passwordHash', 'oidcSubject'])
    expect(
      await refusedFields(openTable(admin, { ...users, columns: ['id', column] })),
    ).toHaveProperty('columns')
  const secret = { id, schema: 'public', name: 'vault_secrets', columns: ['id'] }
  expect(await refusedFields(openTable(admin, secret))).toHaveProperty('name')
  const workflows = { id, schema: 'dbos', name: 'workflow_status', columns: ['workflow_uuid'] }
  expect(await refusedFields(openTable(admin, workflows))).toHaveProperty('name')
  await openTable(admin, { ...users, columns: ['id', 'email'], deletedColumn: null })
  const { tables: opened } = await dataSourceVerbs.read(admin, { id })
  expect(opened).toMatchObject([{ deletedColumn: 'deletedAt' }])
})

test('it is for admins', async () => {
  const id = await add(ofShop())
  for (const refused of [
    dataSourceVerbs.create(member, { name: 'mine', kind: 'console' }),
    dataSourceVerbs.read(member, { id }),
    listSourceTables(member, { id }),
    openTable(member, { id, schema: 'public', name: 'orders', columns: ['id'] }),
    closeTable(member, { id, tableId: crypto.randomUUID() }),
  ]) {
    await expect(refused).rejects.toMatchObject({ status: 403 })
  }
})

test('tools that need one have one while one is switched on', async () => {
  const id = await add({ name: 'console', kind: 'console' })
  expect(await readPresentNeeds(db())).toContain('data-source')
  await dataSourceVerbs.update(admin, { id, enabled: false })
  expect(await readPresentNeeds(db())).not.toContain('data-source')
})

test('commands add a source, open, list and close its tables', async () => {
  const options = ['--kind', 'postgresql', '--address-stdin', '--private-address-allowed', 'yes']
  const added = await toolgate(['data-source', 'add', 'shop', ...options], { input: shop.address })
  expect(added).toMatchObject({ code: 0, stderr: '' })
  const open = ['open', 'shop', 'orders', '--column', 'id', 'status', '--no-deleted-column']
  expect(await toolgate(['data-source', ...open])).toMatchObject({ code: 0, stderr: '' })
  const { stdout } = await toolgate(['data-source', 'tables', 'shop'])
  expect(stdout).toMatch(/public\.orders +open: 2 columns/)
  const shown = await toolgate(['data-source', 'show', 'shop'])
  expect(shown.stdout).toContain('open: public.orders (id, status)')
  await openTable(admin, {
    id: 'shop',
    schema: 'public',
    name: 'lines',
    columns: ['order_id', 'product'],
  })
  const history = ['--history', 'lines', '--history-key', 'order_id', '--history-at', 'product']
  const again = ['open', 'shop', 'orders', '--column', 'id', '--admins-only', ...history]
  expect(await toolgate(['data-source', ...again])).toMatchObject({ code: 0, stderr: '' })
  const narrow = await toolgate(['data-source', 'show', 'shop'])
  expect(narrow.stdout).toMatch(
    /open: public\.orders \(id\).*, history in public\.lines, only for admins/,
  )
  const both = await toolgate(['data-source', ...again, '--everybody'])
  expect(both.code).not.toBe(0)
  expect(both.stderr).toContain('--everybody')
  expect((await toolgate(['data-source', 'close', 'shop', 'orders'])).code).toBe(0)
  expect((await toolgate(['data-source', 'close', 'shop', 'orders'])).stderr).toContain(
    'opened table',
  )
})
