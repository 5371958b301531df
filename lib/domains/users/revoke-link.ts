import { type Ctx, requireRole } from '../../kernel/context'
import { withTransaction } from '../../kernel/db'
import { NotFoundError } from '../../kernel/errors'
import { parseId } from '../../kernel/parse-id'
import { recordAudit } from '../audit/record-audit'
import { revokeAccountLinks } from './revoke-account-links'

/** Makes the one-time link of an account useless. False when there was none. Admins only. */
export async function revokeLink(ctx: Ctx, userId: string): Promise<boolean> {
  requireRole(ctx, 'admin')
  const id = parseId(userId, 'The user')
  return withTransaction(async (tx) => {
    const user = await tx.user.findFirst({ where: { id, deletedAt: null } })
    if (!user) throw new NotFoundError('The user')
    const count = await revokeAccountLinks(tx, id)
    if (count === 0) return false
    await recordAudit(tx, ctx, {
      action: 'user.revoke-link',
      objectType: 'user',
      objectId: id,
      before: { email: user.email, links: count },
    })
    return true
  })
}
