import { type Ctx, requireRole } from '../../kernel/context'
import { changePolicy } from '../../kernel/policy-lock'
import { recordAudit } from '../audit/record-audit'
import { readMembership } from './read-membership'

/**
 * Lets a person use what their group may use (SPEC A1). False when they are a member already. NotFoundError when
 * there is no such group or account. Admins only.
 */
export async function addGroupMember(ctx: Ctx, groupId: string, userId: string): Promise<boolean> {
  requireRole(ctx, 'admin')
  return changePolicy(async (tx) => {
    const { group, user, key } = await readMembership(tx, groupId, userId)
    const { count } = await tx.groupMember.createMany({ data: [key], skipDuplicates: true })
    if (count === 0) return false
    await recordAudit(tx, ctx, {
      action: 'group.add-member',
      objectType: 'group',
      objectId: key.groupId,
      after: { group: group.name, userId: key.userId, email: user.email },
    })
    return true
  })
}
