import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { runAgent } from '@/lib/engines/runtime/run-agent'
import { after } from '@/lib/engines/runtime/sleep'
import type { ApprovalRule } from '@/lib/protocol/approval'
import { openTable } from '@/lib/toolset/data-sources/tables'
import { dataSourceVerbs } from '@/lib/toolset/data-sources/verbs'
import { loadToolset } from '@/lib/toolset/tools/load-toolset'
import { everybody, rule, yes } from '@/tests/support/approval-fixture'
import { db } from '@/tests/support/fixture-db'
import { refusedFields } from '@/tests/support/refused-fields'
import { eventsOf, runFixture, runInput } from '@/tests/support/run-fixture'
import { asks, says } from '@/tests/support/scripted-model'
import { callData, openShopSite } from '@/tests/support/shop-source'

let site: Awaited<ReturnType<typeof openShopSite>>

beforeAll(async () => {
  site = await openShopSite('_writes')
})
beforeEach(async () => {
  await site.shop.ask(
    `INSERT INTO goods (id, name, price, seller, seen, kind, deleted_at) VALUES
      (1, 'Lamp', 10.50, 'ada@example.org', '2026-01-02T03:04:05+02:00', 'calm', NULL),
      (2, 'Chair', 20, 'bob@example.org', NULL, NULL, NULL), (3, 'Gone', 1, 'ada@example.org', NULL, NULL, now())`,
  )
  await site.shop.ask('ALTER SEQUENCE goods_id_seq RESTART WITH 50')
  await open()
})
afterEach(async () => {
  await db().dataSource.deleteMany()
  await site.shop.ask('DROP TRIGGER IF EXISTS alters ON goods; TRUNCATE goods RESTART IDENTITY')
})
afterAll(() => site.shop.close())

const columns = ['id', 'name', 'price', 'seller', 'seen', 'kind', 'facts']
const goods = {
  schema: 'public',
  name: 'goods',
  columns,
  ownerColumn: 'seller',
  ownerHolds: 'email' as const,
  insertColumns: ['id', 'name', 'price', 'seller', 'seen', 'kind', 'facts'],
  updateColumns: ['name', 'price', 'seen', 'kind', 'facts'],
}
const open = () => site.open(goods)
const priceOf = async (id: number) =>
  (await site.shop.ask('SELECT price::text FROM goods WHERE id = $1', [id])).rows[0]?.price
const change = (more: object = {}) => ({
  table: 'goods',
  key: { id: 1 },
  set: { price: 12.5 },
  was: { price: '10.50' },
  ...more,
})
const update = async (more: object = {}, who = site.admin) =>
  Object((await callData(who, 'update_record', change(more))).content).updated
const insert = async (values: object, who = site.admin) =>
  Object((await callData(who, 'insert_record', { table: 'goods', values })).content)
const alter = (assignment: string, when = 'UPDATE') =>
  site.shop.ask(
    `CREATE OR REPLACE FUNCTION alter_it() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${assignment}; RETURN NEW; END $$;
     CREATE TRIGGER alters BEFORE ${when} ON goods FOR EACH ROW EXECUTE FUNCTION alter_it()`,
  )

const switchedOn = { enabled: true, reason: '', changedBy: 'Ada', changedAt: 0 }

/** Works on a run that makes one call, which is approved after `meanwhile`; returns how the call ended. */
async function runCall(
  name: string,
  args: object,
  { rules = [] as ApprovalRule[], meanwhile = async (): Promise<unknown> => undefined } = {},
) {
  const tool = (await loadToolset(db())).get(name)
  if (!tool) throw new Error('There is no such tool.')
  const run = runFixture({
    script: [asks([name, { ...args }]), says('Done.')],
    tools: [tool],
    subject: {
      actor: { ...site.admin.actor, groups: [], limitedBy: [] },
      present: new Set(['data-source'] as const),
      overrides: new Map([[name, switchedOn]]),
      toolApprovals: new Map([[name, true]]),
      approvalRules: rules,
    },
    deps: {
      after,
      readDecisions: async (...parameters) => {
        await meanwhile()
        return everybody(() => yes)(...parameters)
      },
    },
  })
  const state = await runAgent(runInput(), run.deps)
  const call = state.rounds[0]?.calls[0]
  const ended = call?.state.type === 'ended' ? call.state : null
  const [request] = eventsOf(run.events, 'approval-request')
  return { outcome: ended?.outcome, check: ended?.check, preview: request?.data.preview, call }
}

