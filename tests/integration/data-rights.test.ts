import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { groupVerbs } from '@/lib/domains/groups/verbs'
import { runAgent } from '@/lib/engines/runtime/run-agent'
import { after } from '@/lib/engines/runtime/sleep'
import type { Ctx } from '@/lib/kernel/context'
import { openTable } from '@/lib/toolset/data-sources/tables'
import { dataSourceVerbs } from '@/lib/toolset/data-sources/verbs'
import { loadToolset } from '@/lib/toolset/tools/load-toolset'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'
import { refusedFields } from '@/tests/support/refused-fields'
import { runFixture, runInput } from '@/tests/support/run-fixture'
import { asks, says } from '@/tests/support/scripted-model'
import { callData, openShopSite } from '@/tests/support/shop-source'

let site: Awaited<ReturnType<typeof openShopSite>>

beforeAll(async () => {
  site = await openShopSite('_rights')
})
afterEach(() => db().dataSource.deleteMany())
afterAll(() => site.shop.close())

test('members read only their own rows where a table has owners, admins all', async () => {
  await site.open({ ownerColumn: 'customer', ownerHolds: 'email' })
  expect(await site.idsOf(site.member)).toEqual(['1', '3'])
  expect(await site.idsOf(site.member, { filters: [{ column: 'id', value: 2 }] })).toEqual([])
  expect(await site.idsOf(site.admin)).toEqual(['1', '2', '3'])
  await site.more({ ownerColumn: 'owner', ownerHolds: 'userId' })
  expect(await site.idsOf(site.member)).toEqual(['1', '3'])
  const found = await callData(site.member, 'search_records', { table: 'orders', text: 'shoes' })
  expect(Object(found.content).rows).toMatchObject([{ id: '1' }])
})

test('a table without rights gives the same answer as one that does not exist', async () => {
  const id = await site.open()
  const words = async (who: Ctx, table: string) =>
    site.read(who, { table }).then(
      () => 'was read',
      ({ message }) => message,
    )
  const missing = await words(site.stranger, 'none')
  expect(missing).toBe('Table not found or not permitted. There is none that you may read.')
  expect(await words(site.stranger, 'orders')).toBe(missing)
  expect(await words(site.member, 'orders')).toBe('was read')
  expect(await words(site.member, 'secret.keys')).toBe(
    'Table not found or not permitted. You may read: public.orders of shop.',
  )
  const other = (await groupVerbs.create(site.admin, { name: 'Others' })).id
  await site.more({ groupIds: [other] })
  expect(await words(site.member, 'orders')).toBe(missing)
  expect(await words(site.admin, 'orders')).toBe('was read')
  await groupVerbs.remove(site.admin, { id: other })
  expect(await words(site.member, 'orders')).toBe(missing)
  await site.more({ groupsOnly: false })
  expect(await words(site.member, 'orders')).toBe('was read')
  await dataSourceVerbs.update(site.admin, { id, enabled: false })
  expect(await words(site.member, 'orders')).toBe(missing)
  expect(await words(site.admin, 'orders')).toBe(missing)
})

test('a table that is narrowed to groups stays so until an admin opens it to all', async () => {
  const id = await site.open({ groupIds: [site.groupId] })
  const isRead = async (who: Ctx) =>
    site.read(who, {}).then(
      () => true,
      () => false,
    )
  const narrowing = async () => {
    const [table] = (await dataSourceVerbs.read(site.admin, { id })).tables
    return { groupsOnly: table?.groupsOnly, groups: table?.groups.map(({ name }) => name) }
  }
  await site.more()
  expect(await narrowing()).toEqual({ groupsOnly: true, groups: ['Support'] })
  expect(await isRead(site.member)).toBe(true)
  const others = (await groupVerbs.create(site.admin, { name: 'Others' })).id
  await site.more({ groupIds: [others] })
  await groupVerbs.remove(site.admin, { id: others })
  for (const saved of [{}, { groupIds: [] }, { groupsOnly: true, groupIds: [] }]) {
    await site.more(saved)
    expect(await narrowing()).toEqual({ groupsOnly: true, groups: [] })
    expect(await isRead(site.member)).toBe(false)
    expect(await isRead(site.admin)).toBe(true)
  }
  const unclear = site.more({ groupsOnly: false, groupIds: [site.groupId] })
  expect(await refusedFields(unclear)).toHaveProperty('groupIds')
  await site.more({ groupsOnly: false })
  expect(await narrowing()).toEqual({ groupsOnly: false, groups: [] })
  expect(await isRead(site.member)).toBe(true)
})

