'use server'
import { action } from '@/lib/next/action'
import { approvalRuleVerbs } from '@/lib/nouns'
import { simulateApprovalRule } from '@/lib/runs/approvals/simulate-approval-rule'

export const addRule = action(approvalRuleVerbs.create)
export const changeRule = action(approvalRuleVerbs.update)
export const removeRule = action(approvalRuleVerbs.remove)
export const tryRule = action(simulateApprovalRule)
