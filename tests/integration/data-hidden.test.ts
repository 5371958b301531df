import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Ctx } from '@/lib/kernel/context'
import { db } from '@/tests/support/fixture-db'
import { callData, openShopSite } from '@/tests/support/shop-source'

let site: Awaited<ReturnType<typeof openShopSite>>

const secret = 'password=hunter2hunter2'
const shown = 'password=[redacted]'

beforeAll(async () => {
  site = await openShopSite('_hidden')
  await site.shop.ask(
    'CREATE TABLE vouchers (code text PRIMARY KEY, label text, note text, picture bytea, pin text)',
  )
})
beforeEach(async () => {
  await site.shop.ask(
    `INSERT INTO vouchers VALUES ('a1', 'first', 'zebra', '\\x00', '1'), ('b2', 'second', 'zebra', NULL, '2'),
      ('c3', 'third', 'horse', NULL, '4'), ($1, 'secret', $1, NULL, '3')`,
    [secret],
  )
  await site.open(vouchers)
})
afterEach(async () => {
  await db().dataSource.deleteMany()
  await site.shop.ask('TRUNCATE vouchers')
})
afterAll(() => site.shop.close())

const vouchers = {
  name: 'vouchers',
  columns: ['code', 'label', 'note', 'picture'],
  updateColumns: ['label', 'note'],
}

const read = (args: object, who: Ctx = site.member) =>
  site.read(who, { table: 'vouchers', ...args })
const labelsOf = ({ rows }: { rows: { label: string }[] }) => rows.map(({ label }) => label)
const search = async (text: string, limit = 20) => {
  const input = { table: 'vouchers', text, limit }
  const { content, leftOut } = await callData(site.member, 'search_records', input)
  return { ...Object(content), leftOut }
}
const hiddenParts = { what: 'what stands as [redacted]', why: expect.any(String) }
const update = (change: object) =>
  callData(site.admin, 'update_record', { table: 'vouchers', key: { code: 'a1' }, ...change })

/** Returns how a call was refused; its words never say what is hidden. */
const refusal = (input: Promise<unknown>) =>
  input.then(
    () => 'done',
    ({ code, message }) => ({ code, message }),
  )

test('one goes on with what an answer said, and with nothing that was made up', async () => {
  const { next } = await read({ limit: 2 })
  expect(labelsOf(await read({ after: next }))).toEqual(['third', 'secret'])
  const guess = Buffer.from(JSON.stringify(['password=h'])).toString('base64url')
  const [place = '', mac = ''] = String(next).split('.')
  for (const after of [
    'password=h',
    guess,
    `${guess}.${mac}`,
    `${place}.${mac.slice(1)}a`,
    '.',
    `${next}.`,
  ]) {
    expect(await refusal(read({ after }))).toEqual({
      code: 'wrong-cursor',
      message: expect.stringContaining('"after" takes the "next" of an answer before'),
    })
  }
  await expect(read({ after: ['password=h'] })).rejects.toThrow(/after/)
})

test('a place in a table counts for the person, the table and the columns that it was given for', async () => {
  const { next } = await read({ limit: 2 })
  const cursor = { code: 'wrong-cursor' }
  await expect(read({ after: next }, site.admin)).rejects.toMatchObject(cursor)
  await site.shop.ask('CREATE TABLE IF NOT EXISTS vouchers_old (LIKE vouchers INCLUDING ALL)')
  await site.more({ ...vouchers, name: 'vouchers_old' })
  await expect(read({ table: 'vouchers_old', after: next })).rejects.toMatchObject(cursor)
  await site.more({ ...vouchers, columns: ['code', 'label', 'note'] })
  await expect(read({ after: next })).rejects.toMatchObject(cursor)
  await site.more(vouchers)
  expect(labelsOf(await read({ after: next }))).toEqual(['third', 'secret'])
})

