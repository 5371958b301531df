'use server'
import { z } from 'zod'
import { allowGroup } from '@/lib/domains/configurations/policy-verbs'
import {
  addGroupMember,
  createGroup,
  deleteGroup,
  removeGroupMember,
  updateGroup,
} from '@/lib/domains/groups/verbs'
import { pageUsers } from '@/lib/domains/users/reads'
import { UserFilter } from '@/lib/domains/users/schemas'
import { action, customAction } from '@/lib/kernel/action'

export const addGroup = action(createGroup, { refresh: '/groups' })
export const changeGroup = action(updateGroup)
export const removeGroup = action(deleteGroup, { refresh: '/groups' })

export const addMember = action(addGroupMember)
export const removeMember = action(removeGroupMember)
export const setConfiguration = action(allowGroup)

/** Finds people to add by name or e-mail address, a few at a time. */
export const findPeople = customAction(
  z.object({ search: z.string().trim().max(200) }),
  'admin',
  async (ctx, { search }) => {
    const { rows, total } = await pageUsers(ctx, UserFilter.parse({ search, pageSize: 8 }))
    return { rows: rows.map(({ id: userId, name, email }) => ({ id: userId, name, email })), total }
  },
)
