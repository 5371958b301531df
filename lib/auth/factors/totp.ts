import { generateSecret, generateURI, verifySync } from 'otplib'
import { toString as qrCode } from 'qrcode'
import { z } from 'zod'
import { removeTotpApps } from '@/lib/domains/users/access'
import { openSecret, storeSecret } from '@/lib/domains/vault/secrets'
import { changed, verb } from '@/lib/edge/verb'
import type { ChangeTx } from '@/lib/kernel/db'
import { ConflictError, NotFoundError, ValidationError } from '@/lib/kernel/errors'
import { newId } from '@/lib/kernel/new-id'
import { parseId } from '@/lib/kernel/parse-id'
import { Name } from '@/lib/shape/identifier'
import {
  EnrolledFactor,
  firstRecoveryCodes,
  lockLocalAccount,
  makeFirstCodes,
  mostFactors,
} from './second-factor'

const periodSeconds = 30

/** Returns a new secret for an authenticator app: 160 random bits as base32 text. */
function newTotpSecret(): string {
  return generateSecret({ length: 20 })
}

/** Returns the `otpauth:` address that an authenticator app reads from a QR code. It holds the secret. */
function totpAddress(secret: string, email: string): string {
  return generateURI({ issuer: 'Toolgate', label: email, secret })
}

/**
 * Returns the time step whose code this is (RFC 6238, SHA-1, 6 digits, 30 s): the present one, or for 15 s on
 * each side a neighbour, and later than `lastStep`. Null when it is none.
 */
export function totpStep(
  secret: string,
  code: string,
  lastStep: bigint | null,
  now: Date,
): bigint | null {
  const epoch = Math.floor(now.getTime() / 1000)
  const newest = Math.floor(epoch / periodSeconds) + 1
  if (!/^\d{6}$/.test(code) || (lastStep !== null && lastStep >= newest)) return null
  const result = verifySync({
    secret,
    token: code,
    epoch,
    epochTolerance: periodSeconds / 2,
    ...(lastStep !== null && { afterTimeStep: Number(lastStep) }),
  })
  return result.valid && 'timeStep' in result ? BigInt(result.timeStep) : null
}

/**
 * Accepts a code of one of the account's apps once, and then no code of the same or an earlier time step. Returns false
 * for any other code. Call it with the account's row locked.
 */
export async function acceptTotpCode(
  tx: ChangeTx,
  userId: string,
  code: string,
  now: Date,
): Promise<boolean> {
  const apps = await tx.totpApp.findMany({ where: { userId, confirmedAt: { not: null } } })
  for (const { id, lastStep } of apps) {
    const step = totpStep(await openSecret(tx, id), code, lastStep, now)
    if (step === null) continue
    await tx.totpApp.update({ where: { id }, data: { lastStep: step, lastUsedAt: now } })
    return true
  }
  return false
}

const confirmWithinMs = 15 * 60_000

/** `secret` and `picture`, the same as a QR code (a data: address), are shown this once. */
const TotpEnrolment = z.object({ appId: z.string(), secret: z.string(), picture: z.string() })
export type TotpEnrolment = z.infer<typeof TotpEnrolment>

/** It is active after its first right code. */
export const beginTotp = verb({
  name: 'second-factor.begin',
  role: 'member',
  scope: null,
  summary: 'Begins to add an authenticator app to the caller’s account.',
  input: z.object({}),
  output: TotpEnrolment,
  needsReauthentication: () => true,
  run: async ({ tx, actor: { userId, email } }) => {
    const secret = newTotpSecret()
    const appId = newId()
    await lockLocalAccount(tx, userId)
    await removeTotpApps(tx, { userId, confirmedAt: null })
    if ((await tx.totpApp.count({ where: { userId } })) >= mostFactors) {
      throw new ConflictError(`An account has at most ${mostFactors} apps. Remove one first.`)
    }
    // The secret is encrypted with the id of the app's row, so it can be decrypted for no other row.
    await storeSecret(tx, { purpose: 'totp', id: appId, plaintext: secret, hidden: true })
    await tx.totpApp.create({ data: { id: appId, userId, name: '' } })
    const svg = await qrCode(totpAddress(secret, email), { type: 'svg', margin: 2 })
    const picture = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
    const after = { kind: 'app' }
    return changed({ appId, secret, picture }, { type: 'user', subject: userId, after })
  },
})

const ConfirmTotp = z.object({
  appId: z.string().max(100),
  name: Name,
  code: z
    .string()
    .trim()
    .max(20)
    .transform((text) => text.replace(/\s/g, '')),
})

/** The first factor of an account brings its recovery codes. */
export const confirmTotp = verb({
  name: 'second-factor.add',
  role: 'member',
  scope: null,
  summary: 'Adds the authenticator app that was begun last, with a code of it.',
  input: ConfirmTotp,
  output: EnrolledFactor,
  needsReauthentication: () => true,
  transaction: 'later',
  run: async ({ change, actor: { userId } }, { appId, name, code }) => {
    const id = parseId(appId, 'The app')
    const made = await makeFirstCodes(userId)
    return change(async (tx) => {
      await lockLocalAccount(tx, userId)
      const now = new Date()
      const since = new Date(now.getTime() - confirmWithinMs)
      const app = await tx.totpApp.findFirst({
        where: { id, userId, confirmedAt: null, createdAt: { gt: since } },
      })
      if (!app) throw new NotFoundError('The new app')
      const step = totpStep(await openSecret(tx, id), code, null, now)
      if (step === null) {
        throw new ValidationError({
          code: 'This code is wrong or too old. Check that the clock of the phone is right.',
        })
      }
      await tx.totpApp.update({
        where: { id },
        data: { name, confirmedAt: now, lastStep: step, lastUsedAt: now },
      })
      const recoveryCodes = await firstRecoveryCodes(tx, userId, made)
      const after = { kind: 'app', name }
      return changed({ id, recoveryCodes }, { type: 'user', subject: userId, after })
    })
  },
})
