'use server'
import {
  ConfirmIdentity,
  confirmIdentity,
  waysToConfirm,
} from '@toolgate/server/auth/confirm-identity'
import { passkeyRequest } from '@toolgate/server/auth/factors/verify-passkey'
import { z } from 'zod'
import { customAction } from '@/lib/next/action'
import { keepSession } from '@/lib/next/require-user'

// By hand: these confirm who has this session, and write that into it.
const beforeSecondFactor = { beforeSecondFactor: true }

export const readWaysToConfirm = customAction(z.null(), 'member', waysToConfirm, beforeSecondFactor)

export const confirm = customAction(
  ConfirmIdentity,
  'member',
  async (ctx, input, { sessionId }) => keepSession(await confirmIdentity(ctx, input, sessionId)),
  beforeSecondFactor,
)

export const passkeyToConfirm = customAction(
  z.null(),
  'member',
  (ctx, _input, { sessionId }) =>
    passkeyRequest({ purpose: 'confirm', subject: sessionId }, ctx.actor.userId),
  beforeSecondFactor,
)
