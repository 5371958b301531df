'use server'
import { allowGroup } from '@/lib/domains/configurations/policy-verbs'
import {
  addGroupMember,
  createGroup,
  deleteGroup,
  removeGroupMember,
  updateGroup,
} from '@/lib/domains/groups/verbs'
import { findUsers } from '@/lib/domains/users/reads'
import { action } from '@/lib/kernel/action'

export const addGroup = action(createGroup, { refresh: '/groups' })
export const changeGroup = action(updateGroup)
export const removeGroup = action(deleteGroup, { refresh: '/groups' })

export const addMember = action(addGroupMember)
export const removeMember = action(removeGroupMember)
export const setConfiguration = action(allowGroup)
export const findPeople = action(findUsers)
