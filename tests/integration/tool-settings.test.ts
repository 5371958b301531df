import pg from 'pg'
import { beforeEach, expect, test } from 'vitest'
import { freezeKey, readFreeze } from '@/lib/domains/settings/read-freeze'
import { listToolOverrides } from '@/lib/domains/tool-settings/reads'
import { resetToolOverride, setToolOverride } from '@/lib/domains/tool-settings/verbs'
import { ForbiddenError } from '@/lib/kernel/errors'
import { lockPolicyShared, policyChannel } from '@/lib/kernel/policy-lock'
import { db, withTransaction } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'

const off = { toolName: 'fetch_logs', enabled: false, reason: 'Too chatty' }

beforeEach(async () => {
  await db().toolOverride.deleteMany()
  await db().auditEntry.deleteMany()
  await db().setting.deleteMany()
})

test('an override says who, when and why, can be changed and taken back; each is audited', async () => {
  const ctx = await addPerson('admin')
  await setToolOverride(ctx, off)
  expect(await listToolOverrides(db())).toMatchObject([{ ...off, changedByLabel: ctx.actor.email }])
  await setToolOverride(ctx, { toolName: 'fetch_logs', enabled: true })
  await resetToolOverride(ctx, { toolName: 'fetch_logs' })
  await resetToolOverride(ctx, { toolName: 'fetch_logs' })
  expect(await listToolOverrides(db())).toEqual([])
  const entries = await db().auditEntry.findMany({ orderBy: { at: 'asc' } })
  expect(entries.map(({ action }) => action)).toEqual([
    'tool.switch-off',
    'tool.switch-on',
    'tool.reset',
  ])
  expect(entries[1]).toMatchObject({ before: { enabled: false, reason: 'Too chatty' } })
})

test('members are refused', async () => {
  const ctx = await addPerson('member')
  await expect(setToolOverride(ctx, off)).rejects.toThrow(ForbiddenError)
  await expect(resetToolOverride(ctx, { toolName: 'fetch_logs' })).rejects.toThrow(ForbiddenError)
  expect(await listToolOverrides(db())).toEqual([])
})

test('a switch waits for a call that is being decided, and tells listeners once it is committed', async () => {
  const ctx = await addPerson('admin')
  const listener = new pg.Client({ connectionString: process.env.DATABASE_URL })
  await listener.connect()
  try {
    await listener.query(`LISTEN ${policyChannel}`)
    const heard = new Promise((resolve) => listener.once('notification', resolve))
    const order: string[] = []
    let switching: Promise<unknown> = Promise.resolve()
    await withTransaction(async (tx) => {
      await lockPolicyShared(tx)
      switching = setToolOverride(ctx, off).then(() => order.push('switched off'))
      await waitingForPolicy()
      expect(await listToolOverrides(tx)).toEqual([])
      order.push('call started')
    })
    await Promise.all([switching, heard])
    expect(order).toEqual(['call started', 'switched off'])
  } finally {
    await listener.end()
  }
})

test('a call decided while a switch is thrown sees the new answer', async () => {
  const ctx = await addPerson('admin')
  await Promise.all([
    setToolOverride(ctx, off),
    ...Array.from({ length: 4 }, () =>
      withTransaction(async (tx) => {
        await lockPolicyShared(tx)
        return listToolOverrides(tx)
      }),
    ),
  ])
  const after = await withTransaction(async (tx) => {
    await lockPolicyShared(tx)
    return listToolOverrides(tx)
  })
  expect(after).toMatchObject([off])
})

test('the freeze: absent means no, unreadable throws', async () => {
  expect(await readFreeze(db())).toBeNull()
  const freeze = { reason: 'Incident', by: 'ana@example.org', at: new Date(0).toISOString() }
  await db().setting.create({ data: { key: freezeKey, value: freeze } })
  expect(await readFreeze(db())).toEqual(freeze)
  await db().setting.updateMany({ data: { value: { nonsense: true } } })
  await expect(readFreeze(db())).rejects.toThrow()
})

/** Resolves when some transaction of this database waits for an advisory lock. */
async function waitingForPolicy(): Promise<void> {
  for (;;) {
    const [row] = await db().$queryRaw<{ waiting: bigint }[]>`
      SELECT count(*) AS waiting FROM pg_locks
      WHERE locktype = 'advisory' AND NOT granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`
    if (row && row.waiting > 0n) return
  }
}
