import { z } from 'zod'
import type { Prisma } from '../../generated/prisma/client'
import { db } from '../../kernel/db'
import { NotFoundError } from '../../kernel/errors'
import { verb } from '../../kernel/verb'
import { ArgumentCondition, RuleAction } from '../../protocol/approval'
import { type SortDirection, sortParts } from '../../protocol/sort-order'
import { ApprovalRuleListing, defaultRuleSort, RuleSort, type RuleSortKey } from './schemas'

/** Throws NotFoundError when there is no rule with this id or exact name. */
export const findApprovalRule = verb({
  name: 'approval-rule.read',
  role: 'admin',
  scope: 'approval-rules:read',
  summary: 'Returns a rule by name or id.',
  input: z.object({ rule: z.string() }),
  output: ApprovalRuleListing,
  transaction: false,
  run: async (_context, { rule }) => {
    const id = z.uuid().safeParse(rule)
    const row = await db().approvalRule.findFirst({
      where: id.success ? { id: id.data } : { name: rule.trim() },
      include: withConfiguration,
    })
    if (!row) throw new NotFoundError(`The rule ${rule.slice(0, 100)}`)
    return toRuleListing(row)
  },
})

const columns = {
  name: (way) => ({ name: way }),
  state: (way) => ({ enabled: way }),
  'added-by': (way) => ({ createdByLabel: way }),
  changed: (way) => ({ updatedAt: way }),
} satisfies Record<RuleSortKey, (way: SortDirection) => Prisma.ApprovalRuleOrderByWithRelationInput>

/** There are at most a few hundred. */
export const listApprovalRules = verb({
  name: 'approval-rule.list',
  role: 'admin',
  scope: 'approval-rules:read',
  summary:
    'Lists the rules that say which calls are refused, need approval or are noted, switched-off ones, too.',
  input: z.object({ sort: RuleSort.optional() }),
  output: z.array(ApprovalRuleListing),
  transaction: false,
  run: async (_context, { sort = defaultRuleSort }) => {
    const { key, direction } = sortParts(sort)
    const rows = await db().approvalRule.findMany({
      include: withConfiguration,
      orderBy: [columns[key](direction), { name: 'asc' }],
    })
    return rows.map(toRuleListing)
  },
})

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
    action: RuleAction.parse(row.action),
    conditions: z.array(ArgumentCondition).parse(row.conditions),
    createdByLabel: row.createdByLabel,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}
