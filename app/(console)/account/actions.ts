'use server'
import { z } from 'zod'
import { changeOwnPassword } from '@/lib/auth/change-own-password'
import { currentSession } from '@/lib/auth/require-user'
import { createApiKey } from '@/lib/domains/api-keys/create-api-key'
import { CreateApiKey } from '@/lib/domains/api-keys/schemas'
import { endAllSessions } from '@/lib/domains/users/end-all-sessions'
import { endSession } from '@/lib/domains/users/end-session'
import { ChangePassword } from '@/lib/domains/users/new-password'
import { OwnName, renameOneself } from '@/lib/domains/users/update-user'
import { customAction } from '@/lib/kernel/action'
import { UnauthenticatedError } from '@/lib/kernel/errors'
import { RevokeKey, revokeKey as revokeKeyAndRuns } from '@/lib/runs/revoke-key'

async function ownSessionId(): Promise<string> {
  const session = await currentSession()
  if (!session) throw new UnauthenticatedError()
  return session.sessionId
}

export const rename = customAction(OwnName, 'member', (ctx, input) => renameOneself(ctx, input))

export const changePassword = customAction(ChangePassword, 'member', async (ctx, input) =>
  changeOwnPassword(ctx, input, await ownSessionId()),
)

export const endOwnSession = customAction(
  z.object({ sessionId: z.string().max(100) }),
  'member',
  (ctx, { sessionId }) => endSession(ctx, sessionId),
)

export const endOtherSessions = customAction(z.null(), 'member', async (ctx) =>
  endAllSessions(ctx, ctx.actor.userId, { exceptId: await ownSessionId() }),
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