test('an approved change is seen before and after as the database has it, and read back equal', async () => {
  const { outcome, check, preview } = await runCall('update_record', change())
  expect(outcome).toMatchObject({ type: 'ok', content: expect.stringContaining('"price":"12.50"') })
  const lines = (price: string) =>
    `id: 1\nname: Lamp\nprice: ${price}\nseller: ada@example.org\nseen: 2026-01-02 01:04:05+00\nkind: calm\nfacts: NULL`
  expect(preview).toMatchObject({
    before: { type: 'text', text: lines('10.50') },
    becomes: { text: lines('12.50') },
  })
  expect(check?.after).toMatchObject({ text: lines('12.50') })
  expect(await priceOf(1)).toBe('12.50')
})

test('an approver sees which values are hidden, and tells one from another', async () => {
  const keys = ['a1B2c3D4e5', 'f6G7h8I9j0'].map((part) => `sk-proj-${part.repeat(6)}`)
  const facts = (key?: string) => JSON.stringify({ key })
  await site.shop.ask('UPDATE goods SET facts = $1 WHERE id = 1', [facts(keys[0])])
  const values = { name: 'Desk', price: 1, facts: facts(keys[1]) }
  const added = await runCall('insert_record', { table: 'goods', values })
  expect(added.outcome).toMatchObject({ type: 'ok' })
  const changed = await runCall('update_record', change())
  const hidden =
    /\[redacted\].*\(hidden in part, because it looks like a secret; fingerprint ([0-9a-f]{4})\)/
  const [first, second] = [added, changed].map(
    ({ preview }) => hidden.exec(preview?.becomes?.text ?? '')?.[1],
  )
  expect([first, second]).toEqual([expect.any(String), expect.any(String)])
  expect(first).not.toBe(second)
  for (const key of keys) expect(JSON.stringify([added.preview, changed])).not.toContain(key)
})

test('a trigger that alters the row ends the call as failed, with both states', async () => {
  await alter('NEW.price := 99')
  const { outcome, check } = await runCall('update_record', change())
  expect(outcome).toMatchObject({ type: 'failed', code: 'not-as-approved' })
  expect(check).toMatchObject({
    approved: { text: expect.stringContaining('price: 12.50') },
    after: { text: expect.stringContaining('price: 99.00') },
  })
})

test('a row that changed after it was approved is not written', async () => {
  const meanwhile = () => site.shop.ask(`UPDATE goods SET name = 'Lantern' WHERE id = 1`)
  const { outcome } = await runCall('update_record', change(), { meanwhile })
  expect(outcome).toMatchObject({ type: 'failed', code: 'changed-meanwhile' })
  expect(await priceOf(1)).toBe('10.50')
})

test('a rule on an argument path refuses the call and is named', async () => {
  const condition = { path: '$.set.price', operator: 'greater-than' as const, value: '12' }
  const atMost = { ...rule, name: 'At most 12', toolName: 'update_record', action: 'deny' as const }
  const { call } = await runCall('update_record', change(), {
    rules: [{ ...atMost, conditions: [condition] }],
  })
  expect(JSON.stringify(call?.state)).toContain('At most 12')
  expect(await priceOf(1)).toBe('10.50')
})

