import { type Ctx, requireRole } from '../context'
import { isUniqueViolation } from '../db'
import { ConflictError } from '../errors'
import { parseId } from '../parse-id'
import { parseInput } from '../parse-input'
import { changeRule } from './change-rule'
import { nameTaken, requireConfiguration } from './rule-facts'
import { ApprovalRuleInput } from './schemas'

/**
 * Replaces a rule. It counts from the next call on; calls that wait go on waiting. NotFoundError when it is gone,
 * ConflictError when the name is taken. Admins only.
 */
export async function updateApprovalRule(
  ctx: Ctx,
  ruleId: string,
  input: ApprovalRuleInput,
): Promise<void> {
  requireRole(ctx, 'admin')
  const id = parseId(ruleId, 'This rule')
  const { notYet, ...facts } = parseInput(ApprovalRuleInput, input)
  try {
    await changeRule(ctx, id, { action: 'approval-rule.update', notYet }, async (tx) => {
      await requireConfiguration(tx, facts.configurationId)
      return tx.approvalRule.update({ where: { id }, data: facts })
    })
  } catch (error) {
    if (isUniqueViolation(error)) throw new ConflictError(nameTaken, 'name')
    throw error
  }
}
