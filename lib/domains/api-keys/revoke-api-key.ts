import { type Ctx, requireRole } from '../../kernel/context'
import type { Tx } from '../../kernel/db'
import { NotFoundError } from '../../kernel/errors'
import { parseId } from '../../kernel/parse-id'
import { recordAudit } from '../audit/record-audit'

type Revocation = {
  keyId: string
  reason: string
  /** Stops what the key started, once it works no more; gives the ids, for the audit. */
  stop: (name: string) => string[] | Promise<string[]>
}

/**
 * Ends a key at once, one's own or as an admin anyone's, and gives what `stop` stopped. Another's key is NotFoundError; a
 * second time changes nothing but what `stop` does.
 */
export async function revokeApiKey(
  tx: Tx,
  ctx: Ctx,
  { keyId, reason, stop }: Revocation,
): Promise<string[]> {
  requireRole(ctx, 'member')
  const id = parseId(keyId, 'The API key')
  const mine = ctx.actor.role === 'admin' ? { id } : { id, userId: ctx.actor.userId }
  const key = await tx.apiKey.findFirst({ where: mine, select: { name: true, prefix: true } })
  if (!key) throw new NotFoundError('The API key')
  const revokedAt = new Date()
  const { count } = await tx.apiKey.updateMany({
    where: { id, revokedAt: null },
    data: { revokedAt },
  })
  const stoppedRuns = await stop(key.name)
  if (count === 0 && stoppedRuns.length === 0) return []
  await recordAudit(tx, ctx, {
    action: 'api-key.revoke',
    objectType: 'api-key',
    objectId: id,
    before: key,
    after: { ...key, revokedAt, ...(stoppedRuns.length > 0 && { stoppedRuns }) },
    reason,
  })
  return stoppedRuns
}