test('a stopped call ends at once, and the next one has a connection', async () => {
  await site.open({ name: 'slow_orders', columns: ['id'] })
  const stop = new AbortController()
  const request = callData(site.admin, 'read_records', { table: 'slow_orders' }, stop.signal)
  const sleeping = `SELECT count(*)::int AS count FROM pg_stat_activity WHERE query LIKE '%slow_orders%LIMIT%' AND state = 'active' AND pid <> pg_backend_pid()`
  await expect
    .poll(async () => (await site.shop.ask(sleeping)).rows[0].count, { timeout: 20_000 })
    .toBe(1)
  stop.abort(new Error('stopped'))
  await expect(request).rejects.toThrow('stopped')
  await site.more({})
  expect(await site.idsOf(site.admin)).toEqual(['1', '2', '3'])
})

test('a statement ends after 5 seconds, and what the database says reaches nobody', async () => {
  await site.open({ name: 'slow_orders', columns: ['id'] })
  const request = callData(site.admin, 'read_records', { table: 'slow_orders' })
  await expect(request).rejects.toMatchObject({ code: 'too-slow' })
  await db().dataSource.updateMany({ data: { privateAddressAllowed: false } })
  const blocked = callData(site.admin, 'read_records', { table: 'slow_orders' })
  await expect(blocked).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.not.stringContaining('127.0.0.1'),
  })
})

test('nothing can be written through a source', async () => {
  await site.open()
  await site.shop.ask(
    `CREATE FUNCTION public.writes(integer) RETURNS integer LANGUAGE sql AS 'UPDATE public.orders SET status = ''hacked'' RETURNING 1'`,
  )
  await site.shop.ask('CREATE VIEW writing AS SELECT writes(id) AS id FROM orders')
  await site.more({ name: 'writing', columns: ['id'] })
  const request = callData(site.admin, 'read_records', { table: 'writing' })
  await expect(request).rejects.toMatchObject({ code: 'unavailable' })
  const { rows } = await site.shop.ask(
    `SELECT count(*)::int AS count FROM orders WHERE status = 'hacked'`,
  )
  expect(rows).toEqual([{ count: 0 }])
  await site.shop.ask('DROP VIEW writing')
})

test("of the console's own database, people are read without what is denied, and deleted ones never", async () => {
  const id = (
    await dataSourceVerbs.create(site.admin, {
      name: 'console',
      kind: 'console',
      groupIds: [site.groupId],
    })
  ).id
  await openTable(site.admin, { id, schema: 'public', name: 'users', columns: ['id', 'email'] })
  const gone = await addPerson('member', 'gone@example.org')
  await db().user.update({ where: { id: gone.actor.userId }, data: { deletedAt: new Date() } })
  // As if a column had been opened before it was denied.
  await db().dataSourceTable.updateMany({ data: { columns: ['id', 'email', 'passwordHash'] } })
  const { rows } = await site.read(site.member, { table: 'users', limit: 50 })
  expect(rows.length).toBeGreaterThanOrEqual(3)
  expect(Object.keys(rows[0])).toEqual(['id', 'email'])
  expect(JSON.stringify(rows)).not.toContain('gone@example.org')
  const { rows: one } = await site.read(site.member, {
    table: 'users',
    filters: [{ column: 'id', value: site.member.actor.userId }],
  })
  expect(one).toEqual([{ id: site.member.actor.userId, email: 'Ada@example.org' }])
})

test('in a run, records are untrusted text, and where the database is stands in no event', async () => {
  await site.open()
  const tool = (await loadToolset(db())).get('read_records')
  if (!tool) throw new Error('There is no such tool.')
  const run = runFixture({
    script: [asks(['read_records', { table: 'orders', columns: ['status'] }]), says('Done.')],
    tools: [tool],
    subject: {
      actor: { ...site.admin.actor, groups: [], limitedBy: [] },
      present: new Set(['data-source'] as const),
    },
    deps: { after },
  })
  await runAgent(runInput(), run.deps)
  const sent = JSON.stringify(run.model.calls.at(-1)?.request)
  expect(sent).toMatch(/<untrusted-[^>]+>[^<]*public\.orders[^<]*<\/untrusted-/)
  expect(JSON.stringify(run.events)).not.toContain(new URL(site.shop.address).host)
})
