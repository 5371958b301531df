import pg from 'pg'
import { beforeEach, describe, expect, test } from 'vitest'
import { readPersonNames, withPersonNames } from '@/lib/domains/users/person-names'
import { findUsers, listUsers } from '@/lib/domains/users/reads'
import { createUser, deleteUser, updateUser } from '@/lib/domains/users/verbs'
import { ConflictError, ForbiddenError, NotFoundError } from '@/lib/kernel/errors'
import { lockPolicyShared, policyChannel } from '@/lib/kernel/policy-lock'
import { db, withTransaction } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'

const password = 'lamp river quiet stone'

/** Begins a change while a call is being decided: it must wait until that is committed. */
async function startWhilePolicyIsRead(change: () => Promise<void>): Promise<void> {
  const changes: Promise<void>[] = []
  await withTransaction(async (tx) => {
    await lockPolicyShared(tx)
    changes.push(change())
    await expect.poll(() => waitingForLocks()).toBe(1)
  })
  await Promise.all(changes)
}

async function waitingForLocks(): Promise<number> {
  const [row] = await db().$queryRaw<{ waiting: number }[]>`
    SELECT count(*)::int AS waiting FROM pg_locks
    WHERE locktype = 'advisory' AND NOT granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`
  return row?.waiting ?? 0
}

beforeEach(async () => {
  await db().user.deleteMany()
})

