import { type Ctx, requireRole } from '../../kernel/context'
import { NotFoundError } from '../../kernel/errors'
import { changePolicy } from '../../kernel/locks'
import { parseId } from '../../kernel/parse-id'
import { parseInput } from '../../kernel/parse-input'
import { WithReason } from '../audit/audit-reason'
import { recordAudit } from '../audit/record-audit'
import { lockAdmins } from './lock-admins'
import { removeSecondFactors } from './remove-second-factors'
import { requireAnotherAdmin } from './require-another-admin'
import { requireNotOneself } from './require-not-oneself'
import { revokeAccess } from './revoke-access'

/**
 * Marks an account deleted: it never surfaces again, its sessions, keys and links end, and no call of its runs starts
 * any more (SPEC G-F). Its address is free for a new account. Not the last admin's, in the console not one's own.
 * Admins only.
 */
export async function deleteUser(ctx: Ctx, userId: string, input: WithReason = {}): Promise<void> {
  requireRole(ctx, 'admin')
  const id = parseId(userId, 'The user')
  const { reason } = parseInput(WithReason, input)
  await changePolicy(async (tx) => {
    await lockAdmins(tx)
    const before = await tx.user.findFirst({ where: { id, deletedAt: null } })
    if (!before) throw new NotFoundError('The user')
    await requireAnotherAdmin(tx, before)
    requireNotOneself(ctx, id, 'Ask another admin to delete it.')
    await tx.user.update({
      where: { id },
      data: {
        deletedAt: new Date(),
        // The address and the person at the identity provider may come back as a new account.
        email: `${before.email} (deleted ${id})`,
        oidcIssuer: null,
        oidcSubject: null,
        passwordHash: null,
      },
    })
    await revokeAccess(tx, id)
    await removeSecondFactors(tx, id)
    await recordAudit(tx, ctx, {
      action: 'user.delete',
      objectType: 'user',
      objectId: id,
      before: { email: before.email, name: before.name, role: before.role },
      reason,
    })
  })
}
