'use server'
import { z } from 'zod'
import { ApprovalRuleInput } from '@/lib/domains/approvals/schemas'
import { deleteApprovalRule, setApprovalRuleEnabled } from '@/lib/domains/approvals/verbs'
import { action, customAction } from '@/lib/kernel/action'
import { simulateApprovalRule } from '@/lib/runs/simulate-approval-rule'
import { addApprovalRule, editApprovalRule } from '@/lib/toolset/save-approval-rule'

export const addRule = action(addApprovalRule)

export const changeRule = customAction(
  z.object({ id: z.uuid(), updatedAt: z.iso.datetime(), rule: ApprovalRuleInput }),
  'admin',
  (ctx, { id, updatedAt, rule }) => editApprovalRule(ctx, { ...rule, id, updatedAt }),
)

export const switchRule = action(setApprovalRuleEnabled)
export const removeRule = action(deleteApprovalRule)
export const tryRule = action(simulateApprovalRule)
