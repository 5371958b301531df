'use server'
import { changeOwnPassword } from '@toolgate/server/auth/change-own-password'
import { CreateApiKey } from '@toolgate/server/domains/api-keys/schemas'
import { ChangePassword } from '@toolgate/server/domains/users/schemas'
import { endAllSessions, endSession } from '@toolgate/server/domains/users/sign-in-verbs'
import { renameOneself } from '@toolgate/server/domains/users/verbs'
import { createApiKey, limitApiKey } from '@toolgate/server/joined-verbs'
import { revokeKey as revokeKeyAndRuns } from '@toolgate/server/runs/verbs'
import { connectAccount } from '@toolgate/server/toolset/servers/accounts/connect'
import { disconnectAccounts } from '@toolgate/server/toolset/servers/accounts/verbs'
import { z } from 'zod'
import { action, customAction } from '@/lib/next/action'
import { keepSession } from '@/lib/next/require-user'

export const rename = action(renameOneself)
export const endOwnSession = action(endSession)

// By hand: it needs the session, which stays when the others end.
export const changePassword = customAction(
  ChangePassword,
  'member',
  async (ctx, input, session) => {
    const { sessionId, ...ended } = await changeOwnPassword(ctx, input, session.sessionId)
    await keepSession(sessionId)
    return ended
  },
)

// By hand, for the same reason.
export const endOtherSessions = customAction(z.null(), 'member', (ctx, _, { sessionId }) =>
  endAllSessions(ctx, { userId: ctx.actor.userId, exceptId: sessionId }),
)

/**
 * A key belongs to the signed-in person. Only a terminal may name another owner: a browser with that person's key could
 * act as them.
 */
export const makeKey = customAction(CreateApiKey.omit({ userId: true }), 'member', (ctx, key) =>
  createApiKey(ctx, key),
)
export const revokeKey = action(revokeKeyAndRuns)
export const limitKey = action(limitApiKey)
export const connectServer = action(connectAccount)
export const disconnectServer = action(disconnectAccounts)