test('an insert whose key the database makes is read back by that key', async () => {
  const values = { name: 'Desk', price: 7.5, facts: '{"a":1}', seen: '2026-05-06T07:08:09Z' }
  const { outcome, check, preview } = await runCall('insert_record', { table: 'goods', values })
  expect(outcome).toMatchObject({
    type: 'ok',
    content: expect.stringContaining('"key":{"id":"50"}'),
  })
  const text = 'name: Desk\nprice: 7.50\nfacts: {"a": 1}\nseen: 2026-05-06 07:08:09+00'
  expect(preview).toMatchObject({ before: { type: 'nothing' }, becomes: { text } })
  expect(check?.after).toMatchObject({ text })
  await alter('NEW.price := 1', 'INSERT')
  const altered = await runCall('insert_record', {
    table: 'goods',
    values: { name: 'B', price: 2 },
  })
  expect(altered.outcome).toMatchObject({ type: 'failed', code: 'not-as-approved' })
  expect(altered.check).toMatchObject({
    approved: { text: 'name: B\nprice: 2.00' },
    after: { text: 'name: B\nprice: 1.00' },
  })
})

test('the result of an insert says which values of the row it does not show', async () => {
  const values = { name: 'Long', price: 1, facts: JSON.stringify('word '.repeat(100)) }
  const inserted = await callData(site.admin, 'insert_record', { table: 'goods', values })
  expect(inserted.leftOut).toEqual([
    { what: 'all but 300 characters of 1 value', why: 'the limit of a value' },
  ])
})

test('members write only rows that are theirs, and a new row must be', async () => {
  expect(await update({}, site.member)).toMatchObject({ price: '12.50' })
  const other = { key: { id: 2 }, was: { price: '20' } }
  await expect(update(other, site.member)).rejects.toMatchObject({ code: 'not-found' })
  expect(await insert({ name: 'Mine', seller: 'ADA@example.org' }, site.member)).toHaveProperty(
    'key',
  )
  for (const seller of ['bob@example.org', null]) {
    const refused = insert({ name: 'Theirs', seller }, site.member)
    await expect(refused).rejects.toMatchObject({ code: 'not-yours' })
  }
  await alter(`NEW.seller := 'bob@example.org'`)
  const given = update({ set: { price: 1 }, was: { price: 12.5 } }, site.member)
  await expect(given).rejects.toMatchObject({ code: 'not-written' })
  const { rows } = await site.shop.ask(
    `SELECT count(*)::int AS count FROM goods WHERE name = 'Theirs' OR price = 1 AND id = 1`,
  )
  expect(rows).toEqual([{ count: 0 }])
})

test('missing and forbidden are the same words, for tables and for rows', async () => {
  const words = (input: Promise<unknown>) =>
    input.then(
      () => 'done',
      ({ message }) => message,
    )
  const missing = await words(update({ table: 'none' }, site.stranger))
  expect(missing).toBe(
    'Table not found or not permitted. There is none that you may change rows of.',
  )
  expect(await words(update({}, site.stranger))).toBe(missing)
  await site.more()
  expect(await words(update({ table: 'orders' }))).toBe(await words(update({ table: 'none' })))
  const none = await words(update({ key: { id: 99 } }))
  expect(none).toBe('Row not found or not permitted.')
  expect(await words(update({ key: { id: 3 }, was: { price: 1 } }))).toBe(none)
  expect(await words(update({ set: { made: 2 }, was: { made: 1 } }))).toBe(
    await words(update({ set: { none: 2 }, was: { none: 1 } })),
  )
})

