import { type Ctx, requireRole } from '../../kernel/context'
import { parseInput } from '../../kernel/parse-input'
import { changePolicy } from '../../kernel/policy-lock'
import { WithReason } from '../audit/audit-reason'
import { recordAudit } from '../audit/record-audit'
import { readMembership } from './read-membership'

/**
 * Takes a person out of a group; their runs with what only this group opens end (SPEC G-R). False when they were no member. NotFoundError
 * when there is no such group or account. Admins only.
 */
export async function removeGroupMember(
  ctx: Ctx,
  groupId: string,
  userId: string,
  input: WithReason = {},
): Promise<boolean> {
  requireRole(ctx, 'admin')
  const { reason } = parseInput(WithReason, input)
  return changePolicy(async (tx) => {
    const { group, user, key } = await readMembership(tx, groupId, userId)
    const { count } = await tx.groupMember.deleteMany({ where: key })
    if (count === 0) return false
    await recordAudit(tx, ctx, {
      action: 'group.remove-member',
      objectType: 'group',
      objectId: key.groupId,
      before: { group: group.name, userId: key.userId, email: user.email },
      reason,
    })
    return true
  })
}
