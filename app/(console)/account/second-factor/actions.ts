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
import { beginTotp, ConfirmTotp, confirmTotp } from '@/lib/auth/enrol-totp'
import { action } from '@/lib/kernel/action'

// A stolen session must not be enough to add or remove a way to sign in, so these actions confirm who asks.
const confirmed = { confirmed: true }
const setUp = { confirmed: true, beforeSecondFactor: true }

export const beginPasskey = action(
  z.null(),
  'member',
  (ctx, _input, { sessionId }) => passkeyEnrolment(ctx, sessionId),
  setUp,
)

export const finishPasskey = action(
  NewPasskey,
  'member',
  (ctx, input, { sessionId }) => addPasskey(ctx, input, sessionId),
  setUp,
)

export const beginApp = action(z.null(), 'member', (ctx) => beginTotp(ctx), setUp)

export const finishApp = action(
  ConfirmTotp,
  'member',
  (ctx, input) => confirmTotp(ctx, input),
  setUp,
)

export const rename = action(RenameFactor, 'member', (ctx, input) => renameFactor(ctx, input))

export const remove = action(
  RemoveFactor,
  'member',
  (ctx, input) => removeFactor(ctx, input),
  confirmed,
)

export const renewCodes = action(z.null(), 'member', (ctx) => renewRecoveryCodes(ctx), confirmed)