test.each([
  ['of a closed column', { column: 'pin', value: '3' }, '"pin"'],
  ['of a closed column, empty', { column: 'pin', value: null }, '"pin"'],
  ['of a column that is not there', { column: 'none', value: '3' }, '"none"'],
  ['with the hidden value', { column: 'note', value: secret }, '"note"'],
  ['with another such value', { column: 'note', value: 'password=hunter3hunter3' }, '"note"'],
  ['with the hidden key', { column: 'code', value: secret }, '"code"'],
  ['with bytes, which are never shown', { column: 'picture', value: '\\x00' }, '"picture"'],
])('a filter %s is refused by the name of the column', async (_what, filter, name) => {
  expect(await refusal(read({ filters: [filter] }))).toEqual({
    code: 'column-hidden',
    message: expect.stringContaining(name),
  })
})

test('a search answers the same whether or not the text is in a hidden part', async () => {
  for (const note of ['password=zebra12zebra12', 'password=camel12camel12']) {
    await site.shop.ask(`UPDATE vouchers SET note = $1 WHERE code = 'a1'`, [note])
    await site.shop.ask(`UPDATE vouchers SET note = 'zebra' WHERE code = 'c3'`)
    const { rows, leftOut } = await search('zebra', 1)
    expect(rows).toMatchObject([{ label: 'second' }])
    expect(leftOut).toEqual([
      { what: 'rows after the first 1', why: 'the limit of this call' },
      hiddenParts,
    ])
  }
  expect(await search('hunter2')).toMatchObject({ rows: [], leftOut: [hiddenParts] })
  expect(await refusal(search(secret))).toMatchObject({ code: 'column-hidden' })
})

test('a search shows no half of a secret at the end of what it reads', async () => {
  const key = 'da39a3ee5e6b4b0d3255bfef95601890afd80709'
  const note = `${'word '.repeat(1_994)}needle ${key}`
  await site.shop.ask(`UPDATE vouchers SET note = $1 WHERE code = 'a1'`, [note])
  const [found] = (await search('needle')).rows
  expect(found.note).toContain('needle')
  expect(found.note).not.toContain('da39a3')
})

test('a search reads as many characters as the database, also of those that are two units', async () => {
  const note = `${'\u{1f600}'.repeat(6_000)} needle`
  await site.shop.ask(`UPDATE vouchers SET note = $1 WHERE code = 'a1'`, [note])
  const { rows, leftOut } = await search('needle')
  expect(rows).toMatchObject([{ label: 'first' }])
  expect(leftOut).not.toContainEqual(
    expect.objectContaining({ what: expect.stringContaining('first 10,000') }),
  )
})

test('rows do not come in the order of a closed key', async () => {
  await site.shop.ask('TRUNCATE vouchers')
  await site.shop.ask(`INSERT INTO vouchers VALUES ('z', 'first'), ('a', 'second'), ('m', 'third')`)
  await site.more({ name: 'vouchers', columns: ['label'] })
  expect(labelsOf(await read({}))).toEqual(['first', 'second', 'third'])
})

test('a change is not compared with a value that is hidden', async () => {
  await site.shop.ask(`UPDATE vouchers SET note = $1 WHERE code = 'a1'`, [secret])
  for (const note of [secret, 'password=hunter3hunter3', 'something else', null]) {
    expect(await refusal(update({ set: { note: 'new' }, was: { note } }))).toEqual({
      code: 'column-hidden',
      message: expect.stringContaining('"note"'),
    })
  }
  const done = await update({ set: { note: 'new' }, was: { note: shown } })
  expect(done).toMatchObject({ content: { updated: { note: 'new' } } })
  const bytes = { what: 'the bytes of 1 value', why: 'only their number is shown' }
  expect(done.leftOut).toEqual([bytes])
})

test.each([secret, 'password=hunter3hunter3'])(
  'no row is named by the hidden key %s',
  async (code) => {
    const changed = update({ key: { code }, set: { label: 'x' }, was: { label: 'secret' } })
    expect(await refusal(changed)).toMatchObject({ code: 'column-hidden' })
    await site.more({ name: 'orders', columns: ['id', 'note', 'placed_at'] })
    const history = { historyTable: 'public.orders', historyKey: 'note', historyAt: 'placed_at' }
    await site.more({ ...vouchers, ...history })
    const request = callData(site.member, 'get_record_history', {
      table: 'vouchers',
      key: { code },
    })
    expect(await refusal(request)).toMatchObject({ code: 'column-hidden' })
  },
)
