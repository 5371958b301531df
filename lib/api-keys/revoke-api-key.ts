import { WithReason } from '../audit/audit-reason'
import { recordAudit } from '../audit/record-audit'
import { type Ctx, requireRole } from '../context'
import { withTransaction } from '../db'
import { NotFoundError } from '../errors'
import { parseId } from '../parse-id'
import { parseInput } from '../parse-input'

/** Ends a key at once: one's own, or as an admin anyone's. Another's key is NotFoundError; twice is harmless. */
export async function revokeApiKey(ctx: Ctx, keyId: string, input: WithReason = {}): Promise<void> {
  requireRole(ctx, 'member')
  const id = parseId(keyId, 'The API key')
  const { reason } = parseInput(WithReason, input)
  const mine = ctx.actor.role === 'admin' ? { id } : { id, userId: ctx.actor.userId }
  await withTransaction(async (tx) => {
    const key = await tx.apiKey.findFirst({ where: mine, select: { name: true, prefix: true } })
    if (!key) throw new NotFoundError('The API key')
    const revokedAt = new Date()
    const { count } = await tx.apiKey.updateMany({
      where: { id, revokedAt: null },
      data: { revokedAt },
    })
    if (count === 0) return
    await recordAudit(tx, ctx, {
      action: 'api-key.revoke',
      objectType: 'api-key',
      objectId: id,
      before: key,
      after: { ...key, revokedAt },
      reason,
    })
  })
}
