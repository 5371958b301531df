import type { z } from 'zod'
import type { ApprovalRule } from '../../generated/prisma/client'
import type { Tx } from '../../kernel/db'
import { ConflictError, ValidationError } from '../../kernel/errors'
import type { ApprovalRuleInput } from './schemas'

type Facts = Omit<z.output<typeof ApprovalRuleInput>, 'notYet'>

/** More rules than this would make every call slow. */
const maxRules = 500

/** What of a rule the audit keeps. */
export function auditedRule(rule: ApprovalRule | Facts) {
  const { name, enabled, toolName, toolGroup, configurationId, conditions } = rule
  return { name, enabled, toolName, toolGroup, configurationId, conditions }
}

export async function requireConfiguration(tx: Tx, configurationId: string | null): Promise<void> {
  if (configurationId === null) return
  const count = await tx.configuration.count({ where: { id: configurationId } })
  if (count > 0) return
  throw new ValidationError({
    configurationId: 'This configuration no longer exists. Pick another.',
  })
}

export async function refuseTooManyRules(tx: Tx): Promise<void> {
  if ((await tx.approvalRule.count()) < maxRules) return
  throw new ConflictError(`There are already ${maxRules} rules, the maximum. Delete one first.`)
}

export const nameTaken = 'Another rule has this name.'
