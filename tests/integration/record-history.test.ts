import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { groupVerbs } from '@/lib/domains/groups/verbs'
import { updateUser } from '@/lib/domains/users/verbs'
import type { Ctx } from '@/lib/kernel/context'
import { closeTable, openTable } from '@/lib/toolset/data-sources/tables'
import { dataSourceVerbs } from '@/lib/toolset/data-sources/verbs'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'
import { refusedFields } from '@/tests/support/refused-fields'
import { callData, openShopSite } from '@/tests/support/shop-source'

let site: Awaited<ReturnType<typeof openShopSite>>

beforeAll(async () => {
  site = await openShopSite('_history')
  await site.shop.ask(`CREATE TABLE order_changes (
      id integer PRIMARY KEY, record text, at timestamptz, by text, kind text, status text, note text, token text, deleted_at timestamptz);
    INSERT INTO order_changes SELECT n, '1', '2026-01-01'::timestamptz + n * interval '1 day', 'ada@example.org', 'update',
      'status ' || n, 'password=hunter2hunter2', 'closed', NULL FROM generate_series(1, 12) n;
    INSERT INTO order_changes VALUES (20, '2', now(), 'bob@example.org', 'insert', 'of bob', NULL, 'closed', NULL),
      (21, '4', now(), 'bob@example.org', 'insert', 'deleted order', NULL, 'closed', NULL),
      (22, '1', now(), 'bob@example.org', 'insert', 'deleted change', NULL, 'closed', now())`)
})
afterEach(() => db().dataSource.deleteMany())
afterAll(() => site.shop.close())

const columns = ['record', 'at', 'by', 'kind', 'status', 'note']
const inTable = {
  historyTable: 'public.order_changes',
  historyKey: 'record',
  historyAt: 'at',
  historyWho: 'by',
  historyKind: 'kind',
}
const openChanges = (more: object = {}) => site.more({ name: 'order_changes', columns, ...more })

async function history(who: Ctx, args: object) {
  const request = callData(who, 'get_record_history', { table: 'orders', ...args })
  return request.then(
    ({ content, leftOut }) => ({ ...Object(content), leftOut }),
    ({ code, message }) => ({ code, message }),
  )
}
const first = { key: { id: 1 } }
const second = { key: { id: 2 } }
const missing = { code: 'not-found', message: 'Row not found or not permitted.' }

test('a named table has the history of a record, newest first, in its open columns alone', async () => {
  const id = await site.open()
  await openChanges()
  await site.more(inTable)
  const audited = await db().auditEntry.findFirst({
    where: { objectId: id },
    orderBy: { id: 'desc' },
  })
  expect(audited?.after).toMatchObject({
    historyTable: 'public.order_changes',
    historyOf: 'record',
  })
  const { changes, leftOut } = await history(site.admin, first)
  expect(leftOut).toEqual([
    { what: 'changes before these 10', why: 'the limit of this call' },
    { what: 'parts of 10 values', why: 'they look like secrets' },
  ])
  expect(changes).toHaveLength(10)
  expect(changes[0]).toEqual({
    at: '2026-01-13 00:00:00+00',
    who: 'ada@example.org',
    what: 'update',
    columns: { status: 'status 12', note: 'password=[redacted]' },
  })
  const all = await history(site.admin, { ...first, limit: 20 })
  expect(all).toMatchObject({ source: 'shop', table: 'public.orders' })
  expect(all.leftOut).toEqual([
    { what: 'the values of 1 closed column', why: 'it is only said that they changed' },
    { what: 'parts of 12 values', why: 'they look like secrets' },
  ])
  expect(all.changes.map(({ columns }: { columns: { status: string } }) => columns.status)).toEqual(
    Array.from({ length: 12 }, (_, index) => `status ${12 - index}`),
  )
  expect(JSON.stringify(all.changes)).not.toMatch(/closed|deleted change/)
  const { content } = await callData(site.admin, 'get_schema', { table: 'orders' })
  expect(Object(content).tables[0].history).toBe('with get_record_history')
})

test('closed columns of a history are named where they changed, without their values', async () => {
  await site.shop.ask(`INSERT INTO order_changes (id, record, at, token, status) VALUES
    (30, '3', '2026-03-01', NULL, 'a'), (31, '3', '2026-03-02', 'closed-1', 'b'), (32, '3', '2026-03-03', 'closed-1', 'c'),
    (33, '3', '2026-03-04', 'closed-2', 'c')`)
  await site.open()
  await openChanges()
  await site.more(inTable)
  const shown = await history(site.admin, { key: { id: 3 } })
  const tokens = shown.changes.map(({ columns }: { columns: { token?: string } }) => columns.token)
  expect(tokens).toEqual(['changed', undefined, 'changed', undefined])
  expect(JSON.stringify(shown)).not.toContain('closed-')
  expect(shown.changes[0].columns).not.toHaveProperty('id')
  expect(shown.leftOut).toContainEqual({
    what: 'the values of 1 closed column',
    why: 'it is only said that they changed',
  })
})

