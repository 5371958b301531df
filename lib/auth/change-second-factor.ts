import { z } from 'zod'
import { recordAudit } from '../domains/audit/record-audit'
import { removeTotpApps } from '../domains/users/access'
import { type Ctx, requireRole } from '../kernel/context'
import { type Tx, withTransaction } from '../kernel/db'
import { ConflictError, NotFoundError } from '../kernel/errors'
import { parseId } from '../kernel/parse-id'
import { parseInput } from '../kernel/parse-input'
import { FactorName, isRequired, lockLocalAccount, replaceRecoveryCodes } from './second-factor'

const FactorId = z.object({ kind: z.enum(['passkey', 'app']), id: z.string().max(100) })
type FactorId = z.infer<typeof FactorId>

export const RenameFactor = FactorId.extend({ name: FactorName })
export type RenameFactor = z.input<typeof RenameFactor>

/** Renames one of the caller's own factors. */
export async function renameFactor(ctx: Ctx, input: RenameFactor): Promise<void> {
  requireRole(ctx, 'member')
  const { name, ...factor } = parseInput(RenameFactor, input)
  const { userId } = ctx.actor
  await withTransaction(async (tx) => {
    await lockLocalAccount(tx, userId)
    const before = await requireFactor(tx, userId, factor)
    const where = { id: before.id }
    if (factor.kind === 'passkey') await tx.passkey.update({ where, data: { name } })
    else await tx.totpApp.update({ where, data: { name } })
    await recordAudit(tx, ctx, {
      action: 'second-factor.rename',
      objectType: 'user',
      objectId: userId,
      before: { kind: factor.kind, name: before.name },
      after: { kind: factor.kind, name },
    })
  })
}

export const RemoveFactor = FactorId
export type RemoveFactor = FactorId

/**
 * Removes one of the caller's own factors, and with the last one the recovery codes. ConflictError when the site
 * requires a second factor and this is the last.
 */
export async function removeFactor(ctx: Ctx, input: RemoveFactor): Promise<void> {
  requireRole(ctx, 'member')
  const factor = parseInput(RemoveFactor, input)
  const { userId } = ctx.actor
  await withTransaction(async (tx) => {
    const { role } = await lockLocalAccount(tx, userId)
    const { id, name } = await requireFactor(tx, userId, factor)
    const isLast = (await countFactors(tx, userId)) === 1
    if (isLast && (await isRequired(tx, role))) {
      throw new ConflictError(
        'This site requires a second factor, and this is your last one. Add another first.',
      )
    }
    if (factor.kind === 'passkey') await tx.passkey.delete({ where: { id } })
    else await removeTotpApps(tx, { id })
    if (isLast) await tx.recoveryCode.deleteMany({ where: { userId } })
    await recordAudit(tx, ctx, {
      action: 'second-factor.remove',
      objectType: 'user',
      objectId: userId,
      before: { kind: factor.kind, name },
    })
  })
}

/** Replaces the caller's recovery codes. The old ones stop working; the new ones are shown only this once. */
export async function renewRecoveryCodes(ctx: Ctx): Promise<string[]> {
  requireRole(ctx, 'member')
  const { userId } = ctx.actor
  return withTransaction(async (tx) => {
    await lockLocalAccount(tx, userId)
    if ((await countFactors(tx, userId)) === 0) {
      throw new ConflictError('Add a passkey or an authenticator app first.')
    }
    const codes = await replaceRecoveryCodes(tx, userId)
    await recordAudit(tx, ctx, {
      action: 'second-factor.renew-recovery-codes',
      objectType: 'user',
      objectId: userId,
      after: { left: codes.length },
    })
    return codes
  })
}

async function countFactors(tx: Tx, userId: string): Promise<number> {
  const apps = await tx.totpApp.count({ where: { userId, confirmedAt: { not: null } } })
  return apps + (await tx.passkey.count({ where: { userId } }))
}

async function requireFactor(
  tx: Tx,
  userId: string,
  { kind, id: text }: FactorId,
): Promise<{ id: string; name: string }> {
  const id = parseId(text, 'The second factor')
  const found =
    kind === 'passkey'
      ? await tx.passkey.findFirst({ where: { id, userId } })
      : await tx.totpApp.findFirst({ where: { id, userId, confirmedAt: { not: null } } })
  if (!found) throw new NotFoundError('The second factor')
  return found
}
