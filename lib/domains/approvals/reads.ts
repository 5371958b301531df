import { z } from 'zod'
import type { Prisma } from '../../generated/prisma/client'
import { type Ctx, requireRole } from '../../kernel/context'
import { db } from '../../kernel/db'
import { NotFoundError } from '../../kernel/errors'
import { ArgumentCondition } from '../../protocol/approval'
import { type SortDirection, sortParts } from '../../protocol/sort-order'
import { type ApprovalRuleListing, type RuleSort, type RuleSortKey, usualRuleSort } from './schemas'

/** The rule with this id or exact name. NotFoundError when there is none. Admins only. */
export async function findApprovalRule(ctx: Ctx, idOrName: string): Promise<ApprovalRuleListing> {
  requireRole(ctx, 'admin')
  const id = z.uuid().safeParse(idOrName)
  const row = await db().approvalRule.findFirst({
    where: id.success ? { id: id.data } : { name: idOrName.trim() },
    include: withConfiguration,
  })
  if (!row) throw new NotFoundError(`The rule ${idOrName.slice(0, 100)}`)
  return toRuleListing(row)
}

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

const withConfiguration = {
  configuration: { select: { name: true } },
} as const satisfies Prisma.ApprovalRuleInclude

type Row = Prisma.ApprovalRuleGetPayload<{ include: typeof withConfiguration }>

function toRuleListing(row: Row): ApprovalRuleListing {
  return {
    id: row.id,
    name: row.name,
    enabled: row.enabled,
    toolName: row.toolName,
    toolGroup: row.toolGroup,
    configurationId: row.configurationId,
    configurationName: row.configuration?.name ?? null,
    conditions: z.array(ArgumentCondition).parse(row.conditions),
    createdByLabel: row.createdByLabel,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}
