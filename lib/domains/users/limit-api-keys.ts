import type { Ctx } from '../../kernel/context'
import type { Tx } from '../../kernel/db'
import { scopesOf } from '../../protocol/api-scope'
import type { Role } from '../../protocol/tool'
import { recordAudit } from '../audit/record-audit'

/**
 * Removes the scopes that the old or the new role does not have from the API keys of an account, for good: neither a
 * demotion and a later promotion, nor a promotion alone brings any back. A key with none left is revoked. Call it after
 * the account's row was written, so that keys made at the same time are seen.
 */
export async function limitApiKeys(
  tx: Tx,
  ctx: Ctx,
  userId: string,
  roles: { before: Role; after: Role },
): Promise<void> {
  const allowed = scopesOf(Object.values(roles).includes('member') ? 'member' : 'admin')
  const keys = await tx.apiKey.findMany({ where: { userId, revokedAt: null } })
  for (const { id, name, prefix, scopes } of keys) {
    const left = scopes.filter((scope) => allowed.some((each) => each === scope))
    if (left.length === scopes.length) continue
    const revokedAt = left.length === 0 ? new Date() : null
    const { count } = await tx.apiKey.updateMany({
      where: { id, revokedAt: null },
      data: { scopes: left, revokedAt },
    })
    if (count === 0) continue
    await recordAudit(tx, ctx, {
      action: revokedAt ? 'api-key.revoke' : 'api-key.remove-scopes',
      objectType: 'api-key',
      objectId: id,
      before: { name, prefix, scopes },
      after: { name, prefix, scopes: left, ...(revokedAt && { revokedAt }) },
      reason: `The role of its owner changed from ${roles.before} to ${roles.after}.`,
    })
  }
}
