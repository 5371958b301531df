import { z } from 'zod'
import type { Prisma } from '../../generated/prisma/client'
import { ArgumentCondition } from '../../protocol/approval-rule'
import type { ApprovalRuleListing } from './schemas'

export const withConfiguration = {
  configuration: { select: { name: true } },
} as const satisfies Prisma.ApprovalRuleInclude

type Row = Prisma.ApprovalRuleGetPayload<{ include: typeof withConfiguration }>

export function toRuleListing(row: Row): ApprovalRuleListing {
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
