'use server'
import { z } from 'zod'
import { action } from '@/lib/action'
import { deleteApprovalRule } from '@/lib/approvals/delete-approval-rule'
import { ApprovalRuleInput, SetApprovalRuleEnabled } from '@/lib/approvals/schemas'
import { setApprovalRuleEnabled } from '@/lib/approvals/set-approval-rule-enabled'
import { WithReason } from '@/lib/audit/audit-reason'
import { SimulateApprovalRule, simulateApprovalRule } from '@/lib/runs/simulate-approval-rule'
import { addApprovalRule, editApprovalRule } from '@/lib/toolset/save-approval-rule'

const RuleId = z.object({ id: z.uuid() })

export const addRule = action(ApprovalRuleInput, 'admin', addApprovalRule)

export const changeRule = action(
  RuleId.extend({ updatedAt: z.iso.datetime(), rule: ApprovalRuleInput }),
  'admin',
  (ctx, { id, updatedAt, rule }) => editApprovalRule(ctx, id, rule, { updatedAt }),
)

export const switchRule = action(SetApprovalRuleEnabled, 'admin', setApprovalRuleEnabled)

export const removeRule = action(RuleId.extend(WithReason.shape), 'admin', (ctx, { id, reason }) =>
  deleteApprovalRule(ctx, id, { reason }),
)

export const tryRule = action(SimulateApprovalRule, 'admin', simulateApprovalRule)