test.each([
  [{ set: { price: 'cheap' } }, 'wrong-value'],
  [{ set: { price: '1e9' } }, 'wrong-value'],
  [{ set: { price: '99999999999' } }, 'wrong-value'],
  [{ set: { price: -1 } }, 'refused'],
  [{ set: { name: 'much too long' }, was: { name: 'Lamp' } }, 'wrong-value'],
  [{ set: { name: null }, was: { name: 'Lamp' } }, 'refused'],
  [{ set: { name: 'Chair' }, was: { name: 'Lamp' } }, 'duplicate'],
  [{ set: { seen: 'now' }, was: { seen: '2026-01-02 01:04:05+00' } }, 'wrong-value'],
  [{ set: { kind: 'angry' }, was: { kind: 'calm' } }, 'wrong-value'],
  [{ set: { facts: '{"a"' }, was: { facts: null } }, 'wrong-value'],
  [{ set: { name: '[redacted]' }, was: { name: 'Lamp' } }, 'redacted'],
  [{ set: { name: 'L… [cut]' }, was: { name: 'Lamp' } }, 'redacted'],
  [{ set: { id: 9 }, was: { id: 1 } }, 'unknown-column'],
  [{ set: { seller: 'bob' }, was: { seller: 'ada@example.org' } }, 'unknown-column'],
  [{ set: {} }, 'wrong-value'],
  [{ was: {} }, 'wrong-value'],
  [{ was: { price: '10.51' } }, 'changed'],
  [{ was: { price: null } }, 'changed'],
  [{ key: {} }, 'wrong-value'],
  [{ key: { id: '1 OR true' } }, 'wrong-value'],
  [{ key: { id: 1, name: 'Lamp' } }, 'wrong-value'],
])('the change %j is refused as %s, in words of our own', async (more, code) => {
  const refused = update(more)
  await expect(refused).rejects.toMatchObject({ code })
  await expect(refused).rejects.toThrow(/^[A-Z"][^\n]*\.$/)
  await expect(refused).rejects.not.toThrow(/goods_|constraint|violates|syntax/)
  expect(await priceOf(1)).toBe('10.50')
})

test('one of two changes at once is written', async () => {
  const both = await Promise.allSettled([
    update({ set: { price: 1 } }),
    update({ set: { price: 2 } }),
  ])
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  const lost = both.find((each) => each.status === 'rejected')
  expect(lost?.reason).toMatchObject({ code: 'changed' })
})

test('an enumeration, a time and JSON are written as their types, and what is read of a row is enough', async () => {
  const set = { kind: 'cross', seen: '2026-01-01 12:00', facts: '[1]' }
  const was = { kind: 'calm', seen: '2026-01-02 01:04:05+00', facts: null }
  expect(await update({ set, was })).toMatchObject({
    kind: 'cross',
    seen: '2026-01-01 12:00:00+00',
    facts: '[1]',
  })
})

test.each([
  [{ insertColumns: ['made'] }, 'insertColumns'],
  [{ insertColumns: ['tags'] }, 'insertColumns'],
  [{ insertColumns: ['deleted_at'] }, 'insertColumns'],
  [{ updateColumns: ['id'] }, 'updateColumns'],
  [{ updateColumns: ['seller'] }, 'updateColumns'],
  [{ columns: ['id'], insertColumns: ['name'], updateColumns: [] }, 'insertColumns'],
  [
    { columns: ['name'], insertColumns: ['name'], updateColumns: [], ownerColumn: null },
    'insertColumns',
  ],
])('opening for writing %j is refused beside %s', async (more, field) => {
  const opening = site.more({
    ...goods,
    columns: [...columns, 'made', 'tags', 'deleted_at'],
    ...more,
  })
  expect(Object.keys(await refusedFields(opening))).toEqual([field])
})

test("no table of the console's own database can be opened for writing", async () => {
  const { id } = await dataSourceVerbs.create(site.admin, { name: 'console', kind: 'console' })
  const users = { id, schema: 'public', name: 'groups', columns: ['id', 'name'] }
  for (const field of ['insertColumns', 'updateColumns'] as const) {
    const refused = openTable(site.admin, { ...users, [field]: ['name'] })
    expect(await refusedFields(refused)).toEqual({
      [field]: "Tools never write the console's own database.",
    })
  }
  // As if it had been opened by other means.
  await openTable(site.admin, users)
  await db().dataSourceTable.updateMany({
    where: { dataSourceId: id },
    data: { updateColumns: ['name'] },
  })
  const written = update({
    table: 'groups',
    key: { id: site.groupId },
    set: { name: 'x' },
    was: { name: 'Support' },
  })
  await expect(written).rejects.toMatchObject({ code: 'not-found' })
})
