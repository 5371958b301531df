'use server'
import { simulateApprovalRule } from '@toolgate/server/runs/approvals/simulate-approval-rule'
import { action } from '@/lib/next/action'

export const tryRule = action(simulateApprovalRule)
