'use server'
import { z } from 'zod'
import { WithReason } from '@/lib/domains/audit/audit-reason'
import { addGroupMember, removeGroupMember } from '@/lib/domains/groups/verbs'
import { inviteUser, revokeLink } from '@/lib/domains/users/account-links'
import {
  endAllSessions,
  endSession,
  resetPassword,
  resetSecondFactor,
} from '@/lib/domains/users/sign-in-verbs'
import { deleteUser, updateUser } from '@/lib/domains/users/verbs'
import { action, customAction } from '@/lib/kernel/action'
import { revokeKey } from '@/lib/runs/verbs'

const Membership = z.object({
  userId: z.string().max(100),
  groupId: z.string().max(100),
  member: z.boolean(),
  ...WithReason.shape,
})

export const invite = action(inviteUser, { refresh: '/users' })
export const changeUser = action(updateUser)
export const resetSignIn = action(resetPassword)
export const resetFactors = action(resetSecondFactor)
export const revokeUserLink = action(revokeLink)
export const endUserSessions = action(endAllSessions)
export const endUserSession = action(endSession)
export const removeUser = action(deleteUser, { refresh: '/users' })

export const revokeUserKey = action(revokeKey)

export const setMembership = customAction(Membership, 'admin', (ctx, input) => {
  const { userId, groupId, member, reason } = input
  if (member) return addGroupMember(ctx, { groupId, userId })
  return removeGroupMember(ctx, { groupId, userId, reason })
})
