'use server'
import { deleteApprovalRule, setApprovalRuleEnabled } from '@/lib/domains/approvals/verbs'
import { action } from '@/lib/kernel/action'
import { simulateApprovalRule } from '@/lib/runs/simulate-approval-rule'
import { addApprovalRule, editApprovalRule } from '@/lib/toolset/save-approval-rule'

export const addRule = action(addApprovalRule)
export const changeRule = action(editApprovalRule)
export const switchRule = action(setApprovalRuleEnabled)
export const removeRule = action(deleteApprovalRule)
export const tryRule = action(simulateApprovalRule)
