import { type Ctx, requireRole } from '../../kernel/context'
import { NotFoundError } from '../../kernel/errors'
import { parseId } from '../../kernel/parse-id'
import { parseInput } from '../../kernel/parse-input'
import { changePolicy } from '../../kernel/policy-lock'
import { WithReason } from '../audit/audit-reason'
import { recordAudit } from '../audit/record-audit'
import { auditedRule } from './rule-facts'

/** Removes a rule; calls that wait because of it still do. NotFoundError when it is gone. Admins only. */
export async function deleteApprovalRule(
  ctx: Ctx,
  ruleId: string,
  input: WithReason = {},
): Promise<void> {
  requireRole(ctx, 'admin')
  const id = parseId(ruleId, 'This rule')
  const { reason } = parseInput(WithReason, input)
  await changePolicy(async (tx) => {
    const before = await tx.approvalRule.findUnique({ where: { id } })
    if (!before) throw new NotFoundError('This rule')
    await tx.approvalRule.delete({ where: { id } })
    await recordAudit(tx, ctx, {
      action: 'approval-rule.delete',
      objectType: 'approval-rule',
      objectId: id,
      before: auditedRule(before),
      after: null,
      reason,
    })
  })
}
