'use server'
import { revalidatePath } from 'next/cache'
import { z } from 'zod'
import { requireFreshProof } from '@/lib/auth/confirm-identity'
import { WithReason } from '@/lib/domains/audit/audit-reason'
import { addGroupMember, removeGroupMember } from '@/lib/domains/groups/verbs'
import { deleteUser } from '@/lib/domains/users/delete-user'
import { endAllSessions } from '@/lib/domains/users/end-all-sessions'
import { endSession } from '@/lib/domains/users/end-session'
import { inviteUser } from '@/lib/domains/users/invite-user'
import { resetPassword } from '@/lib/domains/users/reset-password'
import { resetSecondFactor } from '@/lib/domains/users/reset-second-factor'
import { revokeLink } from '@/lib/domains/users/revoke-link'
import { InviteUser, UpdateUser } from '@/lib/domains/users/schemas'
import { updateUser } from '@/lib/domains/users/update-user'
import { customAction } from '@/lib/kernel/action'
import { RevokeKey, revokeKey as revokeKeyAndRuns } from '@/lib/runs/revoke-key'

const OneUser = z.object({ userId: z.string().max(100) })
const Membership = OneUser.extend({
  groupId: z.string().max(100),
  member: z.boolean(),
  ...WithReason.shape,
})

// A stolen admin session must not be enough to create a lasting way to sign in, so these actions confirm who asks.
const confirmed = { confirmed: true }

export const invite = customAction(
  InviteUser,
  'admin',
  async (ctx, input) => {
    const answer = await inviteUser(ctx, input)
    revalidatePath('/users')
    return answer
  },
  confirmed,
)

export const changeUser = customAction(
  OneUser.extend(UpdateUser.shape),
  'admin',
  async (ctx, { userId, ...change }, session) => {
    if (change.role === 'admin') requireFreshProof(session)
    return updateUser(ctx, userId, change)
  },
)

export const resetSignIn = customAction(
  OneUser.extend(WithReason.shape),
  'admin',
  (ctx, { userId, reason }) => resetPassword(ctx, userId, { reason }),
  confirmed,
)

export const resetFactors = customAction(
  OneUser.extend(WithReason.shape),
  'admin',
  (ctx, { userId, reason }) => resetSecondFactor(ctx, userId, { reason }),
  confirmed,
)

export const revokeUserLink = customAction(OneUser, 'admin', (ctx, { userId }) =>
  revokeLink(ctx, userId),
)

export const endUserSessions = customAction(
  OneUser.extend(WithReason.shape),
  'admin',
  (ctx, { userId, reason }) => endAllSessions(ctx, userId, { reason }),
)

export const endUserSession = customAction(
  z.object({ sessionId: z.string().max(100) }),
  'admin',
  (ctx, { sessionId }) => endSession(ctx, sessionId),
)

export const revokeUserKey = customAction(
  z.object({ keyId: z.string().max(100), ...RevokeKey.shape }),
  'admin',
  (ctx, { keyId, ...input }) => revokeKeyAndRuns(ctx, keyId, input),
)

export const removeUser = customAction(
  OneUser.extend(WithReason.shape),
  'admin',
  async (ctx, { userId, reason }) => {
    await deleteUser(ctx, userId, { reason })
    revalidatePath('/users')
  },
)

export const setMembership = customAction(Membership, 'admin', (ctx, input) => {
  const { userId, groupId, member, reason } = input
  if (member) return addGroupMember(ctx, { groupId, userId })
  return removeGroupMember(ctx, { groupId, userId, reason })
})
