import { endSessions, revokeAccountLinks, revokeApiKeys } from '@/lib/domains/users/access'
import { hashPassword, requireStrongPassword, verifyPassword } from '@/lib/domains/users/passwords'
import { ChangePassword } from '@/lib/domains/users/schemas'
import { makeChange } from '@/lib/edge/verb'
import { type Ctx, requireRole } from '@/lib/kernel/context'
import { allowNonPolicyWrite, db } from '@/lib/kernel/db'
import { ConflictError, ValidationError } from '@/lib/kernel/errors'
import { newId } from '@/lib/kernel/new-id'
import { parseInput } from '@/lib/kernel/parse-input'
import { beginAttempt, forgiveAttempt } from './limit-attempts'
import { reportFailedPassword } from './report-refusal'

/**
 * Changes the caller's own password. The current one is required, and wrong ones are counted for this session, so that
 * it cannot be guessed here. Other sessions and API keys of the account end, unless `endAccess` is false. One-time
 * links and sign-ins that wait for a second factor always end, and this session gets another id. ValidationError when the current one is wrong or the new
 * one weak, RateLimitedError.
 */
export async function changeOwnPassword(
  ctx: Ctx,
  input: ChangePassword,
  keepSessionId: string,
): Promise<{ sessionId: string; sessionsEnded: number; keysRevoked: number }> {
  requireRole(ctx, 'member')
  const { current, password, endAccess } = parseInput(ChangePassword, input)
  const { userId, email } = ctx.actor
  const origin = { sessionId: keepSessionId, address: null }
  const attempt = await beginAttempt(email, 'password', origin).catch((error) => {
    reportFailedPassword(error, ctx)
    throw error
  })
  const { name, passwordHash: stored } = await readAccount(userId)
  if (!(await verifyPassword(stored, current))) {
    const wrong = new ValidationError({ current: 'This is not your current password.' })
    reportFailedPassword(wrong, ctx)
    throw wrong
  }
  // Forgiven even if the new password is refused below, because only wrong passwords count.
  await forgiveAttempt(db(), attempt)
  if (password === current) {
    throw new ValidationError({ password: 'This is your current password. Enter another one.' })
  }
  await requireStrongPassword(password, { email, name })
  const passwordHash = await hashPassword(password)
  const sessionId = newId()
  return makeChange(async (tx) => {
    const { count } = await allowNonPolicyWrite(tx, 'how a person signs in').user.updateMany({
      where: { id: userId, passwordHash: stored, disabledAt: null, deletedAt: null },
      data: { passwordHash },
    })
    if (count === 0)
      throw new ConflictError('The password was changed in the meantime. Sign in again.')
    await revokeAccountLinks(tx, userId)
    await tx.pendingSignIn.deleteMany({ where: { userId } })
    const sessionsEnded = endAccess ? await endSessions(tx, userId, keepSessionId) : 0
    const keysRevoked = endAccess ? await revokeApiKeys(tx, userId) : 0
    const ended = { sessionsEnded, keysRevoked }
    await tx.session.updateMany({ where: { id: keepSessionId, userId }, data: { id: sessionId } })
    const after = { changed: 'password', ...ended }
    const change = { by: ctx, action: 'user.change-own-sign-in', subject: userId, after } as const
    return { output: { sessionId, ...ended }, changes: [change] }
  })
}

async function readAccount(userId: string): Promise<{ name: string; passwordHash: string | null }> {
  const user = await db().user.findFirst({
    where: { id: userId, disabledAt: null, deletedAt: null },
    select: { name: true, passwordHash: true },
  })
  return user ?? { name: '', passwordHash: null }
}
