'use server'
import { z } from 'zod'
import {
  RemoveFactor,
  RenameFactor,
  removeFactor,
  renameFactor,
  renewRecoveryCodes,
} from '@/lib/auth/change-second-factor'
import { addPasskey, NewPasskey, passkeyEnrolment } from '@/lib/auth/enrol-passkey'
import { beginTotp, ConfirmTotp, confirmTotp } from '@/lib/auth/totp'
import { customAction } from '@/lib/kernel/action'

// A stolen session must not be enough to add or remove a way to sign in, so these actions confirm the identity.
const confirmed = { confirmed: true }
const setUp = { confirmed: true, beforeSecondFactor: true }

export const beginPasskey = customAction(
  z.null(),
  'member',
  (ctx, _input, { sessionId }) => passkeyEnrolment(ctx, sessionId),
  setUp,
)

export const finishPasskey = customAction(
  NewPasskey,
  'member',
  (ctx, input, { sessionId }) => addPasskey(ctx, input, sessionId),
  setUp,
)

export const beginApp = customAction(z.null(), 'member', (ctx) => beginTotp(ctx), setUp)

export const finishApp = customAction(
  ConfirmTotp,
  'member',
  (ctx, input) => confirmTotp(ctx, input),
  setUp,
)

export const rename = customAction(RenameFactor, 'member', (ctx, input) => renameFactor(ctx, input))

export const remove = customAction(
  RemoveFactor,
  'member',
  (ctx, input) => removeFactor(ctx, input),
  confirmed,
)

export const renewCodes = customAction(
  z.null(),
  'member',
  (ctx) => renewRecoveryCodes(ctx),
  confirmed,
)
