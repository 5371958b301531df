import type { Prisma } from '../../generated/prisma/client'
import { type Ctx, requireRole } from '../../kernel/context'
import { db } from '../../kernel/db'
import { type SortDirection, sortParts } from '../../protocol/sort-order'
import { toRuleListing, withConfiguration } from './rule-listing'
import { type ApprovalRuleListing, type RuleSort, type RuleSortKey, usualRuleSort } from './schemas'

const columns = {
  name: (way) => ({ name: way }),
  state: (way) => ({ enabled: way }),
  'added-by': (way) => ({ createdByLabel: way }),
  changed: (way) => ({ updatedAt: way }),
} satisfies Record<RuleSortKey, (way: SortDirection) => Prisma.ApprovalRuleOrderByWithRelationInput>

/** Every rule, switched-off ones too. There are at most a few hundred. Admins only. */
export async function listApprovalRules(
  ctx: Ctx,
  sort: RuleSort = usualRuleSort,
): Promise<ApprovalRuleListing[]> {
  requireRole(ctx, 'admin')
  const { key, direction } = sortParts(sort)
  const rows = await db().approvalRule.findMany({
    include: withConfiguration,
    orderBy: [columns[key](direction), { name: 'asc' }],
  })
  return rows.map(toRuleListing)
}
