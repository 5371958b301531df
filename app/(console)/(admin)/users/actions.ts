'use server'
import { switchOnApiKey } from '@toolgate/server/domains/api-keys/checked-verbs'
import { budgetVerbs } from '@toolgate/server/domains/budgets/verbs'
import {
  addGroupMember,
  groupVerbs,
  removeGroupMember,
} from '@toolgate/server/domains/groups/verbs'
import { inviteUser, revokeLink } from '@toolgate/server/domains/users/account-links'
import {
  endAllSessions,
  endSession,
  resetPassword,
  resetSecondFactor,
} from '@toolgate/server/domains/users/sign-in-verbs'
import { deleteUser, updateUser } from '@toolgate/server/domains/users/verbs'
import { limitApiKey } from '@toolgate/server/joined-verbs'
import { revokeKey } from '@toolgate/server/runs/verbs'
import { action } from '@/lib/next/action'

export const invite = action(inviteUser, { refresh: '/users' })
export const changeUser = action(updateUser)
export const resetSignIn = action(resetPassword)
export const resetFactors = action(resetSecondFactor)
export const revokeUserLink = action(revokeLink)
export const endUserSessions = action(endAllSessions)
export const endUserSession = action(endSession)
export const removeUser = action(deleteUser, { refresh: '/users' })

export const revokeUserKey = action(revokeKey)
export const limitUserKey = action(limitApiKey)
export const switchOnUserKey = action(switchOnApiKey)
export const addInvitedGroup = action(groupVerbs.create)
export const joinGroup = action(addGroupMember)
export const leaveGroup = action(removeGroupMember)

export const changeUserBudget = action(budgetVerbs.update)
