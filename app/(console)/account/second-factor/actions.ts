'use server'
import {
  removeFactor,
  renameFactor,
  renewRecoveryCodes,
} from '@toolgate/server/auth/factors/change-second-factor'
import {
  addPasskey,
  NewPasskey,
  passkeyEnrolment,
} from '@toolgate/server/auth/factors/enrol-passkey'
import { beginTotp, confirmTotp } from '@toolgate/server/auth/factors/totp'
import { z } from 'zod'
import { action, customAction } from '@/lib/next/action'

const beforeSecondFactor = true
// A stolen session must not be enough to add a way to sign in. The two below are by hand, because the request for a
// passkey belongs to one session.
const setUp = { confirmed: true, beforeSecondFactor }

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

export const beginApp = action(beginTotp, { beforeSecondFactor })
export const finishApp = action(confirmTotp, { beforeSecondFactor })
export const rename = action(renameFactor)
export const remove = action(removeFactor)
export const renewCodes = action(renewRecoveryCodes)
