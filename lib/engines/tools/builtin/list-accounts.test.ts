import { expect, it } from 'vitest'
import { callToolDirectly } from '@/tests/support/call-tool-directly'
import type { GroupLine, UserLine } from '../tool-resources'
import listGroups from './list-groups'
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
const group: GroupLine = {
  id: 'g-1',
  name: 'Editors',
  description: '',
  members: 3,
  configurations: ['Demo'],
}

it('lists users with disabled ones and without anything else a row may carry', async () => {
  const row = { ...user, passwordHash: '$argon2id$secret', sessions: ['s-1'] }
  const { content } = await callToolDirectly(
    listUsers,
    {},
    { listUsers: async () => ({ total: 1, users: [row] }) },
  )
  expect(content).toEqual({ total: 1, shown: 1, users: [user] })
})

it('lists at most 200 users and says how many there are', async () => {
  const users = Array.from({ length: 300 }, () => user)
  const { content } = await callToolDirectly(
    listUsers,
    {},
    { listUsers: async () => ({ total: 300, users }) },
  )
  expect(content).toMatchObject({ total: 300, shown: 200 })
  expect(content).toHaveProperty('users.length', 200)
})

it('lists at most 200 groups and says how many there are', async () => {
  const requests: number[] = []
  const resources = {
    listGroups: async (limit: number) => {
      requests.push(limit)
      return {
        total: 201,
        groups: Array.from({ length: limit }, () => ({ ...group, secretNote: 'x' })),
      }
    },
  }
  const { content } = await callToolDirectly(listGroups, {}, resources)
  expect(requests).toEqual([200])
  expect(content).toMatchObject({ total: 201, shown: 200 })
  expect(content).toHaveProperty('groups.0', group)
})

it.each([listUsers, listGroups])('takes no arguments ($name)', async (tool) => {
  await expect(callToolDirectly(tool, { limit: 1_000 })).rejects.toThrow('it takes none')
})
