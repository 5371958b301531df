'use server'
import { approvalRuleVerbs } from '@toolgate/server/joined-verbs'
import { simulateApprovalRule } from '@toolgate/server/runs/approvals/simulate-approval-rule'
import { action } from '@/lib/next/action'

export const addRule = action(approvalRuleVerbs.create)
export const changeRule = action(approvalRuleVerbs.update)
export const removeRule = action(approvalRuleVerbs.remove)
export const tryRule = action(simulateApprovalRule)
