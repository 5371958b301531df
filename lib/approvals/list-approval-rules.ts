import { type Ctx, requireRole } from '../context'
import { db } from '../db'
import { toRuleListing, withConfiguration } from './rule-listing'
import type { ApprovalRuleListing } from './schemas'

/** Every rule by name, switched-off ones too. There are at most a few hundred. Admins only. */
export async function listApprovalRules(ctx: Ctx): Promise<ApprovalRuleListing[]> {
  requireRole(ctx, 'admin')
  const rows = await db().approvalRule.findMany({
    include: withConfiguration,
    orderBy: { name: 'asc' },
  })
  return rows.map(toRuleListing)
}
