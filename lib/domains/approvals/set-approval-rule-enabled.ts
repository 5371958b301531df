import { type Ctx, requireRole } from '../../kernel/context'
import { parseInput } from '../../kernel/parse-input'
import { changeRule } from './change-rule'
import { SetApprovalRuleEnabled } from './schemas'

/** Switches a rule on or off; the same answer again changes nothing. NotFoundError when it is gone. Admins only. */
export async function setApprovalRuleEnabled(
  ctx: Ctx,
  input: SetApprovalRuleEnabled,
): Promise<void> {
  requireRole(ctx, 'admin')
  const { id, enabled, reason } = parseInput(SetApprovalRuleEnabled, input)
  const action = enabled ? 'approval-rule.switch-on' : 'approval-rule.switch-off'
  await changeRule(ctx, id, { action, reason }, (tx, before) =>
    before.enabled === enabled
      ? Promise.resolve(before)
      : tx.approvalRule.update({ where: { id }, data: { enabled } }),
  )
}
