import 'server-only'
import { createApprovalRule } from '@/lib/domains/approvals/create-approval-rule'
import { findApprovalRule } from '@/lib/domains/approvals/find-approval-rule'
import { ApprovalRuleInput } from '@/lib/domains/approvals/schemas'
import { type RuleEdit, updateApprovalRule } from '@/lib/domains/approvals/update-approval-rule'
import { type Ctx, requireRole } from '@/lib/kernel/context'
import { parseInput } from '@/lib/kernel/parse-input'
import { requireKnownNames } from './known-names'

/** `createApprovalRule` for a tool and group that exist, or that `notYet` says do not exist yet. Admins only. */
export async function addApprovalRule(ctx: Ctx, input: ApprovalRuleInput): Promise<{ id: string }> {
  requireRole(ctx, 'admin')
  const rule = parseInput(ApprovalRuleInput, input)
  if (!rule.notYet) await requireKnownNames(rule)
  return createApprovalRule(ctx, input)
}

/** `updateApprovalRule` likewise; what the rule names already may stay. Admins only. */
export async function editApprovalRule(
  ctx: Ctx,
  ruleId: string,
  input: ApprovalRuleInput,
  edit: RuleEdit = {},
): Promise<void> {
  requireRole(ctx, 'admin')
  const rule = parseInput(ApprovalRuleInput, input)
  const before = await findApprovalRule(ctx, ruleId)
  const changed = <T>(now: T, stored: T) => (now === stored ? null : now)
  if (!rule.notYet) {
    await requireKnownNames({
      toolName: changed(rule.toolName, before.toolName),
      toolGroup: changed(rule.toolGroup, before.toolGroup),
    })
  }
  await updateApprovalRule(ctx, ruleId, input, edit)
}