test('the history of a record without rights gives the same answer as that of a missing record', async () => {
  await site.open({ ownerColumn: 'customer', ownerHolds: 'email' })
  await openChanges()
  await site.more({ ...inTable, ownerColumn: 'customer', ownerHolds: 'email' })
  expect((await history(site.member, first)).changes).toHaveLength(10)
  expect(await history(site.member, second)).toEqual(missing)
  expect(await history(site.member, { key: { id: 4 } })).toEqual(missing)
  expect(await history(site.member, { key: { id: 99 } })).toEqual(missing)
  expect(await history(site.admin, { key: { id: 4 } })).toEqual(missing)
  expect((await history(site.admin, second)).changes).toHaveLength(1)
  const noTable = 'Table not found or not permitted. There is none that you may read.'
  expect(await history(site.stranger, first)).toMatchObject({ message: noTable })
})

test('the table of the history has rights of its own', async () => {
  const id = await site.open()
  const { id: changes } = await openChanges({ ownerColumn: 'by', ownerHolds: 'email' })
  await site.more(inTable)
  expect((await history(site.member, first)).changes).toHaveLength(10)
  expect(await history(site.member, second)).toMatchObject({ changes: [], leftOut: [] })
  const others = (await groupVerbs.create(site.admin, { name: 'Others of history' })).id
  await openChanges({ groupIds: [others] })
  const none = {
    code: 'no-history',
    message:
      'public.orders has no history. An admin can name the table that has it, where the table is opened.',
  }
  expect(await history(site.member, first)).toEqual(none)
  expect((await history(site.admin, first)).changes).toHaveLength(10)
  await openChanges({ columns: ['record', 'at'] })
  expect(await history(site.admin, first)).toMatchObject({ code: 'changed' })
  await closeTable(site.admin, { id, tableId: changes })
  expect(await history(site.admin, first)).toEqual(none)
})

test.each([
  [{ ...inTable, historyTable: 'public.lines' }, 'historyTable'],
  [{ ...inTable, historyTable: 'public.orders' }, 'historyTable'],
  [{ ...inTable, historyKey: null }, 'historyKey'],
  [{ ...inTable, historyAt: null }, 'historyAt'],
  [{ ...inTable, historyKey: 'token' }, 'historyKey'],
  [{ ...inTable, historyWho: 'none' }, 'historyWho'],
  [{ ...inTable, columns: ['status'] }, 'historyTable'],
  [{ ...inTable, name: 'lines', columns: ['order_id', 'line'] }, 'historyTable'],
])('%j is refused beside %s', async (opening, field) => {
  await site.open()
  await openChanges()
  expect(Object.keys(await refusedFields(site.more(opening)))).toEqual([field])
})

test("of the console's own records, the audit says what happened, and nothing of closed columns", async () => {
  const { id } = await dataSourceVerbs.create(site.admin, {
    name: 'console',
    kind: 'console',
    groupIds: [site.groupId],
  })
  const users = { id, schema: 'public', name: 'users' }
  await openTable(site.admin, { ...users, columns: ['id', 'role'] })
  const person = await addPerson('member', 'watched@example.org')
  const { userId } = person.actor
  await updateUser(site.admin, { userId, name: 'A new name', role: 'admin' })
  await updateUser(site.admin, { userId, disabled: true })
  const input = { table: 'users', key: { id: userId.toUpperCase() } }
  const ofAdmin = await history(site.admin, input)
  expect(ofAdmin).toMatchObject({ table: 'public.users' })
  const closed = expect.objectContaining({ why: 'it is only said that they changed' })
  expect(ofAdmin.leftOut).toEqual([closed])
  expect(ofAdmin.changes).toMatchObject([
    { who: site.admin.actor.email, what: 'user.update' },
    {
      who: site.admin.actor.email,
      what: 'user.update',
      columns: { role: { before: 'member', after: 'admin' }, name: 'changed' },
    },
  ])
  const ofMember = await history(site.member, input)
  expect(ofMember.leftOut).toEqual([
    closed,
    { what: 'who did it, and by which action', why: 'only admins are told' },
  ])
  expect(ofMember.changes[1]).toEqual({
    at: ofAdmin.changes[1].at,
    columns: ofAdmin.changes[1].columns,
  })
  for (const said of [ofAdmin, ofMember])
    expect(JSON.stringify(said)).not.toMatch(/A new name|watched@/)
  await db().user.update({ where: { id: userId }, data: { deletedAt: new Date() } })
  expect(await history(site.admin, input)).toEqual(missing)
  const fields = refusedFields(openTable(site.admin, { ...users, columns: ['id'], ...inTable }))
  expect(await fields).toHaveProperty('historyTable')
  await openTable(site.admin, { ...users, name: 'policy_version', columns: ['id', 'version'] })
  const none = await history(site.admin, { table: 'policy_version', key: { id: 1 } })
  expect(none).toMatchObject({ code: 'no-history', message: expect.stringContaining('The audit') })
})
