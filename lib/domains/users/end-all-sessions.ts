import { z } from 'zod'
import { type Ctx, requireRole } from '../../kernel/context'
import { withTransaction } from '../../kernel/db'
import { NotFoundError } from '../../kernel/errors'
import { parseId } from '../../kernel/parse-id'
import { parseInput } from '../../kernel/parse-input'
import { WithReason } from '../audit/audit-reason'
import { recordAudit } from '../audit/record-audit'
import { endSessions } from './end-sessions'

/** `exceptId` is a session that stays. */
const EndAllSessions = WithReason.extend({ exceptId: z.string().optional() })
type EndAllSessions = z.input<typeof EndAllSessions>

/**
 * Ends every session of an account, all but `exceptId`: one's own, or as an admin anyone's. Another's account is
 * NotFoundError. Says how many there were.
 */
export async function endAllSessions(
  ctx: Ctx,
  userId: string,
  input: EndAllSessions = {},
): Promise<number> {
  requireRole(ctx, 'member')
  const id = parseId(userId, 'The user')
  const { exceptId, reason } = parseInput(EndAllSessions, input)
  if (ctx.actor.role !== 'admin' && id !== ctx.actor.userId) throw new NotFoundError('The user')
  return withTransaction(async (tx) => {
    const user = await tx.user.findFirst({ where: { id, deletedAt: null } })
    if (!user) throw new NotFoundError('The user')
    const count = await endSessions(tx, id, exceptId)
    if (count === 0) return 0
    await recordAudit(tx, ctx, {
      action: 'user.end-sessions',
      objectType: 'user',
      objectId: id,
      before: { email: user.email, sessions: count },
      reason,
    })
    return count
  })
}
