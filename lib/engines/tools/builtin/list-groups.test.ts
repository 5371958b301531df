import { expect, it } from 'vitest'
import { callToolDirectly } from '@/tests/support/call-tool-directly'
import type { GroupLine } from '../tool-resources'
import listGroups from './list-groups'

const group: GroupLine = {
  id: 'g-1',
  name: 'Editors',
  description: '',
  members: 3,
  configurations: ['Demo'],
}

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

it('takes no arguments', async () => {
  await expect(callToolDirectly(listGroups, { limit: 1_000 })).rejects.toThrow('it takes none')
})
