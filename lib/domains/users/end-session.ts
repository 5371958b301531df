import { type Ctx, requireRole } from '../../kernel/context'
import { withTransaction } from '../../kernel/db'
import { NotFoundError } from '../../kernel/errors'
import { parseId } from '../../kernel/parse-id'
import { recordAudit } from '../audit/record-audit'

/**
 * Ends one session at once: one's own, or as an admin anyone's. Another's is NotFoundError; one that has ended
 * already gives false.
 */
export async function endSession(ctx: Ctx, sessionId: string): Promise<boolean> {
  requireRole(ctx, 'member')
  const id = parseId(sessionId, 'The session')
  const mine = ctx.actor.role === 'admin' ? { id } : { id, userId: ctx.actor.userId }
  return withTransaction(async (tx) => {
    const session = await tx.session.findFirst({ where: mine, include: { user: true } })
    if (!session) throw new NotFoundError('The session')
    const { count } = await tx.session.updateMany({
      where: { id, revokedAt: null },
      data: { revokedAt: new Date() },
    })
    if (count === 0) return false
    await recordAudit(tx, ctx, {
      action: 'session.end',
      objectType: 'session',
      objectId: id,
      before: { email: session.user.email, ipAddress: session.ipAddress },
    })
    return true
  })
}
