'use server'
import { z } from 'zod'
import { deleteApprovalRule } from '@/lib/domains/approvals/delete-approval-rule'
import { ApprovalRuleInput, SetApprovalRuleEnabled } from '@/lib/domains/approvals/schemas'
import { setApprovalRuleEnabled } from '@/lib/domains/approvals/set-approval-rule-enabled'
import { WithReason } from '@/lib/domains/audit/audit-reason'
import { customAction } from '@/lib/kernel/action'
import { SimulateApprovalRule, simulateApprovalRule } from '@/lib/runs/simulate-approval-rule'
import { addApprovalRule, editApprovalRule } from '@/lib/toolset/save-approval-rule'

const RuleId = z.object({ id: z.uuid() })

export const addRule = customAction(ApprovalRuleInput, 'admin', addApprovalRule)

export const changeRule = customAction(
  RuleId.extend({ updatedAt: z.iso.datetime(), rule: ApprovalRuleInput }),
  'admin',
  (ctx, { id, updatedAt, rule }) => editApprovalRule(ctx, id, rule, { updatedAt }),
)

export const switchRule = customAction(SetApprovalRuleEnabled, 'admin', setApprovalRuleEnabled)

export const removeRule = customAction(
  RuleId.extend(WithReason.shape),
  'admin',
  (ctx, { id, reason }) => deleteApprovalRule(ctx, id, { reason }),
)

export const tryRule = customAction(SimulateApprovalRule, 'admin', simulateApprovalRule)
