import { z } from 'zod'
import { type Ctx, requireRole } from '../../kernel/context'
import { withTransaction } from '../../kernel/db'
import { ConflictError, NotFoundError } from '../../kernel/errors'
import { parseId } from '../../kernel/parse-id'
import { parseInput } from '../../kernel/parse-input'
import { AuditReason } from '../audit/audit-reason'
import { recordAudit } from '../audit/record-audit'
import { endSessions } from './end-sessions'
import { removeSecondFactors } from './remove-second-factors'
import { requireNotOneself } from './require-not-oneself'

export const ResetSecondFactor = z.object({
  reason: AuditReason.pipe(z.string().min(1, 'Enter a reason. It is stored in the audit.')),
})
export type ResetSecondFactor = z.input<typeof ResetSecondFactor>

/**
 * Takes every second factor and the recovery codes from an account and ends its sessions: its person signs in with the
 * password alone, and sets up a new one where the site requires it. In the console not for one's own account. Admins
 * only.
 */
export async function resetSecondFactor(
  ctx: Ctx,
  userId: string,
  input: ResetSecondFactor,
): Promise<{ sessionsEnded: number }> {
  requireRole(ctx, 'admin')
  const id = parseId(userId, 'The user')
  const { reason } = parseInput(ResetSecondFactor, input)
  requireNotOneself(ctx, id, 'Change your own second factors on your account page.')
  return withTransaction(async (tx) => {
    const [user] = await tx.$queryRaw<{ email: string }[]>`
      SELECT email FROM users WHERE id = ${id}::uuid AND "deletedAt" IS NULL FOR UPDATE`
    if (!user) throw new NotFoundError('The user')
    const removed = await removeSecondFactors(tx, id)
    if (removed.passkeysRemoved + removed.appsRemoved === 0) {
      throw new ConflictError('This account has no second factor.')
    }
    const sessionsEnded = await endSessions(tx, id)
    await recordAudit(tx, ctx, {
      action: 'user.reset-second-factor',
      objectType: 'user',
      objectId: id,
      before: { email: user.email },
      after: { email: user.email, ...removed, sessionsEnded },
      reason,
    })
    return { sessionsEnded }
  })
}
