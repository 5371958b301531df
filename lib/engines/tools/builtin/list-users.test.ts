import { expect, it } from 'vitest'
import { callToolDirectly } from '@/tests/support/call-tool-directly'
import type { UserLine } from '../tool-resources'
import listUsers from './list-users'

const user: UserLine = {
  id: 'u-1',
  email: 'ada@example.com',
  name: 'Ada',
  role: 'admin',
  disabled: true,
  suspendedFor: null,
  groups: ['Editors'],
  createdAt: '2026-01-01T00:00:00.000Z',
  lastSignInAt: null,
}
const call = (args: object, total: number, users: UserLine[]) =>
  callToolDirectly(listUsers, args, { listUsers: async () => ({ total, users }) })

it('lists users with disabled ones and without anything else a row may carry', async () => {
  const row = { ...user, passwordHash: '$argon2id$secret', sessions: ['s-1'] }
  const { content } = await call({}, 1, [row])
  expect(content).toEqual({ total: 1, shown: 1, users: [user] })
})

it('lists at most 200 users and says how many there are', async () => {
  const users = Array.from({ length: 300 }, () => user)
  const { content } = await call({}, 300, users)
  expect(content).toMatchObject({ total: 300, shown: 200 })
  expect(content).toHaveProperty('users.length', 200)
})

it('takes no arguments', async () => {
  await expect(call({ limit: 1_000 }, 0, [])).rejects.toThrow('it takes none')
})
