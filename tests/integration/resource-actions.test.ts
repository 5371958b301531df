import { randomUUID } from 'node:crypto'
import { encode } from 'next-auth/jwt'
import { expect, test } from 'vitest'
import { createObject, removeObject, updateObject } from '@/app/(console)/(admin)/resource-actions'
import { sessionCookieName } from '@/lib/auth/session-cookie'
import { env } from '@/lib/kernel/env'
import { db } from '@/tests/support/fixture-db'
import { browser } from '@/tests/support/next-request'
import { addSignedInPerson } from '@/tests/support/second-factor'

const reason = 'Asked for by Kim'

/** Opens the console for a new person, as a page of this origin. */
async function openConsole(role: 'admin' | 'member', origin = 'http://localhost:3000') {
  const person = await addSignedInPerson(role)
  const secret = env().NEXTAUTH_SECRET
  browser.cookie = await encode({ token: { sid: person.sessionId }, secret })
  const cookie = `${sessionCookieName()}=${browser.cookie}`
  browser.headers = new Headers({ origin, host: 'localhost:3000', cookie })
  return person
}

const group = () => ({ name: `Team ${randomUUID()}`, description: '' })

test('an object of a noun is added, changed and deleted, and the audit says by whom and why', async () => {
  const { userId } = await openConsole('admin')
  const added = await createObject('group', group())
  if (!added.ok) throw new Error(added.error.message)
  const { id } = Object(added.value)
  expect(await updateObject('group', { id, description: 'On call', reason })).toMatchObject({
    ok: true,
  })
  expect(await db().group.findUnique({ where: { id } })).toMatchObject({ description: 'On call' })
  expect(await removeObject('group', { id, reason })).toMatchObject({ ok: true })
  const rows = await db().auditEntry.findMany({ where: { objectId: id }, orderBy: { id: 'asc' } })
  expect(rows.map(({ actorId, action, reason: why }) => [actorId, action, why])).toEqual([
    [userId, 'group.create', ''],
    [userId, 'group.update', reason],
    [userId, 'group.delete', reason],
  ])
})

test.each(['groups', 'user', '', '__proto__', 'constructor'])(
  'a noun "%s" that nothing has is refused in words',
  async (noun) => {
    await openConsole('admin')
    for (const act of [createObject, updateObject, removeObject]) {
      expect(await act(noun, group())).toMatchObject({
        ok: false,
        error: { code: 'not-found', message: expect.stringContaining('This kind of object') },
      })
    }
  },
)

test.each([undefined, null, 'group', [], { name: 1 }])(
  'an input that is not one of the noun is refused: %j',
  async (input) => {
    await openConsole('admin')
    expect(await createObject('group', input)).toMatchObject({
      ok: false,
      error: { code: 'invalid-input' },
    })
    for (const noun of [undefined, null, {}, ['group']]) {
      // A browser sends what it likes.
      expect(await createObject(noun as unknown as string, input)).toMatchObject({
        ok: false,
        error: { code: 'invalid-input' },
      })
    }
  },
)

test('members, people of other sites and nobody are refused, each in words', async () => {
  const codes = []
  const { name } = group()
  await openConsole('member')
  codes.push(await createObject('group', { name }))
  await openConsole('admin', 'https://evil.example')
  codes.push(await createObject('group', { name }))
  await openConsole('admin')
  browser.cookie = ''
  codes.push(await createObject('group', { name }))
  expect(codes.map((result) => (result.ok ? 'done' : result.error.code))).toEqual([
    'forbidden',
    'forbidden',
    'unauthenticated',
  ])
  expect(await db().group.count({ where: { name } })).toBe(0)
})
