import { type Ctx, requireRole } from '../../kernel/context'
import { isUniqueViolation } from '../../kernel/db'
import { ConflictError } from '../../kernel/errors'
import { parseInput } from '../../kernel/parse-input'
import { changePolicy } from '../../kernel/policy-lock'
import { recordAudit } from '../audit/record-audit'
import { auditedRule, nameTaken, refuseTooManyRules, requireConfiguration } from './rule-facts'
import { ApprovalRuleInput } from './schemas'

/**
 * Adds a rule; once this resolves, no call that fits it starts without a person's word (SPEC G-A, G-F).
 * ConflictError when the name is taken. Admins only.
 */
export async function createApprovalRule(
  ctx: Ctx,
  input: ApprovalRuleInput,
): Promise<{ id: string }> {
  requireRole(ctx, 'admin')
  const { notYet, ...facts } = parseInput(ApprovalRuleInput, input)
  try {
    return await changePolicy(async (tx) => {
      await refuseTooManyRules(tx)
      await requireConfiguration(tx, facts.configurationId)
      const { id } = await tx.approvalRule.create({
        data: { ...facts, createdByLabel: ctx.actor.email },
      })
      await recordAudit(tx, ctx, {
        action: 'approval-rule.create',
        objectType: 'approval-rule',
        objectId: id,
        after: { ...auditedRule(facts), ...(notYet && { notYet }) },
      })
      return { id }
    })
  } catch (error) {
    if (isUniqueViolation(error)) throw new ConflictError(nameTaken, 'name')
    throw error
  }
}
