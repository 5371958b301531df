import { toString as qrCode } from 'qrcode'
import { z } from 'zod'
import { newId } from '@/lib/kernel/new-id'
import { recordAudit } from '../domains/audit/record-audit'
import { removeTotpApps } from '../domains/users/remove-second-factors'
import { openSecret } from '../domains/vault/open-secret'
import { storeSecret } from '../domains/vault/store-secret'
import { type Ctx, requireRole } from '../kernel/context'
import { withTransaction } from '../kernel/db'
import { ConflictError, NotFoundError, ValidationError } from '../kernel/errors'
import { parseId } from '../kernel/parse-id'
import { parseInput } from '../kernel/parse-input'
import { firstRecoveryCodes } from './recovery-codes'
import { type EnrolledFactor, FactorName, lockLocalAccount, mostFactors } from './second-factor'
import { newTotpSecret, totpAddress, totpStep } from './totp'

const confirmWithinMs = 15 * 60_000

/** `secret` and `picture`, the same as a QR code (a data: address), are shown this once. */
export type TotpEnrolment = { appId: string; secret: string; picture: string }

/** Begins to add an authenticator app to one's own account; it counts from its first right code on. */
export async function beginTotp(ctx: Ctx): Promise<TotpEnrolment> {
  requireRole(ctx, 'member')
  const { userId, email } = ctx.actor
  const secret = newTotpSecret()
  const appId = newId()
  await withTransaction(async (tx) => {
    await lockLocalAccount(tx, userId)
    await removeTotpApps(tx, { userId, confirmedAt: null })
    if ((await tx.totpApp.count({ where: { userId } })) >= mostFactors) {
      throw new ConflictError(`An account has at most ${mostFactors} apps. Remove one first.`)
    }
    // The secret has the id of the app's row, and is sealed with it: it opens for no other row.
    await storeSecret(tx, { purpose: 'totp', id: appId, plaintext: secret, hidden: true })
    await tx.totpApp.create({ data: { id: appId, userId, name: '' } })
    await recordAudit(tx, ctx, {
      action: 'second-factor.begin',
      objectType: 'user',
      objectId: userId,
      after: { kind: 'app' },
    })
  })
  const svg = await qrCode(totpAddress(secret, email), { type: 'svg', margin: 2 })
  const picture = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
  return { appId, secret, picture }
}

export const ConfirmTotp = z.object({
  appId: z.string().max(100),
  name: FactorName,
  code: z
    .string()
    .trim()
    .max(20)
    .transform((text) => text.replace(/\s/g, '')),
})
export type ConfirmTotp = z.input<typeof ConfirmTotp>

/** Ends it with a code of the app. The first factor of an account brings its recovery codes. */
export async function confirmTotp(
  ctx: Ctx,
  input: ConfirmTotp,
  now = new Date(),
): Promise<EnrolledFactor> {
  requireRole(ctx, 'member')
  const { appId, name, code } = parseInput(ConfirmTotp, input)
  const id = parseId(appId, 'The app')
  const { userId } = ctx.actor
  return withTransaction(async (tx) => {
    await lockLocalAccount(tx, userId)
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
    await recordAudit(tx, ctx, {
      action: 'second-factor.add',
      objectType: 'user',
      objectId: userId,
      after: { kind: 'app', name },
    })
    return { id, recoveryCodes: await firstRecoveryCodes(tx, userId) }
  })
}
