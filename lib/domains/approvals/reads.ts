import { z } from 'zod'
import type { Prisma } from '../../generated/prisma/client'
import type { Tx } from '../../kernel/db'
import { ArgumentCondition, RuleAction } from '../../protocol/approval'

const named = {
  configuration: { select: { id: true, name: true } },
} as const satisfies Prisma.ApprovalRuleInclude

/** Returns every rule as it is stored. */
export async function readRules(client: Tx) {
  return (await client.approvalRule.findMany({ include: named })).map(stored)
}

/** Returns a rule as it is stored; null = there is none. */
export async function readRule(client: Tx, where: { id: string } | { name: string }) {
  const row = await client.approvalRule.findUnique({ where, include: named })
  return row && stored(row)
}

function stored(row: Prisma.ApprovalRuleGetPayload<{ include: typeof named }>) {
  const action = RuleAction.parse(row.action)
  return { ...row, action, conditions: z.array(ArgumentCondition).parse(row.conditions) }
}
