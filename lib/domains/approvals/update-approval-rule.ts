import { type Ctx, requireRole } from '../../kernel/context'
import { isUniqueViolation } from '../../kernel/db'
import { ConflictError } from '../../kernel/errors'
import { parseId } from '../../kernel/parse-id'
import { parseInput } from '../../kernel/parse-input'
import { changeRule } from './change-rule'
import { nameTaken, requireConfiguration } from './rule-facts'
import { ApprovalRuleInput } from './schemas'

/** `updatedAt`: the rule as whoever changes it saw it, ISO text; left out = whatever is there. */
export type RuleEdit = { updatedAt?: string | undefined; reason?: string }

/**
 * Replaces a rule. It counts from the next call on; calls that wait go on waiting. NotFoundError when it is gone,
 * ConflictError when the name is taken or somebody else changed it. Admins only.
 */
export async function updateApprovalRule(
  ctx: Ctx,
  ruleId: string,
  input: ApprovalRuleInput,
  { updatedAt, reason = '' }: RuleEdit = {},
): Promise<void> {
  requireRole(ctx, 'admin')
  const id = parseId(ruleId, 'This rule')
  const { notYet, ...facts } = parseInput(ApprovalRuleInput, input)
  try {
    const how = { action: 'approval-rule.update', notYet, reason }
    await changeRule(ctx, id, how, async (tx, before) => {
      // Behind the lock: what is saved over somebody's change could switch the rule off again.
      if (updatedAt !== undefined && updatedAt !== before.updatedAt.toISOString())
        throw changedSince()
      await requireConfiguration(tx, facts.configurationId)
      return tx.approvalRule.update({ where: { id }, data: facts })
    })
  } catch (error) {
    if (isUniqueViolation(error)) throw new ConflictError(nameTaken, 'name')
    throw error
  }
}

function changedSince(): ConflictError {
  return new ConflictError(
    'Somebody changed this rule after you opened it, so nothing was saved. Load it again and repeat your change.',
  )
}
