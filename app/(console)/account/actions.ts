'use server'
import { z } from 'zod'
import { changeOwnPassword } from '@/lib/auth/change-own-password'
import { createApiKey } from '@/lib/domains/api-keys/create-api-key'
import { CreateApiKey } from '@/lib/domains/api-keys/schemas'
import { ChangePassword } from '@/lib/domains/users/schemas'
import { endAllSessions, endSession } from '@/lib/domains/users/sign-in-verbs'
import { renameOneself } from '@/lib/domains/users/verbs'
import { action, customAction } from '@/lib/kernel/action'
import { RevokeKey, revokeKey as revokeKeyAndRuns } from '@/lib/runs/revoke-key'

export const rename = action(renameOneself)
export const endOwnSession = action(endSession)

export const changePassword = customAction(ChangePassword, 'member', (ctx, input, { sessionId }) =>
  changeOwnPassword(ctx, input, sessionId),
)

export const endOtherSessions = customAction(z.null(), 'member', (ctx, _, { sessionId }) =>
  endAllSessions(ctx, { userId: ctx.actor.userId, exceptId: sessionId }),
)

/** Creates keys for the person who is signed in. Keys for others are created on the command line. */
export const makeKey = customAction(
  CreateApiKey.omit({ userId: true }),
  'member',
  (ctx, input) => createApiKey(ctx, input),
  {
    confirmed: true,
  },
)

export const revokeKey = customAction(
  z.object({ keyId: z.string().max(100), ...RevokeKey.shape }),
  'member',
  (ctx, { keyId, ...input }) => revokeKeyAndRuns(ctx, keyId, input),
)
