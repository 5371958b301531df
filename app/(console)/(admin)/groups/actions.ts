'use server'
import { allowGroup } from '@toolgate/server/domains/configurations/policy-verbs'
import {
  addGroupMember,
  groupVerbs,
  removeGroupMember,
} from '@toolgate/server/domains/groups/verbs'
import { findUsers } from '@toolgate/server/domains/users/reads'
import { limitGroup } from '@toolgate/server/joined-verbs'
import { action } from '@/lib/next/action'

export const addGroup = action(groupVerbs.create, { refresh: '/groups' })
export const removeGroup = action(groupVerbs.remove, { refresh: '/groups' })

export const addMember = action(addGroupMember)
export const removeMember = action(removeGroupMember)
export const setConfiguration = action(allowGroup)
export const limitTools = action(limitGroup)
export const findPeople = action(findUsers)