describe('users', () => {
  test('an admin adds one; it is listed without its password and audited without it', async () => {
    const ctx = await addPerson('admin')
    const input = { email: 'Bo@example.org', name: 'Bo', role: 'member' as const, password }
    const { userId } = await createUser(ctx, input)
    const bo = (await listUsers(ctx)).find(({ id }) => id === userId)
    expect(bo).toMatchObject({
      email: 'bo@example.org',
      role: 'member',
      disabled: false,
      groups: [],
    })
    expect(JSON.stringify(bo)).not.toContain('argon2')
    const audit = await db().auditEntry.findFirstOrThrow({ where: { objectId: userId } })
    expect(audit).toMatchObject({ action: 'user.create', actorLabel: ctx.actor.email })
    expect(JSON.stringify(audit)).not.toContain(password)
    await expect(createUser(ctx, input)).rejects.toThrow(ConflictError)
  })

  test('members are refused', async () => {
    const ctx = await addPerson('member')
    const { userId } = ctx.actor
    const input = { email: 'x@example.org', name: 'X', role: 'admin' as const, password }
    await expect(createUser(ctx, input)).rejects.toThrow(ForbiddenError)
    await expect(listUsers(ctx)).rejects.toThrow(ForbiddenError)
    await expect(findUsers(ctx, {})).rejects.toThrow(ForbiddenError)
    await expect(updateUser(ctx, { userId, role: 'admin' })).rejects.toThrow(ForbiddenError)
    await expect(deleteUser(ctx, { userId })).rejects.toThrow(ForbiddenError)
    expect(await db().user.count()).toBe(1)
  })

  test('are found by name and address, a few at a time', async () => {
    const ctx = await addPerson('admin', 'ada@example.org')
    for (let each = 0; each < 9; each++) await addPerson('member', `bo${each}@example.org`)
    const { rows, total } = await findUsers(ctx, { search: 'bo' })
    expect([rows.length, total]).toEqual([8, 9])
    const found = await findUsers(ctx, { search: 'bo3@' })
    expect(found.rows).toEqual([expect.objectContaining({ email: 'bo3@example.org' })])
  })

  test('deleted ones never surface, disabled ones are listed', async () => {
    const ctx = await addPerson('admin')
    const gone = await addPerson('member')
    const off = await addPerson('member')
    await deleteUser(ctx, { userId: gone.actor.userId })
    await updateUser(ctx, { userId: off.actor.userId, disabled: true })
    const listed = await listUsers(ctx)
    expect(listed.map(({ id }) => id)).not.toContain(gone.actor.userId)
    expect(listed.find(({ id }) => id === off.actor.userId)?.disabled).toBe(true)
    await expect(deleteUser(ctx, { userId: gone.actor.userId })).rejects.toThrow(NotFoundError)
    await expect(updateUser(ctx, { userId: '../etc' })).rejects.toThrow(NotFoundError)
  })

  test('are renamed, closed and deleted by an admin, whose reasons stay in the audit beside the address', async () => {
    const ctx = await addPerson('admin')
    const { userId, email } = (await addPerson('member')).actor
    await updateUser(ctx, { userId, name: ' Bo ' })
    await expect(updateUser(ctx, { userId, name: '' })).rejects.toThrow(/Enter a name/)
    expect((await listUsers(ctx)).find(({ id }) => id === userId)?.name).toBe('Bo')
    await updateUser(ctx, { userId, disabled: true, reason: ' Left on Friday ' })
    const tooLong = { reason: 'x'.repeat(501) }
    await expect(deleteUser(ctx, { userId, ...tooLong })).rejects.toThrow(/at most 500/)
    await deleteUser(ctx, { userId, reason: 'Asked for it' })
    const audit = await db().auditEntry.findMany({
      where: { objectId: userId },
      orderBy: { id: 'asc' },
    })
    expect(audit.map(({ action, reason, before }) => ({ action, reason, before }))).toMatchObject([
      { action: 'user.update', reason: '', before: { email } },
      { action: 'user.update', reason: 'Left on Friday', before: { email, disabled: false } },
      { action: 'user.delete', reason: 'Asked for it', before: { email, name: 'Bo' } },
    ])
  })

  test('the last admin can be neither demoted, disabled nor deleted', async () => {
    const ctx = await addPerson('admin')
    const { userId } = ctx.actor
    await expect(updateUser(ctx, { userId, role: 'member' })).rejects.toThrow(ConflictError)
    await expect(updateUser(ctx, { userId, disabled: true })).rejects.toThrow(ConflictError)
    await expect(deleteUser(ctx, { userId })).rejects.toThrow(ConflictError)
    await updateUser(ctx, { userId, name: 'Renamed' })
    const invited = await addPerson('admin')
    await db().user.update({
      where: { id: invited.actor.userId },
      data: { passwordHash: null },
    })
    await expect(updateUser(ctx, { userId, role: 'member' })).rejects.toThrow(/last admin/)
    await deleteUser(ctx, { userId: invited.actor.userId })
  })

  test('facts of a person that the gates read change under the policy lock, with a notification', async () => {
    const ctx = await addPerson('admin')
    const { userId } = (await addPerson('member')).actor
    const listener = new pg.Client({ connectionString: process.env.DATABASE_URL })
    await listener.connect()
    try {
      let notifications = 0
      listener.on('notification', () => {
        notifications += 1
      })
      await listener.query(`LISTEN ${policyChannel}`)
      const changes = [
        () => updateUser(ctx, { userId, role: 'admin' }),
        () => updateUser(ctx, { userId, disabled: true }),
        () => deleteUser(ctx, { userId }),
      ]
      for (const [n, change] of changes.entries()) {
        await startWhilePolicyIsRead(change)
        await expect.poll(() => notifications).toBe(n + 1)
      }
    } finally {
      await listener.end()
    }
  })

  test('admins who demote each other at once leave one', async () => {
    const people = await Promise.all(Array.from({ length: 4 }, () => addPerson('admin')))
    const others = people.map((ctx, n) => ({ ctx, other: people[(n + 1) % people.length] ?? ctx }))
    await Promise.allSettled(
      others.map(({ ctx, other }, n) =>
        n % 2 === 0
          ? updateUser(ctx, { userId: other.actor.userId, role: 'member' })
          : deleteUser(ctx, { userId: other.actor.userId }),
      ),
    )
    const left = { role: 'admin' as const, deletedAt: null, disabledAt: null }
    expect(await db().user.count({ where: left })).toBe(1)
  })
})

test('a label that begins with an address says the name, and keeps the address of a name that two have', async () => {
  const ctx = await addPerson('admin')
  const add = (email: string, name: string) =>
    createUser(ctx, { email, name, role: 'member', password })
  await add('bo@example.org', 'Bo')
  await add('cy@example.org', 'Cy')
  await add('other-cy@example.org', 'Cy')
  const nameOf = await readPersonNames(['bo@example.org', 'cy@example.org', 'gone@example.org'])
  expect(nameOf('bo@example.org')).toBe('Bo')
  expect(nameOf('bo@example.org (in a terminal as root)')).toBe('Bo (in a terminal as root)')
  expect(nameOf('cy@example.org')).toBe('Cy (cy@example.org)')
  expect(nameOf('gone@example.org')).toBe('gone@example.org')
  expect(nameOf('system')).toBe('system')
  const rows = [
    { by: 'bo@example.org' as string | null, at: 1 },
    { by: null, at: 2 },
  ]
  expect(await withPersonNames(rows, ['by'])).toEqual([
    { by: 'Bo', at: 1 },
    { by: null, at: 2 },
  ])
})
